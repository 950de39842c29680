#include <algorithm>

#include "extract/format_spec.h"
#include "extract/megatron.h"
#include "extract/table_formats.h"

namespace gate::extract {

namespace {

const std::vector<FormatSpec>& table() {
  static const std::vector<FormatSpec> specs{
      megatron_format(),      deepspeed_format(), hf_trainer_format(), jsonl_format(),
      llama_factory_format(), ms_swift_format(),  torchtitan_format(), verl_format(),
  };
  return specs;
}

std::vector<FormatRow> make_rows() {
  std::vector<FormatRow> rows;
  for (const FormatSpec& format : table()) rows.push_back(format.row);
  return rows;
}

}  // namespace

std::span<const FormatSpec> format_specs() { return table(); }

const FormatSpec* find_format(std::string_view name) {
  const auto it = std::find_if(table().begin(), table().end(),
                               [&](const FormatSpec& format) { return format.row.name == name; });
  return it == table().end() ? nullptr : &*it;
}

std::span<const FormatRow> formats() {
  static const std::vector<FormatRow> rows = make_rows();
  return rows;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatRow& row : formats()) names.emplace_back(row.name);
  return names;
}

}  // namespace gate::extract
