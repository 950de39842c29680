#!/usr/bin/env bash
# Two builds make the same bytes: the project is copied elsewhere and released there, on a host of another name, with other
# settings around it, and nothing taken from ccache.
. "$(dirname "$0")/_lib"

other="$WORK/another place/of quite another length"
mkdir -p "$other"
(cd "$SOURCE" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - --ignore-failed-read 2>/dev/null) | tar -C "$other" -xf -
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$SOURCE" log -1 --format=%ct)}
unpack x86_64
GATE_COMMIT=$("$unpacked/bin/gate" --version -v | sed -n 's/^commit *//p')
export SOURCE_DATE_EPOCH GATE_COMMIT

release_elsewhere() {
  cd "$other" && umask 077 && CCACHE_DISABLE=1 TZ=Asia/Tokyo LANG=C HOME=$WORK \
    unshare --uts bash -c 'hostname elsewhere && exec "$@"' elsewhere nice scripts/release --out "$WORK/files" 2>&1
}

(release_elsewhere) >"$WORK/log" || { cat "$WORK/log" && exit 1; }
expect 0 "" diff <(cd "$FILES" && ls) <(cd "$WORK/files" && ls)
for file in "$FILES"/gate* "$FILES/SHA256SUMS"; do expect 0 "" cmp "$file" "$WORK/files/${file##*/}"; done
