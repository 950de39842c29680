#include "words/chinese/rows.h"

namespace gate::words {

namespace {

constexpr ChineseRow page_table[] = {
    {"PLACEHOLDER page", "PLACEHOLDER page"},
};

}  // namespace

std::span<const ChineseRow> page_rows() { return page_table; }

}  // namespace gate::words
