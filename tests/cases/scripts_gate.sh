# When scripts/gate builds, and what it says of it: a compiler, cmake and ninja of the test's own stand in for the real
# ones, which tests/run itself is the proof of.
. "$(dirname "$0")/_lib"

tree=$PWD/tree tools=$PWD/tools calls=$PWD/calls
mkdir -p "$tree"/{scripts,src/cli,include,tests/trainer} "$tools" outside
cp "$SOURCE"/scripts/{gate,_packages} "$tree/scripts"
touch -d '1 hour ago' "$tree"/{CMakeLists.txt,CMakePresets.json} "$tree/src/cli/main.cpp" "$tree"/{src/cli,src,include,tests/trainer}
echo 'a header' >outside/json.hpp
echo 'a compiler' >outside/c++

cat >"$tools/cmake" <<'TOOL'
#!/usr/bin/env bash
build=$TREE/build/release
echo "cmake $1" >>"$CALLS"
if [[ $1 == --build ]]; then
  printf '#!/usr/bin/env bash\necho "gate runs: $*"\n' >"$build/gate"
  cp "$build/gate" "$build/tinygpt" && chmod +x "$build/gate" "$build/tinygpt"
  printf '[0/2] Re-checking\n[1/2] Building a\n[2/2] Building b\n'
  [[ ! -f $TREE/src/broken ]] || { echo 'src/broken:1: error: no such thing' && exit 1; }
else
  printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$TREE" "CMAKE_CXX_COMPILER:FILEPATH=$OUTSIDE/c++" >"$build/CMakeCache.txt"
  touch "$build/build.ninja"
fi
TOOL
cat >"$tools/ninja" <<'TOOL'
#!/usr/bin/env bash
case "$*" in
  *'-t deps') printf 'main.o: #deps 2\n    %s/json.hpp\n    %s/src/cli/main.cpp\n' "$OUTSIDE" "$TREE" ;;
  *'-t clean') echo 'ninja clean' >>"$CALLS" ;;
esac
TOOL
chmod +x "$tools"/*

export TREE=$tree CALLS=$calls OUTSIDE=$PWD/outside PATH=$tools:$PATH

# gate_says EXIT-CODE CALLS TEXT...: how scripts/gate ends, which tools it calls, and what it says of that.
gate_says() {
  local code=$1 expected=$2 text
  shift 2
  : >"$calls"
  expect_exit "$code" bash "$tree/scripts/gate" list
  echo "$expected" >expected && paste -sd, "$calls" >called
  expect_same called expected
  for text; do expect_err "$text"; done
  [[ $# != 0 || $code != 0 ]] || expect_same .last/err /dev/null
  [[ $code != 0 ]] || expect_out "gate runs: list"
}

gate_says 0 "cmake -S,cmake --build" "gate: building: it was not built yet" "gate: building 1/2, about"
refute_err "division"
gate_says 0 ""

# What another package brings is nothing to gate.
echo 'another header' >outside/other.hpp
gate_says 0 ""

touch "$tree/src/cli/main.cpp"
gate_says 0 "cmake --build" "gate: building: src/cli/main.cpp changed"
gate_says 0 ""
touch -d '1 hour ago' "$tree/src/cli/new.cpp" # an old file in a folder that is changed by it
gate_says 0 "cmake --build" "gate: building: src/cli changed"

echo 'a longer header' >outside/json.hpp
gate_says 0 "cmake --build" "gate: building: $PWD/outside/json.hpp changed"
touch -d @1000000000 outside/json.hpp # another time
gate_says 0 "cmake --build" "gate: building: $PWD/outside/json.hpp changed"
echo 'a header of another size' >outside/json.hpp && touch -d @1000000000 outside/json.hpp
gate_says 0 "cmake --build" "gate: building: $PWD/outside/json.hpp changed"
gate_says 0 ""

echo 'another compiler' >outside/c++
gate_says 0 "ninja clean,cmake --build" "gate: building: $PWD/outside/c++ changed"
gate_says 0 ""

# A build that fails leaves nothing that is taken for one: it is tried again.
touch "$tree/src/broken"
gate_says 125 "cmake --build" "error: no such thing" "could not be built: the build failed"
gate_says 125 "cmake --build" "gate: building: src"
rm "$tree/src/broken"
gate_says 0 "cmake --build" "gate: building: src changed"
gate_says 0 ""
