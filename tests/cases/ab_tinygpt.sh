# A real training of two commits: a slowdown of 10 % that a flag plants is found, no change is called none.
. "$(dirname "$0")/_lib"

git init -q "$WORK/repository"
suite repository
printf '.gate\n' >.gitignore
printf '[rules.iteration_time]\nwindow = "after 1"\ntolerance = "+10%%"\n' >gate.toml
commit() { git add -A && git commit -qm "$1" && git tag "$1"; }
# Each run has a time of its own, up to 5 % more.
script t <<<'exec "$TINYGPT" --ranks 1 --steps 7 --elapsed-ms $((400 + RANDOM % 21))'
commit even
echo >>README && commit same
sed -i 's/400 + /445 + /' scripts/t.sh && commit slower

expect_exit 1 gate ab even slower --case t --metric iteration_time --runs 8
expect_last_line '^SLOWER: iteration_time \+'
expect_exit 0 gate ab even same --case t --metric iteration_time --runs 8 --change 10%
expect_last_line '^NO DIFFERENCE'
