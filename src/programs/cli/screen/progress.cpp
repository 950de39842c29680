#include "cli/screen/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "cli/screen/status_block.h"
#include "cli/screen/terminal.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/render/events.h"
#include "gate/words/values.h"

namespace gate::cli {

namespace {

// The status block, drawn as often as that is worth looking at, by a thread of its own: times go on where no
// event comes.
class LiveBlock {
 public:
  explicit LiveBlock(Language language) : block_(language) {}
  ~LiveBlock() { end(); }

  // Hand the block to `update`. The first update begins the drawing.
  template <class Update>
  void change(const Update& update) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable() && !ended_) begin();
    update(block_);
  }

  // Take the block away for good.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(ended_, true)) return;
    }
    changed_.notify_one();
    if (!thread_.joinable()) return;
    thread_.join();
    log::block("");
  }

 private:
  static constexpr std::chrono::milliseconds draw_every{250};

  void begin() {
    try {
      thread_ = std::thread([this] { draw_on(); });
    } catch (const std::system_error&) {  // no thread is to be had
      ended_ = true;
    }
  }

  void draw_on() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, draw_every, [this] { return ended_; })) {
      winsize size{};
      const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
      log::block(join(
          block_.lines(StatusBlock::Clock::now(), known ? size.ws_col : 80, known ? size.ws_row : 24), "\n"));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  StatusBlock block_;
  bool ended_ = false;
  std::thread thread_;
};

// Says each event in a line, or shows it in the status block.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(const CommandOptions& options)
      : options_(options), language_(language_of(options)) {
    const bool can_draw = ::isatty(STDERR_FILENO) == 1 && variable_if_set("TERM").value_or("dumb") != "dumb";
    if (!options.json && options.verbosity == 0 && can_draw) block_ = std::make_unique<LiveBlock>(language_);
  }

  void operator()(const RunPlanned& event) {
    const auto waiting = event.report.count(Verdict::not_run);
    tell(say({"run {}: {} to run, {}", "运行 {}：待运行 {}，{}"}, event.report.run,
             count_of(waiting, "case", "个用例"), event.folder));
    show([&](StatusBlock& block) { block.on_event(event); });
  }

  void operator()(const CaseStarted& event) {
    totals_[event.name] = event.total;
    if (!block_) tell(started(event));
    show([&](StatusBlock& block) { block.on_event(event, StatusBlock::Clock::now()); });
  }

  void operator()(const LaunchBegun& event) {
    show([&](StatusBlock& block) { block.on_event(event); });
  }

  void operator()(const SampleSeen& event) {
    show([&](StatusBlock& block) { block.on_event(event); });
    if (event.metric != "lm_loss") return;
    const std::optional<std::int64_t>& total = totals_[event.case_name];
    const std::string of_total = total ? "/" + std::to_string(*total) : "";
    log::detail(event.case_name + ": step " + std::to_string(event.sample.number) + of_total + "  lm_loss " +
                (event.sample.text.empty() ? "left out" : event.sample.text));
  }

  void operator()(const CaseFinished& event) {
    show([&](StatusBlock& block) { block.on_event(event); });
    tell(say({"{}: {} after {}", "{}：{}，用时 {}"}, event.report.name,
             words::verdict_text(event.report.verdict), rough(event.report.duration)));
  }

  void operator()(const RunFinished&) {
    if (block_) block_->end();
  }

  void operator()(const Message& event) {
    show([&](StatusBlock& block) { block.on_event(event); });
    if (!options_.json)
      log::warn(
          (event.case_name.empty() ? event.text : as_is(event.case_name) + colon + event.text).in(language_));
  }

 private:
  // Where events are streamed they say it themselves.
  void tell(const Sentence& words) const {
    if (!options_.json) log::info(words.in(language_));
  }

  static Sentence started(const CaseStarted& event) {
    if (event.devices.empty() && event.hosts.empty()) return say({"{}: started", "{}：开始"}, event.name);
    if (event.devices.empty()) return say({"{}: started on {}", "{}：开始，在 {}"}, event.name, event.hosts);
    if (event.hosts.empty())
      return say({"{}: started on devices {}", "{}：开始，设备 {}"}, event.name, event.devices);
    return say({"{}: started on devices {} of {}", "{0}：开始，{2} 的设备 {1}"}, event.name, event.devices,
               event.hosts);
  }

  template <class Update>
  void show(const Update& update) {
    if (block_) block_->change(update);
  }

  const CommandOptions options_;
  const Language language_;
  std::map<std::string, std::optional<std::int64_t>> totals_;  // of the steps of each case
  std::unique_ptr<LiveBlock> block_;                           // where standard error is a terminal
};

}  // namespace

Sink make_sink(const CommandOptions& options) {
  const auto progress = std::make_shared<ProgressDisplay>(options);
  return [progress, json = options.json](const Event& event) {
    if (json) log::info(render::event_json(event));
    std::visit(*progress, event);
  };
}

}  // namespace gate::cli
