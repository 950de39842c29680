#include "gate/base/log.h"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <system_error>

#include "gate/base/columns.h"
#include "gate/base/text.h"

namespace gate::log {

namespace {

constexpr std::size_t most_waiting = 8192;  // messages
constexpr std::string_view block_name = "block";

// Standard error, with a block of lines below what is written: taken away before each message, and drawn
// again behind it. Where the terminal has become narrower, its lines take several rows.
class BlockSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string_view text(message.payload.data(), message.payload.size());
    std::string out = erased();
    if (std::string_view(message.logger_name.data(), message.logger_name.size()) == block_name)
      block_ = text;
    else
      out += std::string(text) + "\n";
    out += block_;
    std::fwrite(out.data(), 1, out.size(), stderr);
  }

  void flush_() override { std::fflush(stderr); }

 private:
  std::string erased() const {
    std::int64_t rows = 0;
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    for (const std::string_view line : split(block_, '\n'))
      rows += known ? std::max(0, columns(line) - 1) / size.ws_col + 1 : 1;
    if (block_.empty()) return "";
    return "\r" + (rows > 1 ? "\x1b[" + std::to_string(rows - 1) + "A" : "") + "\x1b[J";
  }

  std::string block_;  // without a newline behind it: nothing scrolls
};

class LogOutput {
 public:
  static LogOutput& instance() {
    static LogOutput output;
    return output;
  }

  spdlog::logger& logger() { return *logger_; }

  void draw(std::string_view lines) { block_->info("{}", lines); }

  void set_level(spdlog::level::level_enum level) {
    level_ = level;
    logger_->set_level(level);
  }

  void never_wait() {
    try {
      writer_ = std::make_shared<spdlog::details::thread_pool>(most_waiting, 1);
    } catch (const std::system_error&) {  // no thread is to be had
      return;
    }
    constexpr auto overflow = spdlog::async_overflow_policy::overrun_oldest;
    use(std::make_shared<spdlog::async_logger>("gate", sink_, writer_, overflow));
    block_ = std::make_shared<spdlog::async_logger>(std::string(block_name), sink_, writer_, overflow);
  }

  // The writer's thread ends when it has written all.
  void settle() {
    use(std::make_shared<spdlog::logger>("gate", sink_));
    block_ = std::make_shared<spdlog::logger>(std::string(block_name), sink_);
    writer_.reset();
    draw("");
  }

 private:
  LogOutput() { settle(); }

  void use(std::shared_ptr<spdlog::logger> logger) {
    logger->set_level(level_);
    logger_ = std::move(logger);
  }

  spdlog::level::level_enum level_ = spdlog::level::info;
  spdlog::sink_ptr sink_ = std::make_shared<BlockSink>();
  std::shared_ptr<spdlog::details::thread_pool> writer_;
  std::shared_ptr<spdlog::logger> logger_;
  std::shared_ptr<spdlog::logger> block_;
};

spdlog::logger& logger() { return LogOutput::instance().logger(); }

}  // namespace

void set_level(Level level) {
  LogOutput::instance().set_level(level == Level::quiet     ? spdlog::level::warn
                                  : level == Level::verbose ? spdlog::level::debug
                                                            : spdlog::level::info);
}

void never_wait() { LogOutput::instance().never_wait(); }
void settle() { LogOutput::instance().settle(); }

void block(std::string_view lines) { LogOutput::instance().draw(lines); }

void error(std::string_view message) { logger().error("gate: {}", inert(safe_lines(message))); }
void warn(std::string_view message) { logger().warn("gate: {}", inert(safe_lines(message))); }
void info(std::string_view message) { logger().info("{}", inert(safe_lines(message))); }
void detail(std::string_view message) { logger().debug("{}", inert(safe_lines(message))); }

}  // namespace gate::log
