# How many words gate has for its users: a new one needs a place that an old one leaves.
. "$(dirname "$0")/_lib"

expect_exit 0 gate help all
cp "$WORK/.last/out" all.md

# rows TITLE: the first cells of the section's table, without its head
rows() { awk -v title="$1" '/^##/ { on = $0 ~ title; row = 0 } on && /^\| / && ++row > 2 { print $2 " " $3 }' FS=' *[|] *' all.md; }
flags() { sed -n '/^### gate /,$p' all.md | grep -oE '^  (-[A-Za-z](,--[a-z-]+)?|--[a-z-]+)' | grep -oE -- '--?[A-Za-z][a-z-]*$' | sort -u; }

commands=$(rows '^## Commands$' | wc -l)
of_commands=$(flags) of_all=$(rows '^## Global flags$' | grep -oE -- '--?[A-Za-z][a-z-]*' | grep -vxE -- '-[hqv]' | sort -u)
flags=$(printf '%s\n' "$of_commands" "$of_all" | sort -u | wc -l)
settings=$(rows '^## Settings$' | wc -l)
keys=$((settings + $(rows '^## (Keys of|Options of)' | wc -l)))
echo "$commands commands, $flags flags, $settings settings, $keys keys"

((commands <= 27 && flags <= 80 && settings <= 60 && keys <= 150)) || broken "more than 27 commands, 80 flags, 60 settings, 150 keys"
((commands > 20 && flags > 60 && settings > 40 && keys > 100)) || broken "they are not counted"
