#include "words/chinese/rows.h"

namespace gate::words {

namespace {

constexpr ChineseRow log_table[] = {
    {"PLACEHOLDER log", "PLACEHOLDER log"},
};

}  // namespace

std::span<const ChineseRow> log_rows() { return log_table; }

}  // namespace gate::words
