// Any bytes are a baseline or an error, never a crash; and what gate itself writes, it reads back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/schema/baseline_file.h"
#include "targets.h"

int baseline_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gate::schema::looks_like_golden(text);
  const auto baseline = gate::schema::read_baseline(text, "fuzz.json");
  if (!baseline || baseline->origin != "gate") return 0;
  const std::string written = gate::schema::write_baseline(*baseline);
  const auto again = gate::schema::read_baseline(written, "again.json");
  if (!again || gate::schema::write_baseline(*again) != written) std::abort();
  return 0;
}
