# docs/reference is what the program says of itself.
. "$(dirname "$0")/_lib"

expect_exit 0 gate help all
mkdir pages
"$SOURCE"/docs/reference/make pages
diff -r -x make "$SOURCE"/docs/reference pages || broken "make the pages anew: docs/reference/make"
for flag in -C --config --quiet --verbose --color --json; do
  sed -n '/^## Global flags/,/^## Settings/p' .last/out | grep -qE "^\| ([^|]*, )?$flag[ |]" || broken "no global flag $flag"
done
sed -n '/^## Commands/,/^## Settings/s/^| gate \([a-z ]*\) |.*/\1/p' .last/out >commands
expect_file commands 'baseline accept'
while read -r command; do
  # shellcheck disable=SC2086
  expect_exit 0 gate $command --help
  grep -rqE "gate $command([^a-z]|$)" "$SOURCE"/docs/{first-hour,how-to,explanation} || broken "no page knows gate $command"
done <commands
