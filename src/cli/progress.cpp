#include "cli/progress.h"

#include <memory>

#include "cli/terminal.h"
#include "gate/base/fs.h"
#include "gate/base/log.h"
#include "gate/base/pace.h"
#include "gate/base/text.h"

namespace gate::cli {

namespace {

class Progress {
 public:
  explicit Progress(const Options& options) : options_(options) {}

  void operator()(const RunPlanned& event) {
    folder_ = event.folder;
    write_files(event.report);
    const auto waiting = event.report.count(Verdict::not_run);
    log::info("run " + event.report.run + ": " + count_of(waiting, "case") + " to run, " + folder_);
  }

  void operator()(const CaseStarted& event) {
    total_ = event.total;
    log::info(event.name + ": started");
  }

  void operator()(const SampleSeen& event) {
    if (event.metric != "lm_loss") return;
    const std::string of = total_ ? "/" + std::to_string(*total_) : "";
    log::detail(event.case_name + ": step " + std::to_string(event.sample.number) + of + "  lm_loss " +
                (event.sample.text.empty() ? "left out" : event.sample.text));
  }

  void operator()(const CaseFinished& event) {
    if (writing_.is_due()) write_files(event.so_far);
    log::info(event.report.name + ": " + std::string(to_string(event.report.verdict)) + " after " +
              rough(event.report.duration));
  }

  void operator()(const RunFinished& event) { write_files(event.report); }

  void operator()(const Message& event) {
    log::warn(event.case_name.empty() ? event.text : event.case_name + ": " + event.text);
  }

 private:
  // Until they are written again, what stands there calls red whatever has not finished.
  void write_files(const Report& report) {
    writing_.run([&] {
      warn_of(fs::write_file(fs::Path(folder_) / "junit.xml", render::junit(report, {})));
      warn_of(write_report_files(report, options_));
    });
  }

  static void warn_of(const Status& status) {
    if (!status) log::warn(status.error().message);
  }

  const Options options_;
  Pace writing_;
  std::string folder_;
  std::optional<std::int64_t> total_;
};

}  // namespace

Sink make_sink(const Options& options) {
  const auto progress = std::make_shared<Progress>(options);
  return [progress](const Event& event) { std::visit(*progress, event); };
}

}  // namespace gate::cli
