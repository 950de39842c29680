#include "extract/events/wandb_file.h"

#include <algorithm>
#include <utility>

#include "extract/events/crc.h"
#include "extract/events/wire.h"
#include "gate/base/little_endian.h"

namespace gate::extract {

namespace {

constexpr std::string_view wandb_name = ":W&B";
constexpr std::string_view wandb_mark{"\xE1\xBE\0", 3};  // the number behind the name, and the version

// Types of chunks.
constexpr unsigned char full_chunk = 1, first_chunk = 2, last_chunk = 4;

bool begins_record(unsigned char type) { return type == full_chunk || type == first_chunk; }
bool ends_record(unsigned char type) { return type == full_chunk || type == last_chunk; }

}  // namespace

bool looks_like_wandb(std::string_view head) {
  return head.starts_with(wandb_name) ||
         (head.size() >= 7 && head.substr(wandb_name.size()).starts_with(wandb_mark));
}

void WandbFile::feed(std::string_view bytes) {
  while (!bytes.empty() && part_ != Part::lost) bytes = feed_part(bytes);
}

// Take what the part lacks, and return what is behind it.
std::string_view WandbFile::feed_part(std::string_view bytes) {
  const std::string_view piece = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
  if (part_ == Part::start || part_ == Part::head) head_ += piece;
  if (part_ == Part::data) chunk_ += piece;
  left_ -= piece.size();
  at_ += piece.size();
  while (left_ == 0 && part_ != Part::lost) end_part();
  return bytes.substr(piece.size());
}

void WandbFile::begin(Part part, std::uint64_t size) {
  part_ = part;
  left_ = size;
}

void WandbFile::begin_chunk() {
  const std::uint64_t room = block_size - at_ % block_size;
  if (!open_) offset_ = at_;
  head_.clear();
  if (room < head_size)
    begin(Part::padding, room);
  else
    begin(Part::head, head_size);
}

void WandbFile::end_part() {
  if (part_ == Part::start) return end_start();
  if (part_ == Part::head) return end_head();
  if (part_ == Part::data) return end_chunk();
  begin_chunk();
}

void WandbFile::end_start() {
  const bool is_read = head_.starts_with(wandb_name) && std::string_view(head_).ends_with(wandb_mark);
  if (is_read) return begin_chunk();
  const bool is_other =
      head_.starts_with(wandb_name) && head_[4] == wandb_mark[0] && head_[5] == wandb_mark[1];
  complain(ProblemKind::unreadable, is_other
                                        ? say({"a file of W&B of version {}, and gate reads version 0",
                                               "这是版本 {} 的 W&B 文件，gate 只读版本 0"},
                                              static_cast<int>(static_cast<unsigned char>(head_[6])))
                                        : say({"the file of W&B is damaged at its beginning, and not read",
                                               "W&B 文件的开头已损坏，不予读取"}));
  begin(Part::lost, 0);
}

void WandbFile::end_head() {
  const std::uint64_t length = little_endian(std::string_view(head_).substr(4, 2));
  const std::uint64_t head_at = at_ - head_size;
  const auto type = static_cast<unsigned char>(head_[6]);
  if (type < full_chunk || type > last_chunk || head_at % block_size + head_size + length > block_size)
    return leave_block(say({"no part of a record begins here", "此处不是记录的开头"}));
  chunk_.clear();
  begin(Part::data, length);
}

void WandbFile::end_chunk() {
  const auto type = static_cast<unsigned char>(head_[6]);
  Crc32 crc;
  crc.add(std::string_view(head_).substr(6));
  crc.add(chunk_);
  if (crc.value() != little_endian(std::string_view(head_).substr(0, 4)))
    return leave_block(say({"the CRC of its data is wrong", "数据的 CRC 有误"}));
  const bool begins = begins_record(type);
  if (begins && open_) {
    complain(ProblemKind::unreadable,
             say({"its end is missing: the record is left out", "缺少结尾：略去该记录"}));
    ++record_;
    offset_ = at_ - chunk_.size() - head_size;
  } else if (!begins && !open_) {
    if (!std::exchange(skipping_, true))
      complain(ProblemKind::unreadable,
               say({"its beginning is missing: the record is left out", "缺少开头：略去该记录"}));
    return begin_chunk();
  }
  if (begins) data_.clear(), size_ = 0;
  open_ = true;
  skipping_ = false;
  size_ += chunk_.size();
  if (size_ <= largest_record) data_ += chunk_;
  if (ends_record(type)) end_record();
  begin_chunk();
}

void WandbFile::end_record() {
  ++ended_;
  open_ = false;
  const auto on_value = [&](std::string_view tag, std::string_view word, std::int64_t step) {
    handlers_.on_scalar({tag, word, step, 0, offset_, record_});
  };
  if (size_ > largest_record)
    complain(ProblemKind::unreadable, too_large(size_));
  else if (const Sentence why = run_.read(data_, on_value, other_values_); !why.empty())
    complain(ProblemKind::malformed, why);
  ++record_;
}

void WandbFile::leave_block(const Sentence& why) {
  const std::uint64_t begin_of_chunk = at_ - head_size - (part_ == Part::data ? chunk_.size() : 0);
  const std::uint64_t rest = block_size - at_ % block_size;
  complain(ProblemKind::unreadable,
           say({"{}: the file is damaged here, and the rest of its block, from byte {} on, is left out",
                "{}：文件在此处损坏，略去该块从字节 {} 起的其余部分"},
               why, begin_of_chunk));
  ++record_;
  open_ = false;
  skipping_ = true;
  begin(Part::rest, begin_of_chunk / block_size == at_ / block_size ? rest : 0);
  if (left_ == 0) begin_chunk();
}

void WandbFile::finish() {
  const bool is_told = part_ == Part::lost || part_ == Part::rest;
  if (!is_told && at_ > offset_) complain(ProblemKind::torn, cut_off_after(at_ - offset_));
}

}  // namespace gate::extract
