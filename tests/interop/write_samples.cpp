// Writes what other programs read in the tests of this folder: write_samples WHAT ARGUMENT...
#include "tests/interop/write_samples.h"

#include <cstdio>
#include <map>
#include <string>

int main(int argc, char** argv) {
  using namespace protobeam;
  const std::map<std::string, int (*)(int, char**)> writers = {
      {"bag", write_bag},   {"clouds", write_clouds},   {"live", write_live},
      {"mcap", write_mcap}, {"packets", write_packets}, {"tables", write_tables}};
  const auto writer = writers.find(argc > 1 ? argv[1] : "");
  if (writer == writers.end()) {
    std::fputs("usage: write_samples bag|clouds|live|mcap|packets|tables ARGUMENT...\n", stderr);
    return 2;
  }
  return writer->second(argc - 1, argv + 1);
}
