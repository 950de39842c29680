#include "app/launch/objects.h"

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

Status fetch_to(const LaunchContext& context, const config::Case& spec, const std::string& place,
                const fs::Path& to) {
  GATE_TRY(const std::string url, told_text(context, spec, place));
  GATE_TRY_STATUS(parse_object_place(url).map([](const ObjectPlace&) {}));
  GATE_TRY(ObjectPlaces* const objects, stores_of(context, url));
  return objects->fetch(url, to);
}

}  // namespace

Status fetch_golden(const LaunchContext& context, const config::Case& spec) {
  const auto& contract = context.suite.contract;
  if (spec.settings.accuracy_test && contract && !contract->is_comparison()) return {};
  const fs::Path stages = stages_folder(context, spec);
  for (const auto& [name, output] : spec.settings.outputs) {
    const std::vector<fs::Path> files = golden_files(output, stages);
    for (std::size_t i = 0; i < files.size(); ++i)
      if (is_object_place(output.golden[i]) && !fs::exists(files[i]))
        GATE_TRY_STATUS(fetch_to(context, spec, output.golden[i], files[i]));
  }
  return {};
}

Result<Destination> Destination::of(const LaunchContext& context, const config::Case& spec,
                                    const std::string& place) {
  Destination destination;
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
  return objects_ == nullptr ? copy_as(file, folder_ / name) : objects_->put(file, place_of(name));
}

bool Destination::leads_to(const std::string& name, const std::string& golden, const fs::Path& file) const {
  return objects_ == nullptr ? is_same_file(file, folder_ / name) : golden == place_of(name);
}

Result<std::string> put_object(const LaunchContext& context, const config::Case& spec, const fs::Path& file,
                               const std::string& place) {
  GATE_TRY(std::string url, told_text(context, spec, place));
  GATE_TRY(ObjectPlaces* const objects, stores_of(context, url));
  GATE_TRY_STATUS(objects->put(file, url));
  return url;
}

Result<fs::Path> brought(const LaunchContext& context, const config::Case& spec, const std::string& place,
                         const fs::Path& folder) {
  if (!is_object_place(place)) return told_place(context, spec, place);
  constexpr std::size_t digits = 12;
  GATE_TRY(const std::string url, told_text(context, spec, place));
  const fs::Path into = folder / ".fetched" / fs::sha256(url).substr(0, digits);
  const fs::Path name = place.ends_with('/') ? fs::Path() : fs::Path(url).filename();
  GATE_TRY_STATUS(fetch_to(context, spec, place, into / name));
  return name.empty() ? into : into / name;
}

}  // namespace gate::app
