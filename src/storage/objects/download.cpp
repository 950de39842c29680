#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "gate/base/text.h"
#include "objects/call.h"
#include "objects/digests.h"

namespace gate::objects {

namespace {

// A part of a name of a file: what ETags are made of, or what stands for them. The name alone says of which
// object the bytes are (decision 61).
std::string word_of(const std::string& etag) {
  constexpr std::size_t longest = 48;
  const bool is_word = !etag.empty() && etag.size() <= longest &&
                       std::ranges::all_of(etag, [](char c) { return is_letter_or_digit(c) || c == '-'; });
  return is_word ? etag : fs::sha256(etag).substr(0, 32);
}

// Of what the object was before, and was never whole.
void forget_other_parts(const fs::Path& file) {
  constexpr std::size_t shortest = 32;  // of a word of an ETag that is a digest
  const std::string begin = file.filename().string() + ".", end = ".part";
  std::error_code unknown;
  for (const auto& entry : std::filesystem::directory_iterator(fs::whole_path(file).parent_path(), unknown)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(end) ||
        name.size() < begin.size() + shortest + end.size())
      continue;
    const std::string word = name.substr(begin.size(), name.size() - begin.size() - end.size());
    if (word.find_first_not_of("0123456789abcdef-") == std::string::npos)
      std::ignore = fs::remove_file(entry.path());
  }
}

// Tell whether it is a file of this user, with this name only, and no link to one.
bool is_own_file(const fs::Path& file) {
  struct stat facts {};
  return ::lstat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
         facts.st_nlink == 1;
}

// Return why the answer is no part of the object from that byte on, or "".
std::string why_other(const Object& object, std::uintmax_t from, const net::Response& head) {
  constexpr int partial = 206;
  const std::string etag = without_quotes(head.header("etag")), range = head.header("content-range");
  if (!etag.empty() && !object.etag.empty() && etag != object.etag)
    return "it changed while it was read; read it again";
  const bool is_asked = range.starts_with("bytes " + std::to_string(from) + "-") &&
                        range.ends_with("/" + std::to_string(object.size));
  if (head.status == partial && !is_asked) return "the store sends another range than was asked for";
  return "";
}

// Of content in parts: the MD5 of their MD5s.
class DigestOfParts {
 public:
  explicit DigestOfParts(std::uintmax_t part) : part_(part) {}

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t count = std::min<std::uintmax_t>(part_ - in_part_, bytes.size());
      sum_.add(bytes.substr(0, count));
      in_part_ += count;
      bytes.remove_prefix(count);
      if (in_part_ == part_) end_part();
    }
  }

  std::string take() {
    if (in_part_ > 0) end_part();
    return hex(md5(digests_)) + "-" + std::to_string(count_);
  }

 private:
  void end_part() {
    digests_ += sum_.take();
    in_part_ = 0;
    ++count_;
  }

  std::uintmax_t part_, in_part_ = 0;
  RunningMd5 sum_;
  std::string digests_;
  int count_ = 0;
};

}  // namespace

Stored<Object> ObjectStore::get(const std::string& key, const fs::Path& file) {
  const auto failed = [&](const std::string& what) {
    return tl::unexpected(error(key, Failing::failed, what));
  };
  std::error_code problem;
  const auto there = std::filesystem::status(file, problem).type();
  if (there != std::filesystem::file_type::not_found && there != std::filesystem::file_type::regular)
    return failed(file.string() + ": is no regular file");
  GATE_TRY(const Object object, head(key));
  const fs::Path part = file.string() + "." + word_of(object.etag) + ".part";
  if (const Status made = fs::make_folder(fs::whole_path(file).parent_path()); !made)
    return failed(made.error().message);
  GATE_TRY_STATUS(receive(object, part));
  GATE_TRY_STATUS(check_received(object, part));
  std::filesystem::rename(part, file, problem);
  if (problem) return failed(file.string() + ": " + problem.message());
  forget_other_parts(file);
  return object;
}

// Where it is cut again and again, but got further each time, it goes on; anew it begins as often as a
// request is tried.
Stored<void> ObjectStore::receive(const Object& object, const fs::Path& part) {
  const auto failed = [&](const std::string& what) {
    return tl::unexpected(error(object.key, Failing::failed, what));
  };
  const bool goes_on = is_own_file(part) && !object.etag.empty() && fs::size_of(part) <= object.size;
  if (goes_on && fs::size_of(part) == object.size) return {};
  if (!goes_on && fs::is_taken(part))
    if (const Status removed = fs::remove_file(part); !removed) return failed(removed.error().message);
  Call call{.method = "GET", .key = object.key};
  if (!object.etag.empty()) call.headers["if-match"] = "\"" + object.etag + "\"";
  std::uintmax_t from = 0;
  std::string other;
  call.into = [&] {
    from = object.etag.empty() ? 0 : fs::size_of(part);
    other.clear();
    return net::AnswerTarget{part, from, object.size, [&](const net::Response& head) {
                               other = why_other(object, from, head);
                               return other.empty();
                             }};
  };
  for (int restarts = 0; restarts <= access_.retries;) {
    const std::uintmax_t before = fs::size_of(part);
    const Stored<net::Response> answer = ask(call);
    const std::uintmax_t now = fs::size_of(part);
    const bool may_go_on =
        !answer && !object.etag.empty() && !stop_() && now > before && answer.error().kind == Failing::failed;
    if (now == object.size && answer && other.empty()) return {};
    if (!other.empty() || (!answer && object.etag.empty())) std::ignore = fs::remove_file(part);
    if (!other.empty()) return failed(other);
    if (!answer && !may_go_on) return tl::unexpected(answer.error());
    if (answer && now <= before) {  // a server that knows of no ranges sends all of it again
      std::ignore = fs::remove_file(part);
      if (before == 0) break;
      ++restarts;
    }
  }
  return failed("came shorter than it is");
}

Stored<void> ObjectStore::check_received(const Object& object, const fs::Path& part) const {
  const bool in_parts = object.etag.find('-') != std::string::npos;
  if (!object.is_etag_digest || (in_parts ? object.part == 0 : object.etag.size() != 32)) return {};
  DigestOfParts digest(in_parts ? object.part : object.size + 1);
  RunningMd5 plain;
  const Status read = fs::read_blocks(part, [&](std::string_view block) {
    if (in_parts)
      digest.add(block);
    else
      plain.add(block);
  });
  if (!read) return tl::unexpected(error(object.key, Failing::failed, read.error().message));
  const std::string found = in_parts ? digest.take() : hex(plain.take());
  if (found == object.etag) return {};
  std::ignore = fs::remove_file(part);
  return tl::unexpected(error(object.key, Failing::failed,
                              "what came is damaged: its MD5 is " + found + ", its ETag " + object.etag));
}

}  // namespace gate::objects
