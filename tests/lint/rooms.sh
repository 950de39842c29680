#!/usr/bin/env bash
# Fails where a room includes what its row does not let it see, and where CMakeLists.txt links other rooms than the
# row. The rows are the table of docs/architecture.md.   rooms.sh TREE
cd "${1:?usage: rooms.sh TREE}" || exit 2
bad=0
known="base model words extract score judge schema config render schedule devices launch hosts net objects store app publish cli worker tinygpt agent"
complain() { echo "$1" && bad=1; }
while read -r room sees; do
  others=$(printf '%s\n' $known | grep -vxF -f <(printf '%s\n' "$room" $sees) | paste -sd '|')
  forbidden="^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"](gate/)?($others|[^\"]*\.\.)/"
  hits=$(grep -rsnE "$forbidden" "src/$room" "include/gate/$room")
  [[ -z $hits ]] || complain "$room sees only: ${sees:-nothing}"$'\n'"$hits"
  [[ $room == tinygpt ]] && continue
  linked=$(tr '\n' ' ' <CMakeLists.txt | grep -oE "gate_room\($room[ )][^)]*" | sed 's/.*SEES//; s/USES.*//; s/gate_room.*//')
  [[ $(echo $linked) == "$sees" ]] || complain "$room: CMakeLists.txt says SEES $linked, not $sees"
done <<'ROWS'
base
model base
extract base model
words base model
score base model
judge base model words
schema base model words
config base model words extract score judge
render base model words score judge schema
schedule base model
devices base model
launch base model
hosts base model devices launch
net base
objects base net
store base model words schema
app base model words extract score judge schema config schedule devices launch hosts store
publish base model config render net
cli base model words extract score judge schema config render schedule devices launch hosts net objects store app publish
worker base model schema config store net
tinygpt
agent base model devices launch hosts
ROWS
while read -r folder; do
  grep -qwF "${folder##*/}" <<<"$known" || complain "$folder: a room without a row"
done < <(find src include/gate -mindepth 1 -maxdepth 1 -type d)
exit $bad
