# The suite that ships with the project is green on any host.
. "$(dirname "$0")/_lib"

ls /dev/davinci[0-9]* /dev/nvidia[0-9]* /dev/kfd >/dev/null 2>&1 && platform=(--platform cpu) || platform=()
mkdir sample && (cd "$SOURCE" && cp -r --parents scripts baselines/tinygpt "$WORK/sample") && cd sample
expect_exit 0 gate run "${platform[@]}"
expect_out_match 'tinygpt/dp1'
expect_last_line '^GREEN: 2 passed \(exit 0\)$'
expect_exit 0 gate run 'tinygpt/*' -q "${platform[@]}"
expect_exit 0 gate list --coverage
expect_out_match '^tinygpt/dp2 .* Y +- +Y'
expect_last_line '^2 cases, 2 guarding'
refute_out 'may use'
refute_out 'features guarded' # it trains without any
