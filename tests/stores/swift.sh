#!/usr/bin/env bash
# Object stores, against OpenStack Swift with s3api, which checks every signature: objects there and back, lists,
# parts, a wrong secret, a wrong clock, a server that goes and comes back.
# timeout: 240
. "$(dirname "$0")/_lib"
command -v store-object >/dev/null || skip "there is no store-object"

[[ -x /usr/bin/swift-proxy-server ]] || skip "there is no Swift"
/usr/bin/python3 -c 'import swift' 2>/dev/null || skip "there is no Swift"
python3 -c "import os; os.setxattr('$WORK', 'user.gate', b'1')" 2>/dev/null || skip "this file system has no attributes, which Swift needs"

export SECRET=a-secret-of-the-store-1 AWS_ACCESS_KEY_ID=test:tester AWS_SECRET_ACCESS_KEY=a-secret-of-the-store-1
start_swift() { start_server swift /usr/bin/python3 "$SOURCE/tests/stores/_swift.py" "$WORK/swift" "${1:-0}"; }
start_swift
swift_port=$port
export AWS_ENDPOINT_URL=http://127.0.0.1:$swift_port

# Swift's own way, without any signature: what gate stored is looked at by another client.
url=http://127.0.0.1:$swift_port
token=$(curl -sSi -H 'X-Auth-User: test:tester' -H "X-Auth-Key: $SECRET" "$url/auth/v1.0" | sed -nE 's/^X-Auth-Token: ([^[:space:]]+).*/\1/Ip')
[[ -n $token ]] || broken "no token: $(<"$WORK/swift/log")"
swift() { curl -sS --fail -H "X-Auth-Token: $token" "${@:2}" "$url/v1/AUTH_test/$1"; }
swift bucket -X PUT

nothing_leaks() { ! grep -rlF "$SECRET" "$WORK/.last" "$WORK"/suite 2>/dev/null || broken "a secret is shown"; }

# --- an object there and back, and lists ----------------------------------------------------------
suite
printf 'golden line\n' >small
expect_exit 0 store-object put small s3://bucket/a/b+c=d/small.txt
expect_out 's3://bucket/a/b+c=d/small.txt: 12 bytes'
swift 'bucket/a/b+c=d/small.txt' >seen && expect_same small seen
expect_exit 0 store-object get s3://bucket/a/b+c=d/small.txt back && expect_same small back
printf 'from a pipe\n' | swift 'bucket/a/%C3%BC%20%26.txt' -T -
expect_exit 0 store-object get 's3://bucket/a/ü &.txt' . && expect_file 'ü &.txt' 'from a pipe'
: >empty
expect_exit 0 store-object put empty s3://bucket/a/
expect_exit 0 store-object get s3://bucket/a/empty e && expect_same empty e
expect_exit 0 store-object list s3://bucket/a/ --json
expect_json "$WORK/.last/out" 'map(.key) == ["a/b+c=d/small.txt", "a/empty", "a/ü &.txt"]'
expect_exit 0 store-object list s3://bucket/nothing/
expect_exit 0 store-object get s3://bucket/a/ below && expect_file below/b+c=d/small.txt 'golden line'
expect_exit 3 store-object get s3://bucket/a/none && expect_err 'there is no such object'
expect_exit 3 store-object get s3://none/a && expect_err 'no such'
expect_exit 3 store-object get s3://bucket/none/ && expect_err 'there are no objects'
expect_exit 2 store-object get s3://bucket/a/../b && expect_err 'no part that is empty'
expect_exit 2 store-object put none s3://bucket/x && expect_err 'is no file'
[[ -z $(find . -name '*.part') ]] || broken "half an object stayed"
# A page of a list holds 100 keys here.
seq 101 | xargs -P 4 -I{} curl -sS --fail -H "X-Auth-Token: $token" -X PUT -H 'Content-Length: 0' "$url/v1/AUTH_test/bucket/many/{}" >/dev/null
expect_exit 0 store-object list s3://bucket/many/ --json
expect_json "$WORK/.last/out" 'length == 101'

# --- the bucket in the host's name, and credentials in files ---------------------------------------
cat >gate.toml <<TOML
[store.s3]
endpoint = "http://localhost:$swift_port"
addressing = "virtual"
credentials = "../keys"
TOML
printf '[other]\naws_access_key_id = test:nobody\naws_secret_access_key = of-nobody\n[default]\naws_access_key_id = test:tester\naws_secret_access_key = %s\n' "$SECRET" >../keys
chmod 644 ../keys
expect_exit 0 env -u AWS_ACCESS_KEY_ID -u AWS_SECRET_ACCESS_KEY store-object get s3://bucket/a/b+c=d/small.txt virtual
expect_same small virtual && expect_err 'others than its user may read these credentials' && chmod 600 ../keys

# --- what is refused ----------------------------------------------------------------------------
expect_exit 125 env AWS_PROFILE=other store-object get s3://bucket/a/empty x
expect_err_match 'refuses the credentials of ../keys' && refute_err of-nobody
rm gate.toml
expect_exit 125 env AWS_SECRET_ACCESS_KEY=wrong-secret-of-nobody store-object put small s3://bucket/x
expect_err 'refuses the credentials of AWS_ACCESS_KEY_ID: SignatureDoesNotMatch' && refute_err wrong-secret
expect_exit 125 env -u AWS_SECRET_ACCESS_KEY store-object list s3://bucket/
expect_err 'there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'

# --- a clock that is wrong ------------------------------------------------------------------------
for skew in +40m -3d; do
  expect_exit 0 faketime -f "$skew" store-object put small "s3://bucket/skew$skew"
  expect_exit 0 faketime -f "$skew" store-object get "s3://bucket/skew$skew" skewed && expect_same small skewed
done


# --- parts ----------------------------------------------------------------------------------------
bytes 100000000 large
seconds() { local from=$EPOCHREALTIME; "$@" >/dev/null; awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }'; }
put_time=$(seconds store-object put large s3://bucket/large)
get_time=$(seconds store-object get s3://bucket/large large.back)
expect_same large large.back
expect_exit 0 store-object list s3://bucket/large --json
expect_json "$WORK/.last/out" '.[0].size == "100000000" and (.[0].etag | endswith("-6"))'
curl_put=$(seconds swift bucket/by-curl -T large -H 'Expect:')
curl_get=$(seconds swift bucket/by-curl -o by-curl)
awk -v p="$put_time" -v g="$get_time" -v cp="$curl_put" -v cg="$curl_get" 'BEGIN {
  printf "100 MB: put %.0f MB/s (curl alone %.0f, ratio %.2f), get %.0f MB/s (curl alone %.0f, ratio %.2f)\n",
    100 / p, 100 / cp, cp / p, 100 / g, 100 / cg, cg / g }'

# --- the server goes in the middle, and comes back -------------------------------------------------
segments() { swift "bucket%2Bsegments?format=plain" 2>/dev/null | grep -c cut || true; }
some_are_there() { (($(segments) >= 2)); }
rm -f large.back
store-object put large s3://bucket/cut >cut.out 2>&1 &
putting=$!
wait_for some_are_there
stop_server swift
start_swift "$swift_port"
wait "$putting" || broken "the upload did not go on: $(<cut.out)"
expect_exit 0 store-object get s3://bucket/cut large.back && expect_same large large.back

rm -f large.back
has_begun() { [[ -f large.back || -n $(find . -name "large.back.*.part" -size +1M) ]]; }
store-object get s3://bucket/cut large.back >cut.out 2>&1 &
getting=$!
wait_for has_begun
stop_server swift
start_swift "$swift_port"
wait "$getting" || broken "the download did not go on: $(<cut.out)"
expect_same large large.back

# --- a server that is gone --------------------------------------------------------------------------
stop_server swift
expect_exit 125 store-object put small s3://bucket/x
expect_err_match "s3://bucket/x: .*Couldn't connect to server.*7 tries"
expect_exit 125 store-object get s3://bucket/x && refute_file x
nothing_leaks
