// Any line in Chinese: what is valid UTF-8 stays so, and what is verbatim stays as it is. A long line would
// not end within the target's time if it took time that grows with its square.
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#include "gate/words/chinese.h"
#include "targets.h"

namespace {

using gate::words::Language;

void demand_translation(bool holds) {
  if (!holds) std::abort();
}

bool is_valid(std::string_view text) { return gate::printable(text, text.size()) == text; }

}  // namespace

int chinese_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string chinese = gate::words::in_chinese(text);
  if (is_valid(text)) demand_translation(is_valid(chinese));
  const std::string shown = gate::words::shown_in(Language::chinese, text);
  const std::string quote = gate::words::shown_in(Language::english, text);  // without marks
  const std::string kept = gate::words::verbatim(quote);
  const std::string bare = gate::words::shown_in(Language::english, kept);
  demand_translation(gate::words::shown_in(Language::chinese, kept) == bare);
  demand_translation(gate::words::shown_in(Language::chinese, kept + shown).find(bare) != std::string::npos);
  std::string many;
  while (many.size() < 100'000 && !text.empty()) many += text + "; ";
  gate::words::shown_in(Language::chinese, many);
  return 0;
}
