#include "gate/places/objects.h"

#include <algorithm>
#include <system_error>

#include "gate/base/object_place.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/copies.h"
#include "gate/places/stage_commands.h"
#include "places/plan/upload_folder.h"

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
  GATE_TRY(const std::string url, told_text(context, spec, place));
  GATE_TRY_STATUS(check_golden_object(url, text));
  if (context.golden.is_same(to.string(), fs::sha256(text))) return {};
  return fail(url + ": is not what it was when the run fetched it first; run again");
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

bool has_same_bytes(const fs::Path& a, const fs::Path& b) {
  const Result<std::string> one = fs::read_file(a), other = fs::read_file(b);
  return one && other && *one == *other;
}

// Beside a file that has a maker: the SHA-256 of what that one put there, or tried to.
fs::Path record_of(const NewBaseline& baseline) {
  constexpr std::size_t digits = 12;
  const fs::Path file = baseline.place;
  return file.parent_path() /
         ("." + file.filename().string() + "." + baseline.maker.substr(0, digits) + ".made");
}

bool is_file_of(const NewBaseline& baseline) {
  if (baseline.maker.empty()) return false;
  const Result<std::string> there = fs::read_file(baseline.place), made = fs::read_file(record_of(baseline));
  return there && made && made->find(fs::sha256(*there)) != std::string::npos;
}

// The record comes first: whenever gate is killed, what is there is told to be its own.
Result<bool> make_file(const NewBaseline& baseline, const fs::Path& file) {
  const bool is_told = !baseline.maker.empty() && !fs::is_taken(baseline.place);
  if (is_told) {
    GATE_TRY_STATUS(fs::make_folder(fs::Path(baseline.place).parent_path()));
    GATE_TRY(const std::string text, fs::read_file(file));
    GATE_TRY_STATUS(fs::append_file(record_of(baseline), fs::sha256(text) + "\n"));
  }
  GATE_TRY(const bool made, copy_to_free(file, baseline.place));
  if (made || has_same_bytes(baseline.place, file) || is_file_of(baseline)) return true;
  if (is_told) GATE_TRY_STATUS(fs::remove_file(record_of(baseline)));
  return false;
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
  if (const auto ended = outcome()) return text(*ended).english();
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
  GATE_TRY_STATUS(destination.objects_->check(destination.prefix_));
  return destination;
}

std::string Destination::place_of(const std::string& name) const {
  return objects_ == nullptr ? (folder_ / name).string() : prefix_ + name;
}

Status Destination::open() const {
  if (objects_ != nullptr) return {};
  GATE_TRY_STATUS(check_upload_folder(folder_));
  return fs::write_file(folder_ / upload_mark, "", fs::Survives::kill);
}

Status Destination::close() const {
  return objects_ != nullptr ? Status() : fs::remove_file(folder_ / upload_mark);
}

Status Destination::put_result(const fs::Path& file, const std::string& name) const {
  const std::string url = place_of(name);
  if (leads_to_golden(name)) return fail(url + ": is the golden file; upload to another folder");
  if (objects_ == nullptr) return copy_as(file, folder_ / name);
  return within(*limit_, url, objects_->put(file, url, [this] { return limit_->is_over(); }));
}

bool Destination::leads_to_golden(const std::string& name) const {
  if (objects_ != nullptr) return golden_.contains(objects_->identity(place_of(name)));
  return std::ranges::any_of(golden_,
                             [&](const std::string& golden) { return is_same_file(golden, folder_ / name); });
}

Result<bool> is_free(const LaunchContext& context, const NewBaseline& baseline, const TransferLimit& limit) {
  if (!is_object_place(baseline.place)) return !fs::is_taken(baseline.place) || is_file_of(baseline);
  GATE_TRY(ObjectPlaces* const objects, stores_of(context, baseline.place));
  const auto maker = objects->maker_of(baseline.place, [&] { return limit.is_over(); });
  if (!maker) GATE_TRY_STATUS(within(limit, baseline.place, tl::unexpected(maker.error())));
  return !*maker || (!baseline.maker.empty() && **maker == baseline.maker);
}

Result<bool> make_baseline(const LaunchContext& context, const NewBaseline& baseline, const fs::Path& file,
                           const TransferLimit& limit) {
  if (!is_object_place(baseline.place)) return make_file(baseline, file);
  GATE_TRY(ObjectPlaces* const objects, stores_of(context, baseline.place));
  const auto stop = [&] { return limit.is_over(); };
  const Result<bool> made = objects->put_new(file, baseline.place, baseline.maker, stop);
  if (!made) GATE_TRY_STATUS(within(limit, baseline.place, tl::unexpected(made.error())));
  if (*made) return true;
  GATE_TRY(const bool is_own, is_free(context, baseline, limit));
  if (is_own) return true;
  const fs::Path there = baseline.scratch / fs::sha256(baseline.place);
  GATE_TRY_STATUS(within(limit, baseline.place, objects->fetch(baseline.place, there, stop)));
  return has_same_bytes(there, file);
}

Result<fs::Path> brought(const LaunchContext& context, const config::Case& spec, const std::string& place,
                         const fs::Path& folder, const TransferLimit& limit) {
  constexpr std::size_t digits = 12;
  GATE_TRY(const std::string url, told_text(context, spec, place));
  if (!is_object_place(url)) return told_place(context, spec, place);
  const fs::Path into = folder / fetched_files / fs::sha256(url).substr(0, digits);
  const fs::Path name = url.ends_with('/') ? fs::Path() : fs::Path(url).filename();
  GATE_TRY_STATUS(fetch_to(context, spec, place, into / name, limit));
  return name.empty() ? into : into / name;
}

}  // namespace gate::app
