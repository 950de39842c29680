#include "gate/base/base64.h"

#include <nettle/base64.h>

namespace gate {

std::string base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  std::size_t count = bytes.size();
  base64_decode_ctx context;
  base64_decode_init(&context);
  const bool is_read = base64_decode_update(&context, &count, reinterpret_cast<std::uint8_t*>(bytes.data()),
                                            text.size(), text.data()) != 0 &&
                       base64_decode_final(&context) != 0;
  bytes.resize(is_read ? count : 0);
  return is_read ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace gate
