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
#include "gate/words/chinese.h"

namespace gate::cli {

namespace {

using words::verbatim;

// The status block, drawn as often as that is worth looking at, by a thread of its own: times go on where no
// event comes.
class LiveBlock {
 public:
  LiveBlock() = default;
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
    if (!options.json && options.verbosity == 0 && can_draw) block_ = std::make_unique<LiveBlock>();
  }

  void operator()(const RunPlanned& event) {
    const auto waiting = event.report.count(Verdict::not_run);
    say("run " + verbatim(event.report.run) + ": " + count_of(waiting, "case") + " to run, " +
        verbatim(event.folder));
    show([&](StatusBlock& block) { block.on_event(event); });
  }

  void operator()(const CaseStarted& event) {
    totals_[event.name] = event.total;
    if (!block_)
      say(verbatim(event.name) + ": started" +
          (event.devices.empty() ? "" : " on devices " + verbatim(event.devices)) +
          (event.hosts.empty()     ? ""
           : event.devices.empty() ? " on " + event.hosts
                                   : " of " + event.hosts));
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
    say(verbatim(event.report.name) + ": " + std::string(to_string(event.report.verdict)) + " after " +
        rough(event.report.duration));
  }

  void operator()(const RunFinished&) {
    if (block_) block_->end();
  }

  void operator()(const Message& event) {
    show([&](StatusBlock& block) { block.on_event(event); });
    if (!options_.json)
      log::warn(shown(event.case_name.empty() ? event.text : verbatim(event.case_name) + ": " + event.text));
  }

 private:
  // Where events are streamed they say it themselves.
  void say(const std::string& words) const {
    if (!options_.json) log::info(shown(words));
  }

  std::string shown(const std::string& words) const { return words::shown_in(language_, words); }

  template <class Update>
  void show(const Update& update) {
    if (block_) block_->change(update);
  }

  const CommandOptions options_;
  const words::Language language_;
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
