// What a hostile or broken template can do to the simulator: nothing.
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "tests/unit/templates/render.h"
#include "worker/sandbox.h"

namespace protobeam::wbt {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

TemplateLimits small_limits() {
  TemplateLimits limits;
  limits.seconds = 0.3;
  return limits;
}

/// Pids of this program's children.
std::vector<pid_t> children() {
  std::ifstream file("/proc/self/task/" + std::to_string(gettid()) + "/children");
  std::vector<pid_t> pids;
  for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
  return pids;
}

void expect_works(TemplateEngine& engine) {
  const Rendering result = render(engine, request_for("%<= 6 * 7 >%"));
  EXPECT_TRUE(result.ok) << result.diagnostics.to_string();
  EXPECT_EQ(result.out.text, "42");
  const Rendering lua = render(engine, lua_request_for("%{= 6 * 7 }%"));
  EXPECT_TRUE(lua.ok) << lua.diagnostics.to_string();
  EXPECT_EQ(lua.out.text, "42");
}

class EndlessTemplates : public ::testing::TestWithParam<const char*> {};

TEST_P(EndlessTemplates, AreStoppedInTime) {
  TemplateEngine engine(small_limits());
  expect_works(engine);
  const auto begin = Clock::now();
  const Rendering result = render(engine, request_for(GetParam()));
  EXPECT_LT(seconds_since(begin), 20);  // wall time, of a machine that may be busy
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("Test.proto:2:1: error: the template runs "
                                                        "longer than 0.3 s"));
  expect_works(engine);
}

INSTANTIATE_TEST_SUITE_P(
    , EndlessTemplates,
    ::testing::Values("\n%< for (;;) { } >%",
                      "\n%< try { for (;;) { } } finally { for (;;) { } } >%",
                      "\n%< /(a+)+$/.test('a'.repeat(100) + 'b'); >%",
                      "\n%< const f = () => Promise.resolve().then(f); f(); >%"));

struct Hungry {
  const char* body;
  const char* message;
};

class HungryTemplates : public ::testing::TestWithParam<Hungry> {};

TEST_P(HungryTemplates, AreStoppedInBounds) {
  TemplateLimits limits;
  limits.bytes = 200u << 20;
  limits.output_bytes = 8u << 20;
  TemplateEngine engine(limits);
  const Rendering result = render(engine, request_for(GetParam().body));
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr(GetParam().message));
  expect_works(engine);
}

INSTANTIATE_TEST_SUITE_P(
    , HungryTemplates,
    ::testing::Values(
        Hungry{"%< const a = []; for (;;) a.push({b: a.length, c: [1, 2, 3]}); >%",
               "needs more than 200 MB of memory"},
        Hungry{"%< const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1)); >%",
               "needs more than 200 MB of memory"},
        Hungry{"%< let s = 'x'; for (;;) s += s; >%", "Out of memory"},
        Hungry{"%< for (;;) { >%some text%< } >%", "writes more than 8 MB"},
        Hungry{"%< for (;;) { >%%<= 'x'.repeat(1000) >%%< } >%", "writes more than 8 MB"},
        Hungry{"%< for (;;) { try { >%text%< } catch (e) { break; } } >%", "writes more than 8 MB"},
        Hungry{"%<= 'x'.repeat(9 << 20) >%", "writes more than 8 MB"}));

TEST(TemplateLimitsTest, ManyMessagesAndDeepRecursionEndWell) {
  Rendering result = render("%< for (let i = 0; i < 100000; ++i) console.log('m' + i); >%ok");
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.diagnostics.warning_count(), 100);
  result = render("%< const f = (n) => 1 + f(n + 1); f(0); >%");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("Maximum call stack size exceeded"));
  std::string nested;
  for (int i = 0; i < 100000; ++i) nested += "`${";
  EXPECT_FALSE(render("%<= " + nested + " >%").ok);
  EXPECT_FALSE(render("%<= " + std::string(100000, '(') + " >%").ok);
}

TEST(TemplateLimitsTest, BytesThatAreNoTextAreAnError) {
  EXPECT_EQ(text_of("name \"\xff\xfe\" %<= 1 >%"), "name \"\xff\xfe\" 1");
  const Rendering result = render("%<= '\xff' >%");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("not UTF-8"));
  EXPECT_EQ(text_of(std::string("a\0b%<= 'c\\u0000d' >%", 20)), std::string("a\0bc\0d", 6));
}

TEST(TemplateSandbox, NoNameReachesFilesOrProcesses) {
  EXPECT_EQ(value_of("['require', 'process', 'Deno', 'load', 'readFile', 'read', 'quit', 'print', "
                     "'XMLHttpRequest', 'fetch', 'importScripts', '$vm', 'gc', 'setTimeout', "
                     "'WebAssembly'].filter((name) => name in globalThis).join()"),
            "");
  EXPECT_EQ(value_of("new Function('return typeof require + typeof __message')()"),
            "undefinedundefined");
  EXPECT_EQ(value_of("(0, eval)('typeof process')"), "undefined");
  EXPECT_FALSE(render("%< import('/etc/passwd'); >%").ok);
  EXPECT_FALSE(render("%< import * as fs from 'fs'; >%").ok);
  for (const char* call :
       {"readTextFile('/etc/passwd')", "writeTextFile('a', 'b')", "fileExists('/')"}) {
    const Rendering result = render(std::string("%< wbfile.") + call + "; >%");
    EXPECT_FALSE(result.ok);
    EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("templates have no files"));
  }
}

TEST(TemplateSandbox, TheWorkerIsLockedIn) {
  TemplateEngine engine;
  const auto before = children();
  expect_works(engine);
  pid_t worker = 0;
  for (const pid_t pid : children()) {
    if (std::find(before.begin(), before.end(), pid) == before.end()) worker = pid;
  }
  ASSERT_GT(worker, 0);
  // JavaScriptCore has threads of its own.
  int threads = 0;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(worker) + "/task")) {
    std::ifstream status(task.path() / "status");
    const std::string text((std::istreambuf_iterator<char>(status)),
                           std::istreambuf_iterator<char>());
    EXPECT_THAT(text, HasSubstr("NoNewPrivs:\t1")) << task.path();
    EXPECT_THAT(text, HasSubstr("Seccomp:\t2")) << task.path();  // a filter is in force
    ++threads;
  }
#ifdef PROTOBEAM_SANITIZED
  EXPECT_GE(threads, 1);  // it starts none there
#else
  EXPECT_GT(threads, 1);
#endif
  std::ifstream limits("/proc/" + std::to_string(worker) + "/limits");
  const std::string table((std::istreambuf_iterator<char>(limits)),
                          std::istreambuf_iterator<char>());
  EXPECT_THAT(table, ::testing::ContainsRegex("Max file size +0 +0"));
  EXPECT_THAT(table, ::testing::ContainsRegex("Max core file size +0 +0"));
  const std::string process = "/proc/" + std::to_string(worker);
  for (const auto& entry : std::filesystem::directory_iterator(process + "/fd")) {
    if (entry.path().filename() == "2") continue;  // messages of a crash, to where ours go
    EXPECT_THAT(
        std::filesystem::read_symlink(entry.path()).string(),
        ::testing::AnyOf("/dev/null", "/dev/urandom", "anon_inode:[eventfd]", process + "/statm",
                         StartsWith("socket:"), StartsWith("/memfd:protobeam-")));
  }
}

bool is_denied(long result) { return result == -1 && errno == EPERM; }

/// Runs `act` in a child process behind the worker's filter; true if it says so.
bool holds_in_sandbox(bool (*act)()) {
  const pid_t child = fork();
  if (child == 0) _exit(forbid_system_calls() && act() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(TemplateSandbox, SystemCallsAreForbidden) {
  EXPECT_TRUE(holds_in_sandbox([] { return getpid() > 0; }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(open("/etc/passwd", O_RDONLY)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(open("/tmp/x", O_WRONLY | O_CREAT, 0600)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(unlink("/tmp/nothing")); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(socket(AF_INET, SOCK_STREAM, 0)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(execl("/bin/true", "true", nullptr)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(ptrace(PTRACE_TRACEME, 0, 0, 0)); }));
}

TEST(TemplateSandbox, SignalsReachTheProcessItselfOnly) {
  EXPECT_TRUE(holds_in_sandbox([] { return kill(getpid(), 0) == 0; }));
  EXPECT_TRUE(holds_in_sandbox([] { return syscall(SYS_tgkill, getpid(), gettid(), 0) == 0; }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(kill(getppid(), 0)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(kill(0, 0)); }));
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(kill(-1, 0)); }));
  EXPECT_TRUE(holds_in_sandbox([] {
    const pid_t parent = getppid();
    return is_denied(syscall(SYS_tgkill, parent, parent, 0));
  }));
  // It takes the number of any thread of any process.
  EXPECT_TRUE(holds_in_sandbox([] { return is_denied(syscall(SYS_tkill, getppid(), 0)); }));
}

/// A thread that is there before the filter, and what it found afterwards.
bool earlier_thread_is_denied() {
  std::atomic<bool> locked = false, denied = false;
  std::thread thread([&] {
    while (!locked) std::this_thread::yield();
    denied = is_denied(open("/etc/passwd", O_RDONLY));
  });
  locked = forbid_system_calls();
  thread.join();
  return denied;
}

TEST(TemplateSandbox, ThreadsThatRunAlreadyAreLockedIn) {
  const pid_t child = fork();
  if (child == 0) _exit(earlier_thread_is_denied() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(TemplateSandbox, ADeadWorkerIsReplaced) {
  TemplateEngine engine;
  const auto before = children();
  expect_works(engine);
  for (const pid_t pid : children()) {
    if (std::find(before.begin(), before.end(), pid) == before.end()) kill(pid, SIGKILL);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  expect_works(engine);
}

TEST(TemplateSandbox, AWorkerEndsWithItsEngine) {
  const auto before = children();
  {
    TemplateEngine engine;
    expect_works(engine);
    EXPECT_EQ(children().size(), before.size() + 1);
  }
  EXPECT_EQ(children().size(), before.size());
}

TEST(TemplateSandbox, AMissingWorkerIsNamed) {
  setenv("PROTOBEAM_WORKER", "/nowhere/protobeam-worker", 1);
  TemplateEngine engine;
  const Rendering result = render(engine, request_for("%<= 1 >%"));
  unsetenv("PROTOBEAM_WORKER");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("no program at /nowhere/protobeam-worker"));
}

}  // namespace
}  // namespace protobeam::wbt
