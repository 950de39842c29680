#include "app/launch/objects.h"

#include <algorithm>
#include <system_error>

#include "app/launch/stages.h"
#include "app/outputs/copies.h"
#include "app/outputs/outputs.h"
#include "gate/app/score.h"
#include "gate/base/object_place.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

Result<ObjectPlaces*> stores_of(const LaunchContext& context, const std::string& place) {
  ObjectPlaces* objects = context.environment.objects.get();
  return objects != nullptr ? Result<ObjectPlaces*>(objects)
                            : fail(place + ": no store is reached from here");
}

// What the store says of a transfer that was told to stop is not why.
Status within(const TransferLimit& limit, const std::string& url, const Status& done) {
  const std::string why = done ? "" : limit.why();
  return why.empty() ? done : fail(url + ": " + why);
}

Status fetch_to(const LaunchContext& context, const config::Case& spec, const std::string& place,
                const fs::Path& to, const TransferLimit& limit) {
  GATE_TRY(const std::string url, told_text(context, spec, place));
  GATE_TRY_STATUS(parse_object_place(url).map([](const ObjectPlace&) {}));
  GATE_TRY(ObjectPlaces* const objects, stores_of(context, url));
  if (limit.is_over()) return fail(url + ": " + limit.why());
  return within(limit, url, objects->fetch(url, to, [&] { return limit.is_over(); }));
}

Status fetch_one(const LaunchContext& context, const config::Case& spec, const std::string& place,
                 const fs::Path& to, const TransferLimit& limit) {
  GATE_TRY_STATUS(fetch_to(context, spec, place, to, limit));
  GATE_TRY(const std::string text, fs::read_file(to));
  if (context.golden.is_same(to.string(), fs::sha256(text))) return {};
  return fail(place + ": is not what it was when the run fetched it first; run again");
}

// What is called the same is one object, or one file.
std::set<std::string> golden_of_suite(const LaunchContext& context, const config::Case& own) {
  std::set<std::string> all;
  const auto add = [&](const config::Case& spec) {
    for (const auto& [name, output] : spec.settings.outputs) {
      const std::vector<fs::Path> files = golden_files(output, stages_folder(context, spec));
      for (std::size_t i = 0; i < files.size(); ++i) {
        const auto told = told_text(context, spec, output.golden[i]);
        if (!is_object_place(output.golden[i]))
          all.insert(files[i].string());
        else if (told && context.environment.objects)
          all.insert(context.environment.objects->identity(*told));
      }
    }
  };
  add(own);
  std::ranges::for_each(context.suite.cases, add);
  return all;
}

}  // namespace

TransferLimit TransferLimit::fetching(const LaunchContext& context, const std::string& case_name,
                                      Duration timeout, std::optional<Duration> rest) {
  TransferLimit limit(context, case_name, timeout);
  limit.rest_ = rest;
  return limit;
}

TransferLimit TransferLimit::putting(const LaunchContext& context, const std::string& case_name,
                                     Duration timeout) {
  TransferLimit limit(context, case_name, timeout);
  limit.is_behind_script_ = true;
  return limit;
}

Duration TransferLimit::passed() const {
  return std::chrono::duration_cast<Duration>(context_->environment.time.now() - began_);
}

std::optional<Duration> TransferLimit::rest() const {
  return rest_ ? std::optional(*rest_ - passed()) : std::nullopt;
}

std::optional<Outcome> TransferLimit::outcome() const {
  if (is_behind_script_) return std::nullopt;
  if (const auto interrupted = context_->stops.of_case(case_name_)) return *interrupted;
  if (rest_ && *rest() <= Duration{}) return PastDeadline{context_->options.deadline.value_or(Duration{})};
  return std::nullopt;
}

std::string TransferLimit::why() const {
  if (is_behind_script_ && context_->stops.must_hurry(case_name_)) return "interrupted";
  if (const auto ended = outcome()) return to_string(*ended);
  return passed() >= timeout_ ? "was not done within timeout " + to_string(timeout_) : "";
}

Status fetch_golden(const LaunchContext& context, const config::Case& spec, const TransferLimit& limit) {
  const auto& contract = context.suite.contract;
  const fs::Path stages = stages_folder(context, spec);
  std::error_code problem;
  std::filesystem::remove_all(stages / "golden", problem);
  if (problem) return fail((stages / "golden").string() + ": cannot be emptied: " + problem.message());
  if (spec.settings.accuracy_test && contract && !contract->is_comparison()) return {};
  for (const auto& [name, output] : spec.settings.outputs) {
    const std::vector<fs::Path> files = golden_files(output, stages);
    for (std::size_t i = 0; i < files.size(); ++i)
      if (is_object_place(output.golden[i]) && !fs::is_taken(files[i]))
        GATE_TRY_STATUS(fetch_one(context, spec, output.golden[i], files[i], limit));
  }
  return {};
}

Result<Destination> Destination::of(const LaunchContext& context, const config::Case& spec,
                                    const std::string& place, const TransferLimit& limit) {
  Destination destination;
  destination.limit_ = &limit;
  destination.golden_ = golden_of_suite(context, spec);
  if (!is_object_place(place)) {
    GATE_TRY(destination.folder_, told_place(context, spec, place));
    return destination;
  }
  GATE_TRY(destination.prefix_, told_text(context, spec, place));
  if (!destination.prefix_.ends_with('/')) destination.prefix_ += '/';
  GATE_TRY(destination.objects_, stores_of(context, destination.prefix_));
  return destination;
}

std::string Destination::place_of(const std::string& name) const {
  return objects_ == nullptr ? (folder_ / name).string() : prefix_ + name;
}

Status Destination::put(const fs::Path& file, const std::string& name) const {
  if (objects_ == nullptr) return copy_as(file, folder_ / name);
  const std::string url = place_of(name);
  return within(*limit_, url, objects_->put(file, url, [this] { return limit_->is_over(); }));
}

Status Destination::put_result(const fs::Path& file, const std::string& name) const {
  if (leads_to_golden(name)) return fail(place_of(name) + ": is the golden file; upload to another folder");
  return put(file, name);
}

bool Destination::leads_to_golden(const std::string& name) const {
  if (objects_ != nullptr) return golden_.contains(objects_->identity(place_of(name)));
  return std::ranges::any_of(golden_,
                             [&](const std::string& golden) { return is_same_file(golden, folder_ / name); });
}

Result<std::string> put_object(const LaunchContext& context, const config::Case& spec, const fs::Path& file,
                               const std::string& place, const TransferLimit& limit) {
  GATE_TRY(std::string url, told_text(context, spec, place));
  GATE_TRY(ObjectPlaces* const objects, stores_of(context, url));
  GATE_TRY_STATUS(within(limit, url, objects->put(file, url, [&] { return limit.is_over(); })));
  return url;
}

Result<fs::Path> brought(const LaunchContext& context, const config::Case& spec, const std::string& place,
                         const fs::Path& folder, const TransferLimit& limit) {
  if (!is_object_place(place)) return told_place(context, spec, place);
  constexpr std::size_t digits = 12;
  GATE_TRY(const std::string url, told_text(context, spec, place));
  const fs::Path into = folder / fetched_files / fs::sha256(url).substr(0, digits);
  const fs::Path name = place.ends_with('/') ? fs::Path() : fs::Path(url).filename();
  GATE_TRY_STATUS(fetch_to(context, spec, place, into / name, limit));
  return name.empty() ? into : into / name;
}

}  // namespace gate::app
