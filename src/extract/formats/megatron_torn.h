// Which records of format `megatron` are whole, and which two lines make one record. See megatron.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "extract/records/record.h"

namespace gate::extract::megatron {

// Return how whole an iteration line is, from the fields read out of it and the text behind its last bar.
Whole iteration_wholeness(const Record& record);

// Tell whether the last number of a memory line was printed to its end.
bool is_ended(std::string_view word, const Record& record);

// Return what stands behind lines that end in the middle of a head, before `iteration` is complete; line ends
// count.
std::vector<std::string> cut_heads();

// Return where the head of a record begins that the end of the text cuts off, or npos.
std::size_t cut_head(std::string_view text);

// Tell whether the record that is the text may have been put together at the seam.
bool joins(std::string_view text, std::size_t seam);

}  // namespace gate::extract::megatron
