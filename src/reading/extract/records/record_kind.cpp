#include "extract/records/record_kind.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "extract/records/kind_reader.h"
#include "extract/scan/progress_bar.h"
#include "extract/scan/re2_pattern.h"

namespace gate::extract {

namespace {

using Readers = std::vector<KindReader>;
using Heads = std::vector<KindReader::RecordHead>;

// The heads by place, and at one place in the order of their kinds.
Heads find_heads(const Readers& readers, std::string_view text) {
  Heads heads;
  heads.reserve(readers.size());
  for (const KindReader& reader : readers) reader.find_heads(text, heads);
  std::sort(heads.begin(), heads.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.reader) < std::tie(b.begin, b.reader);
  });
  return heads;
}

// Return where the record of a head ends at the latest: where the next head behind it begins.
std::size_t end_of(const Heads& heads, std::size_t index, std::string_view text) {
  const auto next = std::find_if(heads.begin() + static_cast<std::ptrdiff_t>(index) + 1, heads.end(),
                                 [&](const auto& head) { return head.begin >= heads[index].end; });
  return next == heads.end() ? text.size() : next->begin;
}

// Tell whether the head begins the text of the record, too, for what in it belongs to the step that it is.
bool shares(const KindReader::RecordHead& head, const Record& record) {
  return head.begin == record.begin && record.role == Role::leader && head.reader->role() == Role::follower;
}

// Tell whether the head may make more of a text than the fragment that another kind saw in it.
bool betters(const KindReader::RecordHead& head, const Record& record) {
  return head.begin == record.begin && record.fragment;
}

// A head within a record, or within what turned out to be none, is not a record's.
std::vector<Record> scan_with(const Readers& readers, std::string_view text) {
  const Heads heads = find_heads(readers, text);
  std::vector<Record> records;
  std::size_t begin = 0, end = 0;  // of what was looked at last
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const bool taken = !records.empty() && heads[i].begin < records.back().end;
    const bool again = taken && (shares(heads[i], records.back()) || betters(heads[i], records.back()));
    if ((taken && !again) || (heads[i].begin > begin && heads[i].begin < end)) continue;
    KindReader::Read read = heads[i].reader->read(heads[i], end_of(heads, i, text), text);
    begin = read.record.begin;
    end = read.record.whole == Whole::whole ? read.record.end : heads[i].end;
    if (!read.is_record) continue;
    if (taken && betters(heads[i], records.back())) records.pop_back();
    records.push_back(std::move(read.record));
  }
  return records;
}

std::size_t no_head(std::string_view) { return std::string_view::npos; }
bool always_joins(std::string_view, std::size_t) { return true; }

std::function<bool(std::string_view)> test_of(std::string_view pattern) {
  if (pattern.empty()) return nullptr;
  const auto regex = std::make_shared<const LazyRegex>(pattern);
  return [regex](std::string_view record) { return RE2::PartialMatch(piece(record), **regex); };
}

// Return what finds the pattern's group, "" where it does not match.
std::function<std::string_view(std::string_view)> first_group_of(std::string_view pattern) {
  if (pattern.empty()) return nullptr;
  const auto regex = std::make_shared<const LazyRegex>(pattern);
  return [regex](std::string_view line) {
    re2::StringPiece group;
    return RE2::PartialMatch(piece(line), **regex, &group) ? view(group) : std::string_view{};
  };
}

JoinRules join_rules_of(const FormatTable& table, const std::vector<std::string_view>& literals) {
  const auto stands = [literals](std::string_view line) { return holds_literal(literals, line); };
  JoinRules rules;
  if (const auto test = test_of(table.begins))
    rules.begins = [=](std::string_view line) { return stands(line) && test(line); };
  rules.goes_on = first_group_of(table.goes_on);
  if (const auto bar = first_group_of(table.bar))
    rules.bar = [=](std::string_view line) { return stands(line) ? bar(line) : std::string_view{}; };
  return rules;
}

void add_literal(std::string_view literal, std::vector<std::string_view>& literals) {
  if (std::find(literals.begin(), literals.end(), literal) == literals.end()) literals.push_back(literal);
}

std::vector<std::string> faults_of(const Readers& readers) {
  std::vector<std::string> faults;
  for (const KindReader& reader : readers) {
    const std::vector<std::string> more = reader.faults();
    faults.insert(faults.end(), more.begin(), more.end());
  }
  return faults;
}

}  // namespace

std::size_t FormatSpec::extractor(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::find(extractors, name, &ExtractorSpec::name) -
                                  extractors.begin());
}

FormatSpec make_format(const FormatTable& table) {
  FormatSpec format;
  format.row = table.row;
  const auto readers = std::make_shared<Readers>();
  for (const RecordKind& kind : table.kinds) {
    readers->emplace_back(kind, format.extractors.size());
    format.extractors.push_back({kind.extractor, kind.expected});
    if (kind.marks.empty()) add_literal(kind.literal, format.literals);
    for (const std::string_view mark : kind.marks) add_literal(mark, format.literals);
  }
  format.csv = table.csv;
  if (!table.csv.extractor.empty()) {
    format.extractors.push_back({table.csv.extractor, {}});
    add_literal(table.csv.literal, format.literals);
  }
  format.next_engine = table.next_engine;
  if (!table.next_engine.extractor.empty()) format.extractors.push_back({table.next_engine.extractor, {}});
  format.supersedes = table.supersedes;
  format.is_signature = test_of(table.signature);
  format.ranks = table.ranks;
  format.join_rules = join_rules_of(table, format.literals);
  format.beside_bar = table.beside_bar;
  if (table.beside_bar == BesideBar::yes)
    for (const std::string_view rate : bar_rates) add_literal(rate, format.literals);
  format.scan = [readers](std::string_view text) { return scan_with(*readers, text); };
  format.cut_head = no_head;
  format.joins = always_joins;
  format.faults = [readers] { return faults_of(*readers); };
  return format;
}

}  // namespace gate::extract
