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
constexpr std::string_view block_name = "block", passed_on_name = "passed on";

// Standard error, with a block of lines below what is written: taken away before each message, and drawn
// again behind it. Where the terminal has become narrower, its lines take several rows.
class BlockSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string_view text(message.payload.data(), message.payload.size());
    std::string out = erased();
    const std::string_view name(message.logger_name.data(), message.logger_name.size());
    if (name == block_name)
      block_ = text;
    else if (name == passed_on_name)
      out += text;
    else
      out += (is_in_line_ ? "\n" : "") + std::string(text) + "\n";
    if (name != block_name) is_in_line_ = name == passed_on_name && !text.ends_with('\n');
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

  std::string block_;        // without a newline behind it: nothing scrolls
  bool is_in_line_ = false;  // what was passed on has not ended its last line
};

class LogOutput {
 public:
  static LogOutput& instance() {
    static LogOutput output;
    return output;
  }

  spdlog::logger& logger() { return *logger_; }

  void draw(std::string_view lines) { block_->info("{}", lines); }

  void pass_on(std::string_view text) {
    if (level_ <= spdlog::level::info) passed_on_->info("{}", text);
  }

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
    use([this, overflow](std::string_view name) {
      return std::make_shared<spdlog::async_logger>(std::string(name), sink_, writer_, overflow);
    });
  }

  // The writer's thread ends when it has written all.
  void settle() {
    use([this](std::string_view name) { return std::make_shared<spdlog::logger>(std::string(name), sink_); });
    writer_.reset();
    draw("");
  }

 private:
  LogOutput() { settle(); }

  template <class Make>
  void use(const Make& make) {
    logger_ = make("gate");
    logger_->set_level(level_);
    block_ = make(block_name);
    passed_on_ = make(passed_on_name);
  }

  spdlog::level::level_enum level_ = spdlog::level::info;
  spdlog::sink_ptr sink_ = std::make_shared<BlockSink>();
  std::shared_ptr<spdlog::details::thread_pool> writer_;
  std::shared_ptr<spdlog::logger> logger_, block_, passed_on_;
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

void passed_on(std::string_view text) { LogOutput::instance().pass_on(inert(text)); }

}  // namespace gate::log
