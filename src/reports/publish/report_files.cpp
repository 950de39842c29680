#include "gate/publish/report_files.h"

#include <set>

#include "gate/base/log.h"
#include "gate/base/object_place.h"

namespace gate::publish {

namespace {

void warn_of(const Status& status) {
  if (!status) log::warn(status.error().message);
}

}  // namespace

Status check(const std::vector<ReportFile>& files, const fs::Path& out) {
  std::set<fs::Path> paths;
  for (const ReportFile& file : files) {
    if (is_object_place(file.path)) {
      GATE_TRY(const ObjectPlace place, parse_object_place(file.path));
      if (place.is_prefix()) return fail(file.path + ": is a prefix; name the object");
      if (!paths.insert(file.path).second)
        return fail(file.path + ": two reports are to be written there; name an object for each");
      continue;
    }
    const bool will_be_there =
        !out.empty() && !fs::is_taken(out) && fs::whole_path(file.path).parent_path() == fs::whole_path(out);
    if (!will_be_there) GATE_TRY_STATUS(fs::check_output(file.path));
    if (fs::is_replaceable(file.path) && !paths.insert(fs::whole_path(file.path)).second)
      return fail(file.path + ": two reports are to be written there; name a file for each");
  }
  return {};
}

void Publisher::on_event(const Event& event) {
  if (const auto* planned = std::get_if<RunPlanned>(&event)) {
    folder_ = planned->folder;
    write_so_far(planned->report);
  }
  if (const auto* finished = std::get_if<CaseFinished>(&event);
      finished != nullptr && finished->so_far != nullptr)
    write_so_far(*finished->so_far);
  if (const auto* finished = std::get_if<RunFinished>(&event)) write_so_far(finished->report);
}

void Publisher::write_so_far(const Report& report) {
  warn_of(fs::write_file(fs::Path(folder_) / "junit.xml", render::junit(report, {})));
  for (const ReportFile& file : files_)
    if (!is_object_place(file.path) && fs::is_replaceable(file.path)) warn_of(write(file, report));
}

Status Publisher::write(const Report& report) const {
  for (const ReportFile& file : files_) GATE_TRY_STATUS(write(file, report));
  return {};
}

Status Publisher::write(const ReportFile& file, const Report& report) const {
  const std::string text = file.render(report, style_);
  if (!is_object_place(file.path)) return fs::write_output(file.path, text);
  return upload_ ? upload_(file.path, text) : fail(file.path + ": no store is reached from here");
}

Sink published(std::shared_ptr<Publisher> publisher, Sink next) {
  return [publisher = std::move(publisher), next = std::move(next)](const Event& event) {
    publisher->on_event(event);
    next(event);
  };
}

}  // namespace gate::publish
