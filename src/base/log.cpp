#include "gate/base/log.h"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace gate::log {

namespace {

constexpr std::size_t most_waiting = 8192;  // messages

class Output {
 public:
  static Output& instance() {
    static Output output;
    return output;
  }

  spdlog::logger& logger() { return *logger_; }

  void set_level(spdlog::level::level_enum level) {
    level_ = level;
    logger_->set_level(level);
  }

  void never_wait() {
    writer_ = std::make_shared<spdlog::details::thread_pool>(most_waiting, 1);
    use(std::make_shared<spdlog::async_logger>("gate", sink_, writer_,
                                               spdlog::async_overflow_policy::overrun_oldest));
  }

  // The writer's thread ends when it has written all.
  void settle() {
    use(std::make_shared<spdlog::logger>("gate", sink_));
    writer_.reset();
  }

 private:
  Output() { settle(); }

  void use(std::shared_ptr<spdlog::logger> logger) {
    logger->set_pattern("%v");
    logger->set_level(level_);
    logger_ = std::move(logger);
  }

  spdlog::level::level_enum level_ = spdlog::level::info;
  spdlog::sink_ptr sink_ = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  std::shared_ptr<spdlog::details::thread_pool> writer_;
  std::shared_ptr<spdlog::logger> logger_;
};

spdlog::logger& logger() { return Output::instance().logger(); }

}  // namespace

void set_level(Level level) {
  Output::instance().set_level(level == Level::quiet     ? spdlog::level::warn
                               : level == Level::verbose ? spdlog::level::debug
                                                         : spdlog::level::info);
}

void never_wait() { Output::instance().never_wait(); }
void settle() { Output::instance().settle(); }

void error(std::string_view message) { logger().error("gate: {}", message); }
void warn(std::string_view message) { logger().warn("gate: {}", message); }
void info(std::string_view message) { logger().info("{}", message); }
void detail(std::string_view message) { logger().debug("{}", message); }

}  // namespace gate::log
