// Any bytes as what an agent or a gate says: messages that come back the same, or a reader that is broken;
// their words as every kind of value.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gate/hosts/protocol.h"
#include "gate/hosts/sent_tree.h"
#include "targets.h"

namespace {

using namespace gate::hosts;

std::vector<Frame> frames_in_pieces(std::string_view bytes, std::size_t piece) {
  FrameReader reader;
  std::vector<Frame> frames;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, piece));
    while (const auto frame = reader.next()) frames.push_back(*frame);
  }
  return frames;
}

template <class Read>
void take_as(const Frame& frame, Read read) {
  WordReader words(frame);
  const auto value = read(words);
  if (!words.is_good()) return;
  Frame written;
  add(written, value);
  WordReader again(written);
  read(again);
  if (!again.is_good()) std::abort();
}

void take_as_entries(const Frame& frame) {
  WordReader words(frame);
  const auto entries = read_entries(words);
  if (!entries) return;
  Frame written;
  for (const TreeEntry& entry : *entries) {
    if (!is_plain_path(entry.path)) std::abort();
    add(written, entry);
  }
  WordReader again(written);
  if (read_entries(again).value() != *entries) std::abort();
}

}  // namespace

int frames_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<Frame> frames = frames_in_pieces(bytes, bytes.size() + 1);
  if (frames != frames_in_pieces(bytes, 3)) std::abort();
  for (const Frame& frame : frames) {
    if (frames_in_pieces(encode(frame), 1) != std::vector<Frame>{frame}) std::abort();
    take_as(frame, read_command);
    take_as(frame, read_hello);
    take_as(frame, read_state);
    take_as(frame, read_tool_answer);
    take_as(frame, read_holder);
    take_as(frame, read_displaced);
    take_as_entries(frame);
  }
  return 0;
}
