#include "extract/events/event_reader.h"

#include <array>
#include <string>
#include <utility>

#include "extract/events/event_tags.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_own_tags = 1000;
constexpr std::size_t longest_name = 100;

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_-./()%").find(c) != std::string_view::npos;
}

std::string metric_name(std::string_view tag) {
  std::string name(tag.substr(0, longest_name));
  for (char& c : name)
    if (!is_name_character(c)) c = '_';
  return name;
}

}  // namespace

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
  const FieldRow* known = find_event_tag(tag);
  const FieldRow* row = known != nullptr ? known : own_row(tag);
  const bool told = row != nullptr && told_.try_emplace(row->metric, row).first->second != row;
  if (row == nullptr || told) tally_->leave_out(told ? LeftOut::told_already : LeftOut::too_many_tags, tag);
  return told ? nullptr : row;
}

const FieldRow* EventReader::own_row(std::string_view tag) {
  const auto it = own_.find(tag);
  if (it != own_.end()) return &it->second->row;
  if (own_.size() == most_own_tags) return nullptr;
  auto own = std::make_unique<OwnTag>(OwnTag{std::string(tag), metric_name(tag), {}});
  own->row = {own->tag, own->metric};
  return &own_.emplace(std::string(tag), std::move(own)).first->second->row;
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
  record.extractor = tally_->index_of(row->metric);
  record.role = Role::follower;
  record.number = scalar.step;
  record.fields.push_back({row, scalar.word});
  ++matches_;
  take_(record, place);
}

}  // namespace gate::extract
