#include "gate/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace gate::log {

namespace {

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("gate", std::make_shared<spdlog::sinks::stderr_sink_st>());
    made->set_pattern("%v");
    return made;
  }();
  return *instance;
}

}  // namespace

void set_level(Level level) {
  logger().set_level(level == Level::quiet     ? spdlog::level::warn
                     : level == Level::verbose ? spdlog::level::debug
                                               : spdlog::level::info);
}

void error(std::string_view message) { logger().error("gate: {}", message); }
void warn(std::string_view message) { logger().warn("gate: {}", message); }
void info(std::string_view message) { logger().info("{}", message); }
void detail(std::string_view message) { logger().debug("{}", message); }

}  // namespace gate::log
