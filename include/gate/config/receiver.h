// Who is told how a run ended: one [notify.NAME] of gate.toml.
#pragma once

#include <cstdint>
#include <string>

#include "gate/base/time.h"
#include "gate/model/reports/notice.h"

namespace gate::config {

enum class NotifyOn : std::uint8_t { red, always };

struct Receiver {
  std::string name;
  NoticeKind kind = NoticeKind::generic;
  std::string url;         // of http or https; "" where url_env names the variable that holds it
  std::string url_env;     // "" where there is a url
  std::string secret_env;  // the variable with the signing secret; "" where nothing is signed
  NotifyOn on = NotifyOn::red;
  // No keys: of all tries together, and how many there are after the first.
  Duration timeout = std::chrono::seconds(10);
  int retries = 2;
};

}  // namespace gate::config
