#include "extract/events/event_file.h"

#include <algorithm>
#include <cstddef>

#include "extract/events/event_message.h"
#include "extract/events/wire.h"
#include "gate/base/little_endian.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t length_size = 8;
constexpr std::size_t head_of_file = 12;

bool is_true_head(std::string_view head) {
  return masked_crc(head.substr(0, length_size)) == little_endian(head.substr(length_size));
}

}  // namespace

std::uint32_t masked_crc(std::string_view bytes) {
  Crc32c crc;
  crc.add(bytes);
  return crc.masked();
}

bool looks_like_events(std::string_view head) {
  return head.size() >= head_of_file && is_true_head(head.substr(0, head_of_file));
}

void EventFile::feed(std::string_view bytes) {
  while (!bytes.empty() && part_ != Part::lost) bytes = feed_part(bytes);
}

// Take what the part lacks, and return what is behind it.
std::string_view EventFile::feed_part(std::string_view bytes) {
  const std::string_view piece = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
  if (part_ != Part::data) edge_ += piece;
  if (part_ == Part::data) crc_.add(piece);
  if (part_ == Part::data && length_ <= largest_record) data_ += piece;
  left_ -= piece.size();
  got_ += piece.size();
  while (left_ == 0 && part_ != Part::lost) end_part();
  return bytes.substr(piece.size());
}

void EventFile::begin(Part part, std::uint64_t size) {
  part_ = part;
  left_ = size;
  edge_.clear();
}

void EventFile::end_part() {
  if (part_ == Part::head) return end_head();
  if (part_ == Part::data) return begin(Part::tail, tail_size);
  end_record();
  offset_ += got_;
  got_ = 0;
  ++record_;
  begin(Part::head, head_size);
}

void EventFile::end_head() {
  if (!is_true_head(edge_)) {
    complain(
        ProblemKind::unreadable,
        say({"the CRC of its length is wrong: the file is damaged here, and what follows cannot be found",
             "长度的 CRC 有误：文件在此处损坏，其后的内容无法找到"}));
    return begin(Part::lost, 0);
  }
  length_ = little_endian(std::string_view(edge_).substr(0, length_size));
  data_.clear();
  crc_ = {};
  begin(Part::data, length_);
}

void EventFile::end_record() {
  ++ended_;
  if (crc_.masked() != little_endian(edge_))
    complain(ProblemKind::unreadable,
             say({"the CRC of its data is wrong: the record is damaged, and left out",
                  "数据的 CRC 有误：记录已损坏，略去"}));
  else if (length_ > largest_record)
    complain(ProblemKind::unreadable, too_large(length_));
  else if (const std::optional<EventHead> head = read_event(data_))
    for_each_value(data_, [&](const EventValue& value) {
      if (value.scalar.kind != ScalarKind::number) return void(++other_values_);
      handlers_.on_scalar({value.tag, value.scalar.word, head->step, head->wall_time, offset_, record_});
    });
  else
    complain(ProblemKind::malformed,
             say({"its data is no event: the record is left out", "数据不是事件：略去该记录"}));
}

void EventFile::finish() {
  if (part_ != Part::lost && got_ > 0) complain(ProblemKind::torn, cut_off_after(got_));
}

}  // namespace gate::extract
