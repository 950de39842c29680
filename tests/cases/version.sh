# What gate says of itself.
. "$(dirname "$0")/_lib"

expect_exit 0 "$GATE" --version
expect_out_match '^gate 1\.0\.0$'

expect_exit 0 "$GATE" --help
for command in run check extract list baseline explain report; do
  expect_out "$command"
done

expect_exit 2 "$GATE" nosuch
expect_err nosuch
