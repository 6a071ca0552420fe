#include "wbt/template_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace protobeam::wbt {
namespace {
namespace fs = std::filesystem;

/// The user's cache is a folder of the test's, while this lives.
class OwnCache {
 public:
  OwnCache() { setenv("PROTOBEAM_CACHE", folder_.path().c_str(), 1); }
  ~OwnCache() { unsetenv("PROTOBEAM_CACHE"); }
  const fs::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

TemplateRequest request_for(std::string file, std::uint32_t begin, std::string fields,
                            std::string context = "{}") {
  TemplateRequest request;
  request.source = std::make_shared<SourceText>("Test.proto", std::move(file));
  request.body_begin = begin;
  request.body_end = static_cast<std::uint32_t>(request.source->text().size());
  request.fields_json = std::move(fields);
  request.context_json = std::move(context);
  return request;
}

RenderedText rendered() { return {"Box { size 1 2 3 }", {{0, 104, true}, {11, 109, false}}}; }

bool same(const RenderedText& a, const RenderedText& b) {
  if (a.text != b.text || a.segments.size() != b.segments.size()) return false;
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    const auto &x = a.segments[i], &y = b.segments[i];
    if (x.rendered != y.rendered || x.source != y.source || x.literal != y.literal) return false;
  }
  return true;
}

const std::string kBody = "Box { size %<= fields.size.value.x >% }";

TEST(TemplateCache, GivesTheTextOfTheSameRequest) {
  const OwnCache own;
  const std::string head(100, ' ');
  TemplateCache().store(request_for(head + kBody, 100, "{1}"), false, rendered());
  const TemplateCache cache;
  const auto found = cache.find(request_for(head + kBody, 100, "{1}"), false);
  ASSERT_TRUE(found);
  EXPECT_TRUE(same(*found, rendered()));
  EXPECT_FALSE(cache.find(request_for(head + kBody, 100, "{2}"), false));
  EXPECT_FALSE(cache.find(request_for(head + kBody + ' ', 100, "{1}"), false));
  TemplateRequest lua = request_for(head + kBody, 100, "{1}");
  lua.language = TemplateLanguage::kLua;
  EXPECT_FALSE(cache.find(lua, false));
}

TEST(TemplateCache, KnowsWhereTheBodyIsNow) {
  const OwnCache own;
  TemplateCache cache;
  cache.store(request_for(std::string(100, ' ') + kBody, 100, "{1}"), false, rendered());
  const auto found = cache.find(request_for(std::string(40, ' ') + kBody, 40, "{1}"), false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->segments[0].source, 44u);
  EXPECT_EQ(found->segments[1].source, 49u);
}

TEST(TemplateCache, AsksForTheContextWhenTheTemplateDoes) {
  const OwnCache own;
  TemplateCache cache;
  const auto request = [](const char* id) { return request_for(kBody, 0, "{1}", id); };
  RenderedText text = rendered();
  text.segments = {{0, 0, true}};
  cache.store(request("7"), true, text);
  EXPECT_TRUE(cache.find(request("7"), true));
  EXPECT_FALSE(cache.find(request("8"), true));
  cache.store(request("7"), false, text);
  EXPECT_TRUE(cache.find(request("8"), false));
}

/// After an update the worker may make another text of the same template.
TEST(TemplateCache, ForgetsWhatAnotherWorkerHasMade) {
  const OwnCache own;
  const TemporaryFolder programs;
  const fs::path worker = programs.write("worker", "#!/bin/true\n");
  fs::permissions(worker, fs::perms::owner_all);
  setenv("PROTOBEAM_WORKER", worker.c_str(), 1);
  const TemplateRequest request = request_for(std::string(100, ' ') + kBody, 100, "{1}");
  TemplateCache().store(request, false, rendered());
  EXPECT_TRUE(TemplateCache().find(request, false));
  std::ofstream(worker, std::ios::app) << "# another\n";
  EXPECT_FALSE(TemplateCache().find(request, false));
  setenv("PROTOBEAM_WORKER", "/no/such/program", 1);
  TemplateCache().store(request, false, rendered());
  EXPECT_FALSE(TemplateCache().find(request, false));
  unsetenv("PROTOBEAM_WORKER");
}

TEST(TemplateCache, IsSwitchedOff) {
  const OwnCache own;
  setenv("PROTOBEAM_DERIVED_CACHE", "0", 1);
  TemplateCache().store(request_for(kBody, 0, "{1}"), false, {"Box { }", {{0, 0, true}}});
  unsetenv("PROTOBEAM_DERIVED_CACHE");
  EXPECT_FALSE(TemplateCache().find(request_for(kBody, 0, "{1}"), false));
  EXPECT_TRUE(fs::is_empty(own.path()));
}

}  // namespace
}  // namespace protobeam::wbt
