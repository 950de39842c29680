#include "extract/event_reader.h"

#include <array>
#include <string>
#include <utility>

#include "extract/event_tags.h"

namespace gate::extract {

std::span<const std::string_view> event_extractors() {
  static constexpr std::array<std::string_view, 1> extractors{"tensorboard.scalar"};
  return extractors;
}

EventReader::EventReader(std::uint32_t file, ProblemLog& problems, EventTally& tally, Take take)
    : file_(file),
      problems_(&problems),
      tally_(&tally),
      take_(std::move(take)),
      events_({[this](const Scalar& scalar) { read(scalar); },
               [this](ProblemKind kind, std::uint32_t record, std::string text) {
                 problems_->add(kind, {file_, record}, std::move(text));
               }}) {}

void EventReader::finish() {
  events_.finish();
  tally_->add_other_values(events_.other_values());
}

// Return the row of a tag that is read, or nullptr: it is left out.
const FieldRow* EventReader::row_of(std::string_view tag) {
  if (is_numbered_otherwise(tag)) {
    tally_->leave_out(LeftOut::numbered_otherwise, tag);
    return nullptr;
  }
  const FieldRow* row = find_event_tag(tag);
  const bool told = row != nullptr && told_.try_emplace(row->metric, row).first->second != row;
  if (row == nullptr || told) tally_->leave_out(told ? LeftOut::told_already : LeftOut::no_metric, tag);
  return told ? nullptr : row;
}

void EventReader::read(const Scalar& scalar) {
  const FieldRow* row = row_of(scalar.tag);
  if (row == nullptr) return;
  const Place place{file_, scalar.record};
  if (scalar.step < 0)
    return problems_->add(ProblemKind::malformed, place,
                          "record " + std::to_string(scalar.record) + ": " + std::string(row->printed) +
                              " has step " + std::to_string(scalar.step) + " and is left out");
  Record record;
  record.role = Role::follower;
  record.number = scalar.step;
  record.fields.push_back({row, scalar.word});
  ++matches_;
  take_(record, place);
}

}  // namespace gate::extract
