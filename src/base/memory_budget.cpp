#include "base/memory_budget.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <stdexcept>

namespace protobeam {
namespace {

std::mutex g_mutex;
double g_budget = -1;  ///< < 0: not set yet
double g_taken = 0;

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
  return text;
}

}  // namespace

double default_memory_budget() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                 static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  double container = 0;
  if (limit >> container && container > 0 && container < bytes) bytes = container;
  return bytes / 2;
}

void set_memory_budget(double bytes) {
  const std::lock_guard lock(g_mutex);
  g_budget = bytes;
  g_taken = 0;
}

void take_memory(double bytes, const std::string& what) {
  const std::lock_guard lock(g_mutex);
  if (g_budget < 0) g_budget = default_memory_budget();
  if (!(bytes <= g_budget - g_taken)) {
    throw std::runtime_error(what + " takes about " + gigabytes(bytes) + " of memory, and of " +
                             gigabytes(g_budget) + " for the world (--memory) " +
                             gigabytes(g_budget - g_taken) + " are left");
  }
  g_taken += bytes;
}

void give_memory_back(double bytes) {
  const std::lock_guard lock(g_mutex);
  g_taken = std::max(0.0, g_taken - bytes);
}

void return_free_memory() { malloc_trim(0); }

}  // namespace protobeam
