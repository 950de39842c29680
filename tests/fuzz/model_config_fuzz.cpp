// Any bytes as model_config.yaml and as a recipe: values or mistakes with words and sane places, never a
// crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/config/megatron.h"
#include "targets.h"

namespace {

using namespace gate;
using namespace gate::config;

void hold_config(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
bool is_good_config(const Parsed<T>& parsed) {
  if (parsed) return true;
  hold_config(!parsed.error().empty());
  for (const Diagnostic& mistake : parsed.error())
    hold_config(!mistake.message.empty() && mistake.at.line >= 0 && mistake.at.column >= 0);
  return false;
}

}  // namespace

int model_config_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto one = read_megatron_case(text, "m.yaml"); is_good_config(one)) {
    for (const MegatronArgument& argument : one->args)
      hold_config(argument.at.line >= 1);  // NeMo's flags have no hyphen
    hold_config(!one->steps() || *one->steps() > 0);
  }
  if (const auto rows = read_megatron_recipe(text, "r.yaml"); is_good_config(rows))
    hold_config(rows->size() <= 10'000);
  is_good_config(expand_variables(text, {"m.yaml", 1, 1}, {{"A", "${A}"}}));
  return 0;
}
