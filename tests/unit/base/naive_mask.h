// What masking means, written down without any cleverness: the yardstick of the tests and the fuzz target.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/secrets.h"

namespace gate {

inline std::string naive_mask(std::string_view text, std::span<const std::string> secrets) {
  std::vector<bool> secret(text.size());
  for (const std::string& word : secrets)
    for (std::size_t at = 0; !word.empty() && (at = text.find(word, at)) != std::string_view::npos; ++at)
      for (std::size_t i = at; i < at + word.size(); ++i) secret[i] = true;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || !secret[i - 1] || text[i - 1] == '\n';
    if (!secret[i] || text[i] == '\n')
      out += text[i];
    else if (begins)
      out += "***";
  }
  return out;
}

// Return the length of the longest end of the text that is a beginning, but not all, of a secret.
inline std::size_t naive_held(std::string_view text, std::span<const std::string> secrets) {
  std::size_t held = 0;
  for (const std::string& word : secrets)
    for (std::size_t n = 1; n < word.size(); ++n)
      if (text.ends_with(std::string_view(word).substr(0, n))) held = std::max(held, n);
  return held;
}

// Return the text, masked as it comes in pieces of that size.
inline std::string mask_in_pieces(std::string_view text, const Masker& masker, std::size_t size) {
  StreamMasker stream(masker);
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += size) out += stream.feed(text.substr(at, size));
  return out += stream.finish();
}

}  // namespace gate
