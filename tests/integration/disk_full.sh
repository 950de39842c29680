#!/usr/bin/env bash
# A full disk is gate's own trouble: it stops the script, says which file and what is saved, and the next run works.
if [[ ${IN_OWN_MOUNTS:-} != yes ]]; then
  for user in '' -r; do
    unshare -m $user true 2>/dev/null && IN_OWN_MOUNTS=yes exec unshare -m $user bash "$0"
  done
  echo "skipped: this user may not mount" && exit 77
fi
. "$(dirname "$0")/_lib"
at_exit() { umount "$WORK/small" 2>/dev/null; }
mkdir "$WORK/small"
mount -t tmpfs -o size=1m tmpfs "$WORK/small" || skip "this user cannot mount a tmpfs"
export BEYOND=$WORK/beyond

write_suite() {
  animal a_floods <<'SCRIPT'
steps 1 1
head -c 4M /dev/zero | tr '\0' x | fold -w 99
steps 2 3
sleep "$MARK"
touch "$BEYOND"
SCRIPT
  animal b_small <<'SCRIPT'
steps 1 3
SCRIPT
}

# fills_up FOLDER [OPTION]...: a run, whose folder is to be FOLDER, finds the disk full.
fills_up() {
  local folder=$1
  shift
  head -c 600K /dev/zero >"$WORK/small/ballast"
  : >"$PEN"
  expect_exit 125 timeout --foreground 15 gate run "$@"
  nothing_lives 0
  refute_file "$BEYOND"
  cat "$WORK/.last/out" "$WORK/.last/err" >"$WORK/.last/said"
  grep -q 'INFRA.*a_floods' "$WORK/.last/said" || broken "no word of infra"
  grep -q 'a_floods/log.txt: .*No space left on device' "$WORK/.last/said" || broken "the file and the cause are not named"
  grep -q 'saved' "$WORK/.last/said" || broken "it does not say what is saved"
  [[ $(grep -c . "$PEN") == 1 ]] || broken "b_small was started on a full disk"
  red "$folder/junit.xml"
  whole "$folder"
  [[ -s $folder/a_floods/log.txt ]] || broken "what the log had room for is lost"
}

suite_is_full() {
  suite small/suite
  write_suite
  fills_up .gate/latest/
  rm "$WORK/small/ballast"
  expect_exit 0 gate run b_small
  expect_json .gate/latest/result.json '.exit_code == 0'
}

out_is_full() {
  rm -rf "$WORK"/small/*
  write_suite
  fills_up "$WORK/small/out" --out "$WORK/small/out"
  rm "$WORK/small/ballast"
  expect_exit 0 gate run b_small --out "$WORK/small/out"
  expect_json "$WORK/small/out/result.json" '.exit_code == 0'
}

each suite_is_full out_is_full
