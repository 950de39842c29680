# The suite that ships with the project is green on any host, with what cannot run here counted.
. "$(dirname "$0")/_lib"

ls /dev/davinci[0-9]* /dev/nvidia[0-9]* /dev/kfd >/dev/null 2>&1 && platform=(--platform cpu) || platform=()
mkdir sample && (cd "$SOURCE" && cp -r --parents scripts baselines/tinygpt "$WORK/sample") && cd sample
expect_exit 0 gate run "${platform[@]}"
expect_out_match 'tinygpt/dp1'
expect_out_match 'llama2_tp2_pp4_vpp2 .*ascend'
expect_last_line '^GREEN: 2 passed, 2 skipped \(exit 0\)$'
expect_exit 3 gate run llama2_tp2_pp4_vpp2 "${platform[@]}"
expect_exit 0 gate run 'tinygpt/*' -q "${platform[@]}"
expect_exit 0 gate list --coverage
expect_out_match '^tinygpt/dp2 .* Y +- +Y'
