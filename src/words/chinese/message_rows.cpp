#include "words/chinese/rows.h"

namespace gate::words {

namespace {

constexpr ChineseRow message_table[] = {
    {"PLACEHOLDER message", "PLACEHOLDER message"},
};

}  // namespace

std::span<const ChineseRow> message_rows() { return message_table; }

}  // namespace gate::words
