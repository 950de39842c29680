// The reports of a run as files: those that somebody named, and junit.xml in the run's folder.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/reports/event.h"
#include "gate/model/reports/report.h"
#include "gate/render/reporters.h"

namespace gate::publish {

struct ReportFile {
  std::string path;  // or an object of a store
  std::string (*render)(const Report& report, const render::Style& style) = nullptr;
};

// Puts a text to an object of a store.
using Upload = std::function<Status(const std::string& place, const std::string& text)>;

// Fail where a file could not be written, or two reports are to be written to one: before anything is
// launched. `out` is the folder that the run makes, in which they may lie; "" is none.
Status check(const std::vector<ReportFile>& files, const fs::Path& out);

class Publisher {
 public:
  // `style`: of the files. Objects are written behind the run, by `upload`.
  Publisher(std::vector<ReportFile> files, render::Style style, Upload upload = nullptr)
      : files_(std::move(files)), style_(std::move(style)), upload_(std::move(upload)) {}

  // While a run goes on, write its junit.xml, and of the named files those that can be written again, with
  // each report of all cases: until they are written again, what stands there calls red whatever has not
  // finished. What cannot be written is a warning.
  void on_event(const Event& event);

  // Write all named files. Returns the first error.
  Status write(const Report& report) const;

 private:
  void write_so_far(const Report& report);
  Status write(const ReportFile& file, const Report& report) const;

  std::vector<ReportFile> files_;
  render::Style style_;
  Upload upload_;
  std::string folder_;  // of the run
};

// Return the sink that hands every event to the publisher, and then to `next`.
Sink published(std::shared_ptr<Publisher> publisher, Sink next);

}  // namespace gate::publish
