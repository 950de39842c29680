# A folder as a log, and files in any order.
. "$(dirname "$0")/_lib"

suite
script good <<<true
megatron_log {1..12}.000 >whole.log
expect_exit 0 gate baseline import whole.log --case good --accept --reason "the first"

# --- the files of a folder, in the order of their numbers ---
mkdir -p logs/part_10 logs/.old
for i in {1..12}; do sed -n "${i}p" whole.log >"logs/worker_$i"; done
mv logs/worker_10 logs/part_10/log && mv logs/part_10/log logs/worker_10
gzip logs/worker_7
echo "iteration 1/ 9 | lm loss: 99 |" >logs/.hidden
cp logs/.hidden logs/.old/log
expect_exit 0 gate check logs --case good
expect_exit 0 gate extract logs --format csv
cp "$WORK/.last/out" folder.csv
[[ $(grep -c lm_loss folder.csv) == 12 ]] || broken "not 12 losses"
refute_out 99

# --- any order of words gives the same ---
expect_exit 0 gate extract logs/worker_{9,10,11,12,1,2,3} logs/worker_{8,7.gz,6,5,4} --format csv
expect_same folder.csv "$WORK/.last/out"
expect_exit 0 gate extract logs --json
cp "$WORK/.last/out" folder.json
expect_exit 0 gate extract $(ls -r logs/worker*) --json
expect_same folder.json "$WORK/.last/out"

# --- a link to a file that is there is no second log ---
ln -s worker_12 logs/latest
expect_exit 0 gate extract logs --format csv
expect_same folder.csv "$WORK/.last/out"
rm logs/latest

# --- sub-folders are walked ---
mkdir -p deep/node_2/rank_0 deep/node_10
head -n 6 whole.log >deep/node_2/rank_0/stdout.log
tail -n 6 whole.log >deep/node_10/stdout.log
expect_exit 0 gate check deep/ --case good
expect_out '1 passed'
expect_exit 0 gate check deep/ --baseline whole.log
expect_out deep

# --- a file twice, however it is named ---
ln -s whole.log link.log
for twice in whole.log ./whole.log link.log; do
  expect_exit 2 gate check whole.log $twice --case good
  expect_err 'named twice'
done
expect_exit 2 gate extract logs logs/worker_1
expect_err 'logs/worker_1: named twice; name each log once'

# --- an empty folder, and one whose files are all hidden ---
mkdir -p empty hidden && touch hidden/.log
for folder in empty hidden; do
  expect_exit 2 gate extract $folder
  expect_err "$folder: the folder holds no file; name a log, or a folder of logs"
done
expect_exit 0 gate check whole.log --baseline logs
expect_exit 2 gate check whole.log --baseline empty
expect_err "empty: the folder holds no file; name a log, or a folder of logs"
