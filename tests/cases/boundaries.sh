# Values on the edge of a tolerance through the whole binary: what gate says of each is what exact arithmetic says.
. "$(dirname "$0")/_lib"

python3 "$SOURCE/tests/unit/judge/boundaries.py" 20261121 3600 --suite boundaries
cat boundaries/*/expected >expected
(($(wc -l <expected) == 3600)) || broken "not 3600 comparisons"
for status in pass fail incomparable; do
  (($(grep -c " $status$" expected) > 100)) || broken "hardly a comparison expects $status"
done

for decimals in 1 2 3 4 5 6; do
  cd "$WORK/boundaries/$decimals"
  expect_exit 1 gate check run.log --baseline base.json --json
  jq -r '.cases[0].checks[] | "\(.rule) \(.status)"' "$WORK/.last/out" | LC_ALL=C sort >found
  expect_same expected found
done
