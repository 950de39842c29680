// Any secrets and any text: masked whole and in pieces as the naive way does it. The first line of the input
// holds the secrets, by commas; `|` in one of them is a newline.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "../unit/base/naive_mask.h"
#include "gate/base/text.h"
#include "targets.h"

namespace {

constexpr std::size_t most_secrets = 16;  // the naive way takes its time

std::vector<std::string> read_secrets(std::string_view line) {
  std::vector<std::string> secrets;
  for (const std::string_view word : gate::split(line, ',')) {
    if (secrets.size() == most_secrets) break;
    std::string& secret = secrets.emplace_back(word);
    std::replace(secret.begin(), secret.end(), '|', '\n');
  }
  return secrets;
}

void demand_same(const std::string& found, const std::string& expected, std::size_t piece) {
  if (found == expected) return;
  std::fprintf(stderr, "in pieces of %zu bytes:\n%s\nexpected:\n%s\n", piece, found.c_str(),
               expected.c_str());
  std::abort();
}

}  // namespace

int mask_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = input.find('\n');
  if (newline == std::string_view::npos) return 0;
  const std::vector<std::string> secrets = read_secrets(input.substr(0, newline));
  const std::string_view text = input.substr(newline + 1);
  const gate::Masker masker(secrets);
  const std::string expected = gate::naive_mask(text, secrets);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{data[0]} + 2, size})
    demand_same(gate::mask_in_pieces(text, masker, piece), expected, piece);
  return 0;
}
