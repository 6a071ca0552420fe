#include "output/packets/utc.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "output/packets/packets.h"

namespace protobeam {

Utc utc(double time) {
  using namespace std::chrono;
  const sys_seconds now{seconds(kUnixTimeOfStart + static_cast<std::int64_t>(std::floor(time)))};
  const auto today = floor<days>(now);
  const year_month_day date(today);
  const hh_mm_ss clock(now - today);
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(clock.hours().count()),
          static_cast<int>(clock.minutes().count()),
          static_cast<int>(clock.seconds().count())};
}

std::string gprmc(double time) {
  const Utc t = utc(time);
  const std::string text = fmt::format(
      "GPRMC,{:02}{:02}{:02},A,0000.0000,N,00000.0000,E,000.0,000.0,{:02}{:02}{:02},000.0,E",
      t.hour, t.minute, t.second, t.day, t.month, t.year % 100);
  unsigned sum = 0;
  for (const char c : text) sum ^= static_cast<unsigned char>(c);
  return fmt::format("${}*{:02X}\r\n", text, sum);
}

}  // namespace protobeam
