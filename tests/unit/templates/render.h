// Renders a template from a string, as the tests of this folder need it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "wbt/template.h"

namespace protobeam::wbt {

struct Rendering {
  bool ok = false;
  RenderedText out;
  Diagnostics diagnostics;
};

inline TemplateRequest request_for(std::string body, std::string fields = "{}",
                                   std::string context = R"({"id": "7"})") {
  TemplateRequest request;
  request.source = std::make_shared<SourceText>("Test.proto", std::move(body));
  request.body_end = static_cast<std::uint32_t>(request.source->text().size());
  request.fields_json = std::move(fields);
  request.context_json = std::move(context);
  return request;
}

inline TemplateRequest lua_request_for(std::string body, std::string fields = "{}",
                                       std::string context = R"({"id": "7"})") {
  TemplateRequest request = request_for(std::move(body), std::move(fields), std::move(context));
  request.language = TemplateLanguage::kLua;
  return request;
}

/// One engine for the whole program, as in the simulator.
inline TemplateEngine& shared_engine() {
  static TemplateEngine engine;
  return engine;
}

inline Rendering render(TemplateEngine& engine, const TemplateRequest& request) {
  Rendering result;
  result.ok = engine.render(request, result.out, result.diagnostics);
  return result;
}

inline Rendering render(std::string body, std::string fields = "{}",
                        std::string context = R"({"id": "7"})") {
  return render(shared_engine(),
                request_for(std::move(body), std::move(fields), std::move(context)));
}

/// The text, and a failure that shows the messages when there is none.
inline std::string text_of(std::string body, std::string fields = "{}",
                           std::string context = R"({"id": "7"})") {
  const Rendering result = render(std::move(body), std::move(fields), std::move(context));
  EXPECT_TRUE(result.ok) << result.diagnostics.to_string();
  return result.out.text;
}

/// What `code` gives as an expression after `setup`.
inline std::string value_of(const std::string& code, const std::string& setup = "") {
  return text_of("%<" + setup + ">%%<= " + code + " >%");
}

inline Rendering render_lua(std::string body, std::string fields = "{}",
                            std::string context = R"({"id": "7"})") {
  return render(shared_engine(),
                lua_request_for(std::move(body), std::move(fields), std::move(context)));
}

inline std::string lua_text_of(std::string body, std::string fields = "{}",
                               std::string context = R"({"id": "7"})") {
  const Rendering result = render_lua(std::move(body), std::move(fields), std::move(context));
  EXPECT_TRUE(result.ok) << result.diagnostics.to_string();
  return result.out.text;
}

/// What `code` gives as an expression after `setup`.
inline std::string lua_value_of(const std::string& code, const std::string& setup = "") {
  return lua_text_of("%{" + setup + "}%%{= " + code + " }%");
}

}  // namespace protobeam::wbt
