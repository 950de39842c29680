// Secrets: which values they are, and how they are kept out of what is stored and shown.
//
// Every byte that belongs to an occurrence of a secret is masked, also where occurrences overlap or lie
// within one another, and each run of such bytes becomes one `***`. (Leftmost-longest replacement would leave
// the tail of a secret that begins inside another one.) Newlines are kept, so that a masked log has the lines
// of the unmasked one.
//
// Masked is what stands there byte for byte. Not found is a secret that is encoded (base64, URL, the escapes
// of JSON), that a launcher's prefix or a line break tears, or of which only a part is printed. Text is
// masked before it is put into JSON or XML, not after.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <vector>
#include "gate/base/sentence.h"

namespace gate {

// A shorter value is no secret: it would be found by chance, and masking it would spoil ordinary lines.
constexpr std::size_t shortest_secret = 8;

// Return the texts to mask: values, without blanks at both ends, of at least `shortest_secret` bytes of
//   - variables whose names look secret: `*TOKEN`, `*SECRET*`, `*PASSWORD*`, `*_KEY`, `*_KEY_ID`, and those
//     that have one of PAT, PASS, PASSWD, JWT, COOKIE, CREDENTIALS, APIKEY and TOKENS as a whole word between
//     `_`, in any case of letters, but not `*TOKENIZER*`; unless the value is a number or `is_path` says that
//     it is a path that exists;
//   - variables that `listed` names, by name or by glob, in the case that is written; whatever the value is.
// Of a value of several lines also every line that is long enough, for logs are prefixed line by line.
// Sorted, each once.
std::vector<std::string> secret_values(const std::map<std::string, std::string>& environment,
                                       std::span<const std::string> listed,
                                       const std::function<bool(const std::string&)>& is_path);

// Return the secrets in what names places, `s3://user:SECRET@host/key?X-Amz-Signature=SECRET` or a list of
// such: what stands before the `@` of a URL, its part behind `:` if it has two, and the values of parameters
// whose names look secret. Those that are shorter than `shortest_secret` are none.
std::vector<std::string> secrets_in_places(std::string_view text);

// Return the text without them.
std::string without_place_secrets(std::string_view text);

class SecretFinder;

// What is masked. Copies are cheap and share what was built from the secrets.
class Masker {
 public:
  Masker() = default;
  // Takes time and memory in proportion to the secrets' length. An empty secret is none.
  explicit Masker(std::span<const std::string> secrets);

  bool has_secrets() const { return finder_ != nullptr; }

  // Return the text, masked; of a sentence both.
  std::string mask(std::string_view text) const;
  std::string mask(const std::string& text) const { return mask(std::string_view(text)); }
  std::string mask(const char* text) const { return mask(std::string_view(text)); }
  Sentence mask(const Sentence& sentence) const;

 private:
  friend class StreamMasker;
  std::shared_ptr<const SecretFinder> finder_;
};

// Masks a text that comes in pieces: all that feed and finish return, put together, is mask() of the whole,
// wherever it was cut. One pass; the time is linear in the text, whatever the text and the secrets are.
class StreamMasker {
 public:
  explicit StreamMasker(Masker masker);

  // Return what can be written now: all but the longest end of the text that begins a secret without
  // completing the longest one it could be. A text that ends in no such beginning is never held back. The
  // view is good until the next call, and no longer than `bytes`; with no secret in sight it is a part of
  // `bytes`, not a copy.
  std::string_view feed(std::string_view bytes);

  // Return what was held back, at the end of the text. The next feed begins a new text.
  std::string_view finish();

 private:
  using Offset = std::uint64_t;  // from the start of the text
  struct Span {
    Offset begin = 0, end = 0;
  };

  void find(std::string_view bytes);
  void cover(Span span);
  void release(Offset end);
  void write_clear(Offset end);
  void write_masked(Offset end);
  std::string_view held(Offset end) const;
  void forget_released();

  Masker masker_;
  std::uint32_t node_ = 0;    // how much of which secret the text read ends in
  Offset read_ = 0;           // what was fed
  Offset released_ = 0;       // what was returned
  std::deque<Span> secrets_;  // found and not yet released: disjoint, rising
  std::string tail_;          // the text from tail_begin_ on
  Offset tail_begin_ = 0;
  std::string out_;
  bool in_mask_ = false;  // the byte before `released_` is part of a `***`
};

}  // namespace gate
