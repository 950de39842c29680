#!/usr/bin/env bash
# Fails where a C++ file is not as clang-format writes it.   format.sh TREE
cd "${1:?usage: format.sh TREE}" || exit 2
find include src tests \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 -r clang-format --dry-run -Werror
