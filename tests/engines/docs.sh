# The pages for Slurm, Kubernetes and containers, in both languages, typed on a cluster, a server and an engine of the test's own.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"

failed=0 skipped=0 typed=0
for page in "$SOURCE"/docs/{,zh/}how-to/{slurm,kubernetes,containers}.md; do
  [[ -f $page ]] || continue
  typed=$((typed + 1)) code=0
  "$SOURCE/tests/docs/type_page" "$page" >"$WORK/said" 2>&1 || code=$?
  cat "$WORK/said"
  case $code in
    0) echo "passed ${page#"$SOURCE/docs/"}" ;;
    77) skipped=$((skipped + 1)) && echo "skipped ${page#"$SOURCE/docs/"}" ;;
    *) failed=1 && echo "FAILED ${page#"$SOURCE/docs/"}" ;;
  esac
done
((typed > 0)) || broken 'there is no page'
((skipped < typed)) || skip 'none of the engines is here'
exit $failed
