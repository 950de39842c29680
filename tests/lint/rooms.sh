#!/usr/bin/env bash
# Fails where a room includes what its row does not let it see, and where CMakeLists.txt links other rooms than the
# row. The rows are the table of docs/architecture.md.   rooms.sh TREE
cd "${1:?usage: rooms.sh TREE}" || exit 2
bad=0
complain() { echo "$1" && bad=1; }
rows=$(cat <<'ROWS'
ground base
ground model base
reading extract base model
reports words base model
verdict score base model
verdict judge base model words
reading schema base model words
reading config base model words extract score judge
reports render base model words score judge schema
machines schedule base model
machines devices base model
machines launch base model
machines hosts base model devices launch
storage net base
storage objects base net
storage store base model words schema
app suite base model judge schema config launch store
app judging base model words extract score judge schema config devices launch store suite
app places base model extract judge schema config devices launch hosts store suite judging
app runner base model words judge schema config schedule devices launch store suite judging places
app stored base model words extract judge schema config launch store suite judging
reports publish base model config render net
programs cli base model words extract score judge schema config render schedule devices launch hosts net objects store suite judging places runner stored publish
programs worker base model schema config store net
programs agent base model devices launch hosts
ROWS
)
known=$(cut -d' ' -f2 <<<"$rows")
while read -r floor room sees; do
  others=$(printf '%s\n' $known | grep -vxF -f <(printf '%s\n' "$room" $sees) | paste -sd '|')
  forbidden="^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"](gate/)?($others|[^\"]*\.\.)/"
  hits=$(grep -rsnE "$forbidden" "src/$floor/$room" "include/gate/$room")
  [[ -z $hits ]] || complain "$room sees only: ${sees:-nothing}"$'\n'"$hits"
  linked=$(tr '\n' ' ' <CMakeLists.txt | grep -oE "gate_room\($floor/$room[ )][^)]*" | sed 's/.*SEES//; s/USES.*//; s/gate_room.*//')
  [[ $(echo $linked) == "$sees" ]] || complain "$room: CMakeLists.txt says SEES $linked, not $sees"
done <<<"$rows"
while read -r folder; do
  grep -qwF "${folder##*/}" <<<"$known" || complain "$folder: a room without a row"
done < <(find src/*/ include/gate -mindepth 1 -maxdepth 1 -type d)
exit $bad
