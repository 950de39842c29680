#include "words/chinese/rows.h"

namespace gate::words {

namespace {

constexpr ChineseRow judging_table[] = {
    {"PLACEHOLDER judging", "PLACEHOLDER judging"},
};

}  // namespace

std::span<const ChineseRow> judging_rows() { return judging_table; }

}  // namespace gate::words
