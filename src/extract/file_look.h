// What a file is, where no line of it was understood.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gate::extract {

class FileLook {
 public:
  explicit FileLook(std::string name) : name_(std::move(name)) {}

  void see(std::string_view bytes);
  void count_matches(std::size_t more) { matches_ += static_cast<std::int64_t>(more); }

  // Return why nothing was read: `empty`, `binary (gzip ...)`, `no line of a known format`.
  std::string why_nothing() const;

  const std::string& name() const { return name_; }
  std::int64_t bytes() const { return bytes_; }
  bool is_text() const { return !binary_ && !blank_; }
  bool matched() const { return matches_ > 0; }

 private:
  std::string name_;
  std::string head_;  // its first bytes
  std::int64_t bytes_ = 0;
  std::int64_t matches_ = 0;
  bool binary_ = false;  // it has NUL bytes
  bool blank_ = true;
};

}  // namespace gate::extract
