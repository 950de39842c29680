#include "extract/events/event_reader.h"

#include <utility>

#include "extract/events/event_tags.h"
#include "extract/events/step_metrics.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_own_tags = 1000;
constexpr std::size_t longest_name = 100;
constexpr std::size_t most_named = 8;
constexpr std::size_t longest_tag = 80;

constexpr std::array<TableText, 3> because{
    TableText{"numbered by samples or tokens instead of steps", "按样本或 token 而不是按步编号"},
    TableText{"an earlier tag means the same metric", "较早的 tag 表示同一指标"},
    TableText{"behind the first 1000 tags", "在前 1000 个 tag 之后"}};

bool is_name_character(char c) {
  return is_letter_or_digit(c) || std::string_view("_-./()%").find(c) != std::string_view::npos;
}

std::string metric_name(std::string_view tag) {
  std::string name(tag.substr(0, longest_name));
  for (char& c : name)
    if (!is_name_character(c)) c = '_';
  return name;
}

}  // namespace

std::size_t EventTally::index_of(std::string_view metric) {
  return indices_.try_emplace(std::string(metric), indices_.size()).first->second;
}

void EventTally::leave_out(LeftOut why, std::string_view tag) {
  LeftOutTags& left = left_out_.at(static_cast<std::size_t>(why));
  ++left.scalars;
  if (left.tags.size() < most_tags) left.tags.insert("`" + printable(tag, longest_tag) + "`");
}

std::vector<Sentence> EventTally::notes() const {
  std::vector<Sentence> notes;
  for (std::size_t why = 0; why < reasons; ++why) {
    const LeftOutTags& left = left_out_.at(why);
    if (left.scalars == 0) continue;
    const std::vector<std::string> tags(left.tags.begin(), left.tags.end());
    notes.push_back(say({"{} left out, {}: {}", "略去 {}，{}：{}"},
                        count_of(left.scalars, "scalar", "个标量"), because.at(why).said(),
                        listed(tags, most_named)));
  }
  if (other_values_ > 0)
    notes.push_back(
        say({"{} left out, no scalars: histograms, images, texts", "略去 {}，不是标量：直方图、图像、文本"},
            count_of(other_values_, "value", "项")));
  return notes;
}

EventReader::EventReader(const ScalarSource& source, const MetricTable& metrics, ProblemLog& problems,
                         EventTally& tally, OnRecord on_record)
    : kind_(source.kind),
      file_(source.file),
      metrics_(&metrics),
      problems_(&problems),
      tally_(&tally),
      on_record_(std::move(on_record)),
      scalars_(kind_->open(source.path, {[this](const Scalar& scalar) { read(scalar); },
                                         [this](ProblemKind kind, std::uint32_t record, Sentence text) {
                                           problems_->add(kind, {file_, record}, std::move(text));
                                         }})),
      read_metrics_(kind_->has_file_for_tag ? &tally.tags_of(run()) : &own_metrics_) {}

void EventReader::finish() {
  scalars_->finish();
  tally_->add_other_values(scalars_->other_values());
}

// Return the row of a tag that is read, or nullptr: it is left out.
const FieldRow* EventReader::row_of(std::string_view tag) {
  const FieldRow* known = find_event_tag(tag);
  const auto own = known == nullptr ? own_.find(tag) : own_.end();
  if (known == nullptr && own == own_.end() && is_otherwise(tag)) {
    tally_->leave_out(LeftOut::numbered_otherwise, tag);
    return nullptr;
  }
  const FieldRow* row = known != nullptr    ? row_by_step(*known)
                        : own != own_.end() ? &own->second->row
                                            : new_own_row(tag);
  const bool again = row != nullptr && is_read_already(*row);
  if (row == nullptr || again) tally_->leave_out(again ? LeftOut::read_already : LeftOut::too_many_tags, tag);
  return again ? nullptr : row;
}

bool EventReader::is_otherwise(std::string_view tag) const {
  const std::string_view monitored = kind_->monitored;
  return is_numbered_otherwise(tag) || (!monitored.empty() && tag.starts_with(monitored));
}

bool EventReader::is_read_already(const FieldRow& row) {
  const auto read = read_metrics_->find(row.metric);
  if (read != read_metrics_->end()) return read->second != row.printed;
  read_metrics_->emplace(row.metric, row.printed);
  return false;
}

const FieldRow* EventReader::row_by_step(const FieldRow& known) {
  const Metric* metric = metrics_->find(known.metric);
  if (metric == nullptr || metric->numbered == Numbering::step) return &known;
  std::unique_ptr<OwnTag>& own = by_step_[known.printed];
  if (own == nullptr) {
    own = std::make_unique<OwnTag>(
        OwnTag{std::string(known.printed), std::string(known.metric) + std::string(by_step), known});
    own->row.metric = own->metric;
  }
  return &own->row;
}

const FieldRow* EventReader::new_own_row(std::string_view tag) {
  if (own_.size() == most_own_tags) return nullptr;
  auto own = std::make_unique<OwnTag>(OwnTag{std::string(tag), metric_name(tag), {}});
  own->row = {own->tag, own->metric};
  return &own_.emplace(std::string(tag), std::move(own)).first->second->row;
}

void EventReader::read(const Scalar& scalar) {
  const FieldRow* row = row_of(scalar.tag);
  if (row == nullptr) return;
  const LinePlace place{file_, scalar.record};
  if (scalar.step < 0)
    return problems_->add(
        ProblemKind::malformed, place,
        say({"record {}: {} has step {} and is left out", "第 {} 条记录：{} 的步号是 {}，略去"},
            scalar.record, row->printed, scalar.step));
  Record record;
  record.extractor = tally_->index_of(row->metric);
  record.role = Role::follower;
  record.number = scalar.step;
  record.fields.push_back({row, scalar.word});
  ++matches_;
  on_record_(record, place);
}

}  // namespace gate::extract
