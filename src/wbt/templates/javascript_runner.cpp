// Evaluates templates in JavaScriptCore.
#include <JavaScriptCore/JavaScript.h>
#include <jsc/jsc.h>

#include <memory>

#include "wbt/templates/script_runner.h"

namespace protobeam::wbt::script {
namespace {

struct StringRelease {
  void operator()(JSStringRef string) const {
    if (string) JSStringRelease(string);
  }
};
using JsString = std::unique_ptr<OpaqueJSString, StringRelease>;

/// Null when the text is not UTF-8.
JsString js_string(std::string_view text) {
  glong units = 0, read = 0;
  GError* error = nullptr;
  gunichar2* utf16 =
      g_utf8_to_utf16(text.data(), static_cast<glong>(text.size()), &read, &units, &error);
  g_clear_error(&error);
  if (!utf16) return nullptr;
  JsString string(JSStringCreateWithCharacters(reinterpret_cast<const JSChar*>(utf16),
                                               static_cast<std::size_t>(units)));
  g_free(utf16);
  return string;
}

std::string to_utf8(JSStringRef string) {
  if (!string) return {};
  std::string text(JSStringGetMaximumUTF8CStringSize(string), '\0');
  text.resize(JSStringGetUTF8CString(string, text.data(), text.size()));
  if (!text.empty()) text.pop_back();  // the terminating NUL
  return text;
}

std::string value_text(JSContextRef context, JSValueRef value) {
  JSValueRef exception = nullptr;
  const JsString string(JSValueToStringCopy(context, value, &exception));
  return exception ? std::string() : to_utf8(string.get());
}

std::string property_text(JSContextRef context, JSObjectRef object, const char* name) {
  const JsString key(JSStringCreateWithUTF8CString(name));
  JSValueRef exception = nullptr;
  const JSValueRef value = JSObjectGetProperty(context, object, key.get(), &exception);
  if (exception || JSValueIsUndefined(context, value)) return {};
  return value_text(context, value);
}

std::uint32_t property_number(JSContextRef context, JSObjectRef object, const char* name) {
  const JsString key(JSStringCreateWithUTF8CString(name));
  JSValueRef exception = nullptr;
  const JSValueRef value = JSObjectGetProperty(context, object, key.get(), &exception);
  if (exception || !JSValueIsNumber(context, value)) return 0;
  const double number = JSValueToNumber(context, value, &exception);
  return number >= 0 && number < 4e9 ? static_cast<std::uint32_t>(number) : 0;
}

JSValueRef make_error(JSContextRef context, const char* message) {
  const JsString text(JSStringCreateWithUTF8CString(message));
  const JSValueRef argument = JSValueMakeString(context, text.get());
  return JSObjectMakeError(context, 1, &argument, nullptr);
}

Output& output_of(JSObjectRef function) {
  return *static_cast<Output*>(JSObjectGetPrivate(function));
}

/// Why a value of an expression cannot stand in a world's text; null if it can.
const char* unfit(JSContextRef context, JSValueRef value) {
  if (JSValueIsUndefined(context, value)) return "the expression is undefined";
  if (JSValueIsNull(context, value)) return "the expression is null";
  if (JSValueIsSymbol(context, value)) return "the expression is a symbol";
  if (JSValueIsObject(context, value) && !JSValueIsArray(context, value)) {
    return "the expression is an object: write its members one by one";
  }
  return nullptr;
}

/// __emit(piece) for text, __emit(piece, value) for an expression.
JSValueRef emit(JSContextRef context, JSObjectRef function, JSObjectRef, std::size_t count,
                const JSValueRef arguments[], JSValueRef* exception) {
  const JSValueRef undefined = JSValueMakeUndefined(context);
  if (count == 0) return undefined;
  const double piece = JSValueToNumber(context, arguments[0], exception);
  if (*exception || !(piece >= 0 && piece < 4e9)) return undefined;
  Output& output = output_of(function);
  if (count == 1) {
    output.emit(static_cast<std::uint32_t>(piece));
  } else {
    if (const char* reason = unfit(context, arguments[1])) {
      *exception = make_error(context, reason);
      return undefined;
    }
    const JsString string(JSValueToStringCopy(context, arguments[1], exception));
    if (*exception) return undefined;
    const std::string text = to_utf8(string.get());
    output.emit(static_cast<std::uint32_t>(piece), text);
  }
  if (output.over_limit) *exception = make_error(context, "too much output");
  return undefined;
}

/// __message(level, text, stack)
JSValueRef message(JSContextRef context, JSObjectRef function, JSObjectRef, std::size_t count,
                   const JSValueRef arguments[], JSValueRef*) {
  Output& output = output_of(function);
  if (count == 3 && output.takes_messages()) {
    output.add_message("console." + value_text(context, arguments[0]),
                       value_text(context, arguments[1]), value_text(context, arguments[2]));
  }
  return JSValueMakeUndefined(context);
}

/// A context in a virtual machine of its own: nothing of a template outlives it.
class Context {
 public:
  explicit Context(Output& output)
      : group_(JSContextGroupCreate()), context_(JSGlobalContextCreateInGroup(group_, nullptr)) {
    define("__emit", &emit, output);
    define("__message", &message, output);
  }
  ~Context() {
    JSGlobalContextRelease(context_);
    JSContextGroupRelease(group_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  JSGlobalContextRef get() const { return context_; }

  void set_text(const char* name, std::string_view text) {
    const JsString key(JSStringCreateWithUTF8CString(name));
    const JsString value = js_string(text);
    JSObjectSetProperty(context_, JSContextGetGlobalObject(context_), key.get(),
                        JSValueMakeString(context_, value.get()), kJSPropertyAttributeDontEnum,
                        nullptr);
  }

 private:
  void define(const char* name, JSObjectCallAsFunctionCallback callback, Output& output) {
    JSClassDefinition definition = kJSClassDefinitionEmpty;
    definition.className = name;
    definition.callAsFunction = callback;
    const JSClassRef type = JSClassCreate(&definition);
    const JsString key(JSStringCreateWithUTF8CString(name));
    JSObjectSetProperty(context_, JSContextGetGlobalObject(context_), key.get(),
                        JSObjectMake(context_, type, &output), kJSPropertyAttributeDontEnum,
                        nullptr);
    JSClassRelease(type);
  }

  JSContextGroupRef group_;
  JSGlobalContextRef context_;
};

Exception describe(JSContextRef context, JSValueRef value) {
  Exception exception;
  exception.message = value_text(context, value);
  if (!JSValueIsObject(context, value)) return exception;
  const JSObjectRef object = JSValueToObject(context, value, nullptr);
  exception.url = property_text(context, object, "sourceURL");
  exception.stack = property_text(context, object, "stack");
  exception.line = property_number(context, object, "line");
  exception.column = property_number(context, object, "column");
  return exception;
}

Exception not_utf8(const std::string& url) {
  Exception exception;
  exception.message = "template code that is not UTF-8";
  exception.url = url;
  return exception;
}

}  // namespace

void run_javascript(const Request& request, Output& output) {
  Context context(output);
  context.set_text("__fields", request.fields_json);
  context.set_text("__context", request.context_json);
  for (const Script& script : request.scripts) {
    const JsString code = js_string(script.text);
    const JsString url = js_string(script.url);
    JSValueRef thrown = nullptr;
    if (code) JSEvaluateScript(context.get(), code.get(), nullptr, url.get(), 1, &thrown);
    if (code && !thrown) continue;
    output.status = Status::kException;
    output.exception = code ? describe(context.get(), thrown) : not_utf8(script.url);
    return;
  }
}

void prepare_javascript() {
  // The interpreter alone: small, no writable code pages, and the same speed from the first line.
  jsc_options_set_boolean(JSC_OPTIONS_USE_JIT, FALSE);
  Request request;
  request.fields_json = request.context_json = "{}";
  request.scripts.push_back(
      {"warm-up", "__emit(0, [1.5, 'é'.normalize()].join() + new Date(0)); undefined.x;"});
  Output output;
  output.limit = 1024;
  run_javascript(request, output);
}

}  // namespace protobeam::wbt::script
