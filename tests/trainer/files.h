// Files that are whole or not there, and errors that name them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tinygpt {

// An open file. What fails throws std::system_error, or std::runtime_error for what is no regular file, with
// the path in its words.
class File {
 public:
  static File to_read(const std::string& path);

  // One of that name is emptied.
  static File to_write(const std::string& path);

  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  std::size_t size() const;

  // Read the next bytes, as many as there are: fewer at the end of the file only. Return how many.
  std::size_t read(std::span<std::byte> bytes);

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  // Return when all of it would survive the loss of power.
  void sync();

 private:
  File(const std::string& path, int flags, const char* deed);
  [[noreturn]] void fail() const;

  std::string path_;
  const char* deed_;  // `read` or `write`
  int fd_;
};

// False if there is nothing of that name; what cannot be looked at may be there.
bool exists(const std::string& path);

// Make the folder and those above it, where they are not there. Throws std::system_error.
void make_folders(const std::string& path);

// Write a file anew: under the name `path`.part until all of it would survive the loss of power. Whoever is
// killed before leaves the file as it was. Throws what File or `write` throws; nothing is left of `path`.part
// then.
void replace_file(const std::string& path, const std::function<void(File&)>& write);

}  // namespace tinygpt
