# docs/reference.md is what the program says of itself.
. "$(dirname "$0")/_lib"

expect_exit 0 gate manual
expect_same "$SOURCE/docs/reference.md" "$WORK/.last/out"
for command in run check extract list explain report 'baseline record' 'baseline import' 'baseline diff' 'baseline accept' 'baseline show'; do
  # shellcheck disable=SC2086
  expect_exit 0 gate $command --help
  grep -qF "gate $command" "$SOURCE/docs/manual.md" || broken "docs/manual.md does not know gate $command"
done
