#include "words/chinese/rows.h"

namespace gate::words {

namespace {

constexpr ChineseRow machine_table[] = {
    {"PLACEHOLDER machine", "PLACEHOLDER machine"},
};

}  // namespace

std::span<const ChineseRow> machine_rows() { return machine_table; }

}  // namespace gate::words
