# The pages for Slurm, Kubernetes and containers, followed word by word on a cluster, a server and an engine of the test's own.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_docs"

slurm() {
  . "$SOURCE/tests/engines/_slurm"
  suite
  follow slurm.md
  expect_file .gate/latest/tune/log.txt 'node 0 of 1, devices'
}

kubernetes() {
  . "$SOURCE/tests/engines/_kubernetes"
  suite
  follow kubernetes.md
  expect_file .gate/latest/tune/log.txt 'node 0 of 1'
}

containers() {
  . "$SOURCE/tests/cases/_containers"
  cp "$TINYGPT" "$WORK/root/bin/tinygpt"
  mkdir -p "$WORK/root/lib64" && ldd "$TINYGPT" | sed -n 's/.*[[:space:]]\(\/[^ ]*\) (.*/\1/p' | while read -r file; do
    mkdir -p "$WORK/root${file%/*}" && cp -L "$file" "$WORK/root$file"
  done
  for tag in 1 2; do tar -C "$WORK/root" -c . | podman import -q - "train:$tag" >/dev/null 2>"$WORK/said"; done
  podman run -d --name trainer --network host "${limits[@]}" -v "$WORK:$WORK" train:1 /bin/sh -c 'sleep 1000' >/dev/null
  suite
  follow containers.md "$(printf 'options = [%s]\n' "$(printf '"%s", ' "${limits[@]}")")"
}

failed=0 skipped=0
for page in slurm kubernetes containers; do
  mkdir "$WORK/$page" "$WORK/$page/.last"
  code=0
  (WORK=$WORK/$page && cd "$WORK" && "$page") >"$WORK/$page.said" 2>&1 || code=$?
  cat "$WORK/$page.said"
  case $code in
    0) echo "passed $page" ;;
    77) skipped=$((skipped + 1)) && echo "skipped $page" ;;
    *) failed=1 && echo "FAILED $page" ;;
  esac
done
((skipped < 3)) || skip 'none of the engines is here'
exit $failed
