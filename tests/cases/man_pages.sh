# Man pages: all commands, all their flags, all exit codes, in roff that nobody complains about.
. "$(dirname "$0")/_lib"

expect_exit 0 gate help --man-pages pages
expect_same /dev/null "$WORK/.last/out"
shown() { mandoc -Tutf8 "$1" | col -bx; }

# --- clean for those who print them; the one complaint left is that they have no date, which is meant ---
lint() { mandoc -T lint -W warning "$1" | grep -v 'WARNING: missing date, using ""' || true; }
printf '.TH A 1 "" b c\n.SH NAME\na \\- b\n.nosuch\n' >bad.1
[[ -n $(lint bad.1) ]] || broken "the lint finds nothing"
for page in pages/man1/*.1 pages/man5/gate.toml.5; do
  lint "$page" >complaints
  expect_same /dev/null complaints
  groff -man -Tutf8 -ww -z "$page" >complaints 2>&1
  expect_same /dev/null complaints
  ! LC_ALL=C grep -n '[^ -~]' "$page" || broken "$page holds what is not ASCII"
  ! shown "$page" | grep -nE '\\(\(|\[|f[A-Z]|e|&)' || broken "$page shows an escape"
done

# --- each command has its page, with every flag of --help; no other page is there ---
expect_exit 0 gate help all
sed -n 's/^### gate //p' "$WORK/.last/out" >commands
shown pages/man1/gate.1 >main
while read -r command; do
  page=pages/man1/gate-${command// /-}.1
  expect_file "$page"
  shown "$page" >page
  grep -qE "^ +gate-${command// /-}\(1\)$" main || broken "gate.1 does not know gate $command"
  # shellcheck disable=SC2086
  expect_exit 0 gate $command --help
  sed -nE 's/^  ((-[a-zA-Z]|--[a-z-]+)(,--[a-z-]+)?) .*/\1/p' "$WORK/.last/out" | tr , '\n' >flags
  grep -q -- --help flags || broken "gate $command: no flags read"
  while read -r flag; do
    grep -qE "^ +(-[a-zA-Z], )?$flag( |,|$)" page || broken "$page: no $flag"
  done <flags
done <commands
[[ $(find pages -type f | wc -l) == $(($(wc -l <commands) + 2)) ]] || broken "pages of no command: $(ls pages/*)"
shown pages/man1/gate-run.1 >page
grep -qE '^ +gate run \[OPTION\.\.\.\] \[CASE\.\.\.\] \[-- ARG\.\.\.\]$' page || broken "no synopsis"
grep -qF 'rules.lm_loss.tolerance=±0.02' page || broken "what is copied from the page is something else"
grep -qF 'built-in: 2h' page || broken "no built-in value of --timeout"

# --- exit codes are those of the verdicts ---
gate help all | sed -n '/^## Verdicts/,/^## Flags/s/^| \([a-z_]*\) | .* | \([0-9][0-9 or]*\) | [a-z]* |$/\2 \1/p' >verdicts
grep -q '^1 regressed$' verdicts || broken "no verdicts read"
sed -n '/^EXIT STATUS/,/^FILES/p' main |
  sed -nE 's/^ {7}([0-9]+( or [0-9]+)?) ([a-z_]+)( .*)?$/\1 \3/p' >codes
expect_same verdicts codes

# --- variables are those that the program reads ---
grep -rhoE '"GATE_[A-Z_]+"' "$SOURCE/src" "$SOURCE/include" | tr -d '"' | grep -vE '^GATE_(VERSION|AFTER_)$' | sort -u >variables
grep -oE '^ +GATE_[A-Z_]+' main | tr -d ' ' | sort -u >told
expect_same variables told

# --- gate.toml(5) has each key of the reference ---
shown pages/man5/gate.toml.5 >page
gate help all | sed '/^## Variables of accuracy tests/,/^## Options of/d' |
  sed -n '/^## Settings/,/^## Kinds of receivers/s/^| \([a-z_.]*\) | .*/\1/p' | grep -vx key >keys
(($(wc -l <keys) > 60)) || broken "no keys read"
while read -r key; do grep -qE "^ +$key( |$)" page || broken "gate.toml.5: no $key"; done <keys
grep -qF 'tolerance = "±0.01"' page || broken "no example as it is written"

# --- always the same; one page alone; words that cannot be used ---
gate help --man-pages again
diff -r pages again || broken "the pages differ from time to time"
expect_exit 0 gate help gate-baseline-record
expect_same pages/man1/gate-baseline-record.1 "$WORK/.last/out"
expect_exit 2 gate help gate-rum
expect_err 'did you mean "gate-run"?'
expect_exit 2 gate help gate --man-pages pages
touch file
expect_exit 125 gate help --man-pages file
