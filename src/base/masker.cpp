#include <algorithm>
#include <utility>

#include "base/secret_finder.h"
#include "gate/base/secrets.h"

namespace gate {

Masker::Masker(std::span<const std::string> secrets) {
  std::vector<std::string> words;
  for (const std::string& secret : secrets)
    if (!secret.empty()) words.push_back(secret);
  if (!words.empty()) finder_ = std::make_shared<const SecretFinder>(words);
}

std::string Masker::mask(std::string_view text) const {
  StreamMasker stream(*this);
  std::string masked(stream.feed(text));
  return masked += stream.finish();
}

StreamMasker::StreamMasker(Masker masker) : masker_(std::move(masker)) {}

std::string_view StreamMasker::feed(std::string_view bytes) {
  if (!masker_.has_secrets()) return bytes;
  const bool nothing_held = released_ == read_;
  find(bytes);
  const Offset closed = read_ - masker_.finder_->open(node_);
  if (nothing_held && secrets_.empty()) {
    const std::size_t clear = bytes.size() - static_cast<std::size_t>(read_ - closed);
    tail_.assign(bytes.substr(clear));
    tail_begin_ = released_ = closed;
    if (clear > 0) in_mask_ = false;
    return bytes.substr(0, clear);
  }
  tail_ += bytes;
  release(closed);
  return out_;
}

std::string_view StreamMasker::finish() {
  release(read_);
  node_ = 0;
  in_mask_ = false;
  return out_;
}

void StreamMasker::find(std::string_view bytes) {
  const SecretFinder& finder = *masker_.finder_;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (node_ == SecretFinder::root) i = finder.skip(bytes, i);
    node_ = finder.step(node_, bytes[i]);
    const Offset end = read_ + i + 1;
    if (const std::size_t length = finder.match(node_); length > 0) cover({end - length, end});
  }
  read_ += bytes.size();
}

// Ends rise, so only the last spans can touch the new one.
void StreamMasker::cover(Span span) {
  while (!secrets_.empty() && secrets_.back().end >= span.begin) {
    span.begin = std::min(span.begin, secrets_.back().begin);
    secrets_.pop_back();
  }
  secrets_.push_back(span);
}

void StreamMasker::release(Offset end) {
  out_.clear();
  while (released_ < end) {
    if (secrets_.empty() || released_ < secrets_.front().begin) {
      write_clear(secrets_.empty() ? end : std::min(end, secrets_.front().begin));
    } else {
      write_masked(std::min(end, secrets_.front().end));
      if (released_ == secrets_.front().end) secrets_.pop_front();
    }
  }
  forget_released();
}

void StreamMasker::write_clear(Offset end) {
  out_ += held(end);
  in_mask_ = false;
  released_ = end;
}

void StreamMasker::write_masked(Offset end) {
  for (const char byte : held(end)) {
    const bool newline = byte == '\n';
    if (newline || !in_mask_) out_ += newline ? "\n" : "***";
    in_mask_ = !newline;
  }
  released_ = end;
}

std::string_view StreamMasker::held(Offset end) const {
  return std::string_view(tail_).substr(static_cast<std::size_t>(released_ - tail_begin_),
                                        static_cast<std::size_t>(end - released_));
}

// Only when at least half is done with: text that comes byte by byte does not move what is held each time.
void StreamMasker::forget_released() {
  const std::size_t done = static_cast<std::size_t>(released_ - tail_begin_);
  if (done < tail_.size() - done) return;
  tail_.erase(0, done);
  tail_begin_ = released_;
}

}  // namespace gate
