#include "words/chinese/rows.h"

namespace gate::words {

namespace {

constexpr ChineseRow ending_table[] = {
    {"PLACEHOLDER ending", "PLACEHOLDER ending"},
};

}  // namespace

std::span<const ChineseRow> ending_rows() { return ending_table; }

}  // namespace gate::words
