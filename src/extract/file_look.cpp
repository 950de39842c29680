#include "extract/file_look.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

constexpr std::array magics{
    Magic{"\x1f\x8b", "gzip data; unpack it first"},
    Magic{"\x28\xb5\x2f\xfd", "zstd data; unpack it first"},
    Magic{"\xfd"
          "7zXZ",
          "xz data; unpack it first"},
    Magic{"BZh", "bzip2 data; unpack it first"},
    Magic{"PK\x03\x04", "a zip archive; unpack it first"},
    Magic{"\x7f"
          "ELF",
          "a program"},
    Magic{"\xff\xfe", "UTF-16 text; convert it to UTF-8 first"},
    Magic{"\xfe\xff", "UTF-16 text; convert it to UTF-8 first"},
};

constexpr std::size_t head_size = 8;

}  // namespace

void FileLook::see(std::string_view bytes) {
  if (head_.size() < head_size) head_ += bytes.substr(0, head_size - head_.size());
  bytes_ += static_cast<std::int64_t>(bytes.size());
  if (!binary_) binary_ = bytes.find('\0') != std::string_view::npos;
  if (blank_) blank_ = trim(bytes).empty();
}

std::string FileLook::why_nothing() const {
  if (bytes_ == 0) return "the log is empty";
  const auto it = std::find_if(magics.begin(), magics.end(),
                               [&](const Magic& magic) { return head_.starts_with(magic.bytes); });
  if (it != magics.end()) return "the file is " + std::string(it->what);
  if (binary_) return "the file is binary: it holds NUL bytes";
  return blank_ ? "the log holds only blanks" : "no line of a known format";
}

}  // namespace gate::extract
