#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config/yaml/yaml_tree.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/megatron.h"

namespace gate::config {

namespace {

constexpr std::size_t most_rows = 10'000;
constexpr std::int64_t most_recipe_machines = 4096, longest_limit = 365 * 86'400;

struct RowText {
  std::string_view key;
  std::string MegatronRow::*member;
};
constexpr std::array row_texts{
    RowText{"model", &MegatronRow::model},
    RowText{"test_case", &MegatronRow::test_case},
    RowText{"environment", &MegatronRow::environment},
    RowText{"scope", &MegatronRow::scope},
    RowText{"platforms", &MegatronRow::platform},
    RowText{"build", &MegatronRow::build},
    RowText{"name", &MegatronRow::name},
    RowText{"script", &MegatronRow::script},
    RowText{"script_setup", &MegatronRow::script_setup},
};

struct RowCount {
  std::string_view key;
  std::optional<int> MegatronRow::*member;
};
constexpr std::array row_counts{RowCount{"nodes", &MegatronRow::nodes}, RowCount{"gpus", &MegatronRow::gpus},
                                RowCount{"n_repeat", &MegatronRow::n_repeat}};

// A key of a product with the values that its rows take in turn.
struct RecipeAxis {
  std::string key;
  Position at;
  std::vector<YamlTree> values;
};

class RecipeReader {
 public:
  std::vector<MegatronRow> read(const YamlTree& root);
  Diagnostics mistakes;

 private:
  void mistake(const Position& at, std::string message) { mistakes.push_back({at, std::move(message)}); }
  void read_spec(const YamlTree& spec);
  void read_product(const YamlTree& product);
  void expand(const std::vector<RecipeAxis>& axes, std::size_t next, const MegatronRow& row);
  void set(MegatronRow& row, const std::string& key, const Position& at, const YamlTree& value, bool is_axis);
  void set_cadence(MegatronRow& row, const YamlTree& value);
  std::optional<std::int64_t> count(const std::string& key, const YamlTree& value, std::int64_t most);
  std::vector<RecipeAxis> axes_of(const YamlTree& product, MegatronRow& row);

  MegatronRow spec_;
  std::vector<MegatronRow> rows_;
};

std::vector<MegatronRow> RecipeReader::read(const YamlTree& root) {
  const YamlTree* version = root.find("format_version");
  if (version != nullptr && version->text != "1")
    mistake(version->at, "format_version " + printable(version->text, 40) + " is not known; 1 is read");
  if (const YamlTree* spec = root.find("spec")) read_spec(*spec);
  const YamlTree* products = root.find("products");
  if (root.kind != YamlTree::Kind::table)
    mistake(root.at, "no recipe: it is no table with spec and products");
  if (products == nullptr || products->is_null()) return {};
  if (products->kind != YamlTree::Kind::list) mistake(products->at, "products is a list of tables");
  for (const YamlTree& product : products->items) read_product(product);
  return std::move(rows_);
}

void RecipeReader::read_spec(const YamlTree& spec) {
  if (spec.kind != YamlTree::Kind::table) return mistake(spec.at, "spec is a table");
  for (const YamlEntry& entry : spec.entries) set(spec_, entry.key, entry.at, entry.value, false);
}

// A product with products of its own gives them what it says itself.
void RecipeReader::read_product(const YamlTree& product) {
  if (product.kind != YamlTree::Kind::table) return mistake(product.at, "a product is a table");
  if (product.find("test_case") == nullptr) return mistake(product.at, "a product without test_case");
  MegatronRow row = spec_;
  row.at = product.at;
  const std::vector<RecipeAxis> outer = axes_of(product, row);
  const YamlTree* inner = product.find("products");
  if (inner == nullptr) return expand(outer, 0, row);
  if (inner->kind != YamlTree::Kind::list) return mistake(inner->at, "products is a list of tables");
  for (const YamlTree& one : inner->items) {
    if (one.kind != YamlTree::Kind::table) return mistake(one.at, "a product is a table");
    MegatronRow own = row;
    own.at = one.at;
    std::vector<RecipeAxis> axes = outer;
    std::ranges::move(axes_of(one, own), std::back_inserter(axes));
    expand(axes, 0, own);
  }
}

std::vector<RecipeAxis> RecipeReader::axes_of(const YamlTree& product, MegatronRow& row) {
  std::vector<RecipeAxis> axes;
  for (const YamlEntry& entry : product.entries) {
    if (entry.key == "products") continue;
    if (entry.key == "cadence") {
      set_cadence(row, entry.value);
      continue;
    }
    const bool is_list = entry.value.kind == YamlTree::Kind::list;
    axes.push_back({entry.key, entry.at, is_list ? entry.value.items : std::vector{entry.value}});
  }
  return axes;
}

// At most as deep as a product has keys.
void RecipeReader::expand(const std::vector<RecipeAxis>& axes, std::size_t next, const MegatronRow& row) {
  constexpr std::size_t most_axes = 64;
  if (axes.size() > most_axes) return mistake(row.at, "a product has more than 64 keys");
  if (rows_.size() > most_rows || !mistakes.empty()) return;
  if (next == axes.size()) {
    rows_.push_back(row);
    if (rows_.size() > most_rows) mistake(row.at, "the products make more than 10000 rows");
    return;
  }
  for (const YamlTree& value : axes[next].values) {
    MegatronRow with = row;
    set(with, axes[next].key, axes[next].at, value, true);
    expand(axes, next + 1, with);
  }
}

void RecipeReader::set(MegatronRow& row, const std::string& key, const Position& at, const YamlTree& value,
                       bool is_axis) {
  if (key == "cadence") return set_cadence(row, value);
  const auto text = std::ranges::find(row_texts, key, &RowText::key);
  const auto counted = std::ranges::find(row_counts, key, &RowCount::key);
  if (text != row_texts.end()) {
    if (!value.is_text()) return mistake(value.at, key + " is one text here");
    row.*text->member = value.is_null() ? "" : value.text;
  } else if (counted != row_counts.end()) {
    if (const auto number = count(key, value, most_recipe_machines))
      row.*counted->member = static_cast<int>(*number);
  } else if (key == "time_limit") {
    if (const auto seconds = count(key, value, longest_limit)) row.time_limit = seconds;
  } else if (is_axis) {
    if (!value.is_text()) return mistake(value.at, printable(key, 80) + " is a text or a list of texts");
    row.other.push_back({key, value.text, at});
  }
}

std::optional<std::int64_t> RecipeReader::count(const std::string& key, const YamlTree& value,
                                                std::int64_t most) {
  if (value.is_null()) return std::nullopt;  // as if it were not said
  const auto number = value.is_text() ? parse_integer(value.text) : std::nullopt;
  if (number && *number >= 1 && *number <= most) return number;
  mistake(value.at, key + " is a number from 1 to " + std::to_string(most));
  return std::nullopt;
}

void RecipeReader::set_cadence(MegatronRow& row, const YamlTree& value) {
  row.cadence.clear();
  if (value.is_text() && !value.is_null()) row.cadence.push_back(value.text);
  for (const YamlTree& item : value.items)
    if (item.is_text())
      row.cadence.push_back(item.text);
    else
      mistake(item.at, "cadence is a list of names");
}

}  // namespace

std::optional<std::string> recipe_argument(const MegatronRow& row, std::string_view name) {
  constexpr std::string_view quotes = "\"'";
  const std::map<std::string, std::string> placeholders{{"model", row.model},
                                                        {"test_case", row.test_case},
                                                        {"environment", row.environment},
                                                        {"platforms", row.platform}};
  for (std::string_view word : split_words(row.script)) {
    word.remove_prefix(std::min(word.find_first_not_of(quotes), word.size()));
    if (!word.starts_with(name) || word.size() == name.size() || word[name.size()] != '=') continue;
    word.remove_prefix(name.size() + 1);
    word.remove_prefix(std::min(word.find_first_not_of(quotes), word.size()));
    word = word.substr(0, word.find_first_of(quotes));
    const auto value = expand(word, placeholders);
    if (value && !value->empty() && value->find_first_of("$\\`") == std::string::npos) return *value;
  }
  return std::nullopt;
}

Parsed<std::vector<MegatronRow>> read_megatron_recipe(std::string_view text, const std::string& file) {
  auto root = parse_yaml(text, file);
  if (!root) return tl::unexpected(std::move(root).error());
  RecipeReader reader;
  std::vector<MegatronRow> rows = reader.read(*root);
  if (!reader.mistakes.empty()) return tl::unexpected(std::move(reader.mistakes));
  return rows;
}

}  // namespace gate::config
