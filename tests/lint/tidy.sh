#!/usr/bin/env bash
# Fails where clang-tidy finds something in the sources of a room.   tidy.sh TREE BUILD ROOM
cd "${1:?usage: tidy.sh TREE BUILD ROOM}" || exit 2
# A format that is data has no code to look at.
mapfile -t sources < <(find "$PWD"/src/*/"$3" -name '*.cpp' -exec grep -L 'return make_format(' {} +)
((${#sources[@]})) || { echo "no sources of $3" && exit 77; }
commands=$(mktemp -d) || exit 2
trap 'rm -rf "$commands"' EXIT
# What g++ alone knows, and its precompiled headers: each file must stand on its own includes.
sed 's/ -fvect-cost-model=[a-z]*//g; s/ -Wno-restrict//g; s/ -Winvalid-pch//g; s/ -include [^ ]*cmake_pch\.hxx//g' \
  "$2/compile_commands.json" >"$commands/compile_commands.json"
clang-tidy --quiet -p "$commands" "${sources[@]}"
