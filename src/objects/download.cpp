#include <algorithm>

#include "gate/base/text.h"
#include "objects/answers.h"
#include "objects/call.h"
#include "objects/digests.h"

namespace gate::objects {

namespace {

// A part of a name of a file: what ETags are made of, or what stands for them.
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
  GATE_TRY(const Object object, head(key));
  const fs::Path part = file.string() + "." + word_of(object.etag) + ".part";
  if (const Status made = fs::make_folder(fs::whole_path(file).parent_path()); !made)
    return failed(made.error().message);
  GATE_TRY_STATUS(receive(object, part));
  GATE_TRY_STATUS(check_received(object, part));
  std::error_code problem;
  std::filesystem::rename(part, file, problem);
  if (problem) return failed(file.string() + ": " + problem.message());
  forget_other_parts(file);
  return object;
}

// Where it is cut again and again, but got further each time, it goes on.
Stored<void> ObjectStore::receive(const Object& object, const fs::Path& part) {
  if (fs::size_of(part) > object.size) std::ignore = fs::remove_file(part);
  if (fs::exists(part) && fs::size_of(part) == object.size) return {};
  Call call{.method = "GET", .key = object.key};
  if (!object.etag.empty()) call.headers["if-match"] = "\"" + object.etag + "\"";
  call.into = [&] { return net::AnswerTarget{part, fs::size_of(part), object.size}; };
  for (;;) {
    const std::uintmax_t before = fs::size_of(part);
    const Stored<net::Response> answer = ask(call);
    const std::uintmax_t now = fs::size_of(part);
    if (!answer && (stop_() || now <= before || answer.error().kind != Failing::failed))
      return tl::unexpected(answer.error());
    if (now == object.size && answer) return {};
    if (answer && now <= before) {  // a server that knows of no ranges sends all of it again
      std::ignore = fs::remove_file(part);
      if (before == 0) return tl::unexpected(error(object.key, Failing::failed, "came shorter than it is"));
    }
  }
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
