#include "config/tables/part_tables.h"

#include <algorithm>
#include <array>

#include "config/tables/key_table.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::array number_table{
    ModelNumberRow{"num_layers", "--num-layers"},
    ModelNumberRow{"hidden_size", "--hidden-size"},
    ModelNumberRow{"ffn_hidden_size", "--ffn-hidden-size"},
    ModelNumberRow{"num_attention_heads", "--num-attention-heads"},
    ModelNumberRow{"num_query_groups", "--num-query-groups"},
    ModelNumberRow{"kv_channels", "--kv-channels"},
    ModelNumberRow{"vocab_size", "--padded-vocab-size"},
    ModelNumberRow{"moe_router_topk", "--moe-router-topk"},
    ModelNumberRow{"moe_ffn_hidden_size", "--moe-ffn-hidden-size"},
    ModelNumberRow{"moe_shared_expert_intermediate_size", "--moe-shared-expert-intermediate-size"},
};

template <std::string ModelFacts::*member>
Status assign_model_text(ModelFacts& model, const RawValue& raw) {
  return assign(model.*member, read_filled_text(raw));
}

// Above 0, such as 6.74e9.
Status assign_parameters(ModelFacts& model, const RawValue& raw) {
  const std::optional<Decimal> number = Decimal::parse(raw.text);
  if (raw.kind == RawValue::Kind::list || !number || !(*number > Decimal{}))
    return fail(shown(raw) + " is no number of parameters; write one above 0, such as 6.74e9");
  model.parameters = *number;
  return {};
}

struct ModelTextRow {
  std::string_view key;
  Status (*assign)(ModelFacts&, const RawValue&);
};
constexpr std::array text_table{
    ModelTextRow{"name", assign_model_text<&ModelFacts::name>},
    ModelTextRow{"size", assign_model_text<&ModelFacts::size>},
    ModelTextRow{"implementation", assign_model_text<&ModelFacts::implementation>},
    ModelTextRow{"precision", assign_model_text<&ModelFacts::precision>},
    ModelTextRow{"parameters", assign_parameters},
};

std::vector<std::string> model_keys() {
  auto keys = texts_of(text_table, &ModelTextRow::key);
  for (const ModelNumberRow& row : number_table) keys.emplace_back(row.name);
  return keys;
}

}  // namespace

std::span<const ModelNumberRow> model_numbers() { return number_table; }

Status assign_model(Settings& settings, std::string_view key, const RawValue& raw) {
  if (const auto* row = std::ranges::find(text_table, key, &ModelTextRow::key); row != text_table.end())
    return row->assign(settings.model, raw);
  if (std::ranges::find(number_table, key, &ModelNumberRow::name) == number_table.end())
    return fail(unknown("key", key, model_keys()));
  return assign(settings.model.numbers[std::string(key)], read_count(raw, 1));
}

}  // namespace gate::config
