#!/usr/bin/env bash
# How a run ended, told to webhooks of a real server on the loopback: each kind as it is sent, what is tried again,
# what is given up, and that none of it changes the verdict or shows an address or a secret.
# timeout: 240
. "$(dirname "$0")/../cases/_lib"
unset "${!CI_@}" "${!GITHUB_@}" BUILD_URL http_proxy https_proxy all_proxy CURL_CA_BUNDLE SSL_CERT_FILE
export NO_PROXY='*'

servers=()
leave() {
  local code=$?
  trap - ERR
  ((${#servers[@]} == 0)) || kill "${servers[@]}" 2>/dev/null || true
  cd / && rm -rf "$WORK"
  exit "$code"
}
trap leave EXIT

# serve NAME [CERTIFICATE KEY]: a server; its port is in $port, its requests in $WORK/NAME/requests.
serve() {
  local name=$1
  shift
  mkdir "$WORK/$name" && : >"$WORK/$name/requests"
  python3 "$SOURCE/tests/integration/_webhook.py" "$WORK/$name" "$@" &
  servers+=($!)
  wait_for test -f "$WORK/$name/port"
  port=$(<"$WORK/$name/port")
}

# tell KIND PATH [LINE]...: gate.toml has one receiver, of the server, in whose address stands $TOKEN.
TOKEN=T0kenThatNobodyMaySee SECRET=SECthisIsNotToBeSeen
tell() {
  export HOOK="${base:-http://127.0.0.1:$port}/$2/$TOKEN?access_token=$TOKEN"
  printf '%s\n' '[notify.team]' "kind = \"$1\"" 'url_env = "HOOK"' "${@:3}" >gate.toml
  : >"$WORK/hooks/requests"
}

requests() { wc -l <"$WORK/hooks/requests"; }
expect_requests() { [[ $(requests) == "$1" ]] || broken "$(requests) requests, expected $1"; }
expect_body() {
  tail -n 1 "$WORK/hooks/requests" | jq -e ".body | fromjson | $1" >/dev/null ||
    broken "the body does not satisfy $1: $(tail -n 1 "$WORK/hooks/requests")"
}
expect_path() { tail -n 1 "$WORK/hooks/requests" | jq -e ".path | $1" >/dev/null || broken "path: $(requests)"; }

# Nothing that gate prints or keeps holds the address's secret part.
nothing_leaks() {
  ! grep -rlF -e "$TOKEN" -e "$SECRET" "$WORK/.last/out" "$WORK/.last/err" .gate || broken "a secret is shown"
}
red() { expect_exit 1 gate run "$@" -- bad && nothing_leaks; }
red_and_told() { red "$@" && refute_err notify; }
red_and_warned() {
  red "${@:2}"
  expect_err_match "^gate: notify team: .*$1.*; the verdict stands$"
  expect_last_line '^RED: 1 regressed \(exit 1\)$'
}

serve hooks
suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
megatron_log 2.500000E+00 2.450000E+00 2.300000E+00 >bad.log
script c <<<'echo "$HOOK ${SIGNING:-}"; cat "${BASH_SOURCE[0]%/*}/../${1:-good}.log"'
expect_exit 0 gate baseline import good.log --case c --accept --reason "first numbers"

# --- each kind ------------------------------------------------------------------------------------

tell generic ok
red_and_told
expect_requests 1
expect_body '.schema == "gate.notice/1" and .exit_code == 1 and .red[0].case == "c" and .red[0].verdict == "regressed"'
expect_body '.red[0].first | test("step 2: 2.4.*2.45")'
expect_body ".run == \"$(latest)\" and .link == \"\""
tail -n 1 "$WORK/hooks/requests" | jq -e '.type | startswith("application/json")' >/dev/null

CI_JOB_URL=https://ci.example.com/jobs/7 BUILD_URL=https://jenkins.example.com/1 red_and_told
expect_body '.link == "https://ci.example.com/jobs/7"'
GITHUB_SERVER_URL=https://git.example.com GITHUB_REPOSITORY=a/b GITHUB_RUN_ID=5 red_and_told
expect_body '.link == "https://git.example.com/a/b/actions/runs/5"'

tell slack ok
red_and_told
expect_body '.text == "RED: 1 regressed (exit 1)" and (.blocks[2].text.text | startswith("```REGRESSED c\n"))'

export SIGNING=$SECRET
tell feishu zero 'secret_env = "SIGNING"'
red_and_told
expect_body '.msg_type == "interactive" and .card.header.template == "red"'
sign=$(tail -n 1 "$WORK/hooks/requests" | python3 -c '
import base64, hashlib, hmac, json, sys
body = json.loads(json.loads(sys.stdin.read())["body"])
key = (body["timestamp"] + "\n" + sys.argv[1]).encode()
print(body["sign"] == base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode())' "$SECRET")
[[ $sign == True ]] || broken "Feishu's signature is wrong"

tell dingtalk zero 'secret_env = "SIGNING"'
red_and_told
expect_body '.msgtype == "markdown" and .at.isAtAll == false and (.markdown.text | test("REGRESSED c"))'
sign=$(tail -n 1 "$WORK/hooks/requests" | python3 -c '
import base64, hashlib, hmac, json, sys, urllib.parse as u
query = u.parse_qs(u.urlsplit(json.loads(sys.stdin.read())["path"]).query)
text = (query["timestamp"][0] + "\n" + sys.argv[1]).encode()
want = base64.b64encode(hmac.new(sys.argv[1].encode(), text, hashlib.sha256).digest()).decode()
print(query["sign"] == [want] and query["access_token"] == [sys.argv[2]])' "$SECRET" "$TOKEN")
[[ $sign == True ]] || broken "DingTalk's signature is wrong"

unset SIGNING
tell wecom zero
red_and_told
expect_body '.msgtype == "markdown" and (.markdown.content | test("lm_loss"))'

# --- who is told, and when ------------------------------------------------------------------------

tell generic ok
expect_exit 0 gate run
expect_requests 0
tell generic ok 'on = "always"'
expect_exit 0 gate run
expect_requests 1
expect_body '.exit_code == 0 and .red == []'
tell generic ok
red --no-ci
expect_exit 1 gate run --shard 1/1 --out half --no-ci -- bad
expect_requests 0
expect_exit 1 gate report --merge half --no-ci
expect_requests 0
expect_exit 1 gate report --merge half
expect_requests 1
expect_body '.red[0].case == "c"'
tell generic ok
expect_exit 1 gate run --bisect -- bad
expect_exit 0 gate run --dry-run
expect_exit 1 gate check bad.log --case c
expect_requests 0

# --- what goes wrong ------------------------------------------------------------------------------

tell slack zero
red_and_warned '127.0.0.1 answered 200: ..errcode' # no words of Slack
tell wecom flaky
red_and_told
expect_requests 2
tell wecom busy
red_and_told
expect_requests 2
tell wecom deaf
red_and_told
expect_requests 2
tell wecom down
red_and_warned '127.0.0.1 answered 500: not now'
expect_requests 3
tell wecom later
red_and_warned '127.0.0.1 answered 429: tomorrow'
expect_requests 1
tell slack gone
red_and_warned '127.0.0.1 answered 404: no_service at /gone/\*\*\*.access_token=\*\*\*'
expect_requests 1
tell slack moved
red_and_warned '127.0.0.1 answered 302: redirects are not followed'
expect_requests 1
for kind in dingtalk wecom; do
  tell $kind sign
  red_and_warned '127.0.0.1 answered 200: 310000 sign \\x1b\[31mnot match'
done
tell feishu sign
red_and_warned '127.0.0.1 answered 200: 19021 sign match fail'
tell generic mute
red_and_warned '127.0.0.1: no answer within 10s'
tell slack flood
red_and_warned '127.0.0.1 answered 200: xxxx'
base=http://127.0.0.1:1 tell generic ok
red_and_warned "127.0.0.1: Couldn't connect to server.* \(3 tries\)"
base=http://no-such-host.invalid tell generic ok
red_and_warned "no-such-host.invalid: Couldn't resolve host name"
tell generic ok
HOOK='' red_and_warned 'the variable HOOK is not set; nothing was sent'
HOOK=ftp://example.com/$TOKEN red_and_warned 'the variable HOOK holds no address of http or https'
tell feishu ok 'secret_env = "NOT_SET"'
red_and_warned 'the variable NOT_SET is not set'
red -q
expect_err 'notify team'

mkdir "$WORK/broken"
ln -s "$(command -v bash)" "$(command -v cat)" "$WORK/broken"
tell generic ok
expect_exit 1 env PATH="$WORK/broken" "$GATE" run -- bad
without='there is no program curl in PATH on this host; install curl'
expect_err_match "^gate: notify: nobody was told, $without; the verdict stands$"
expect_requests 0

# One that fails keeps nobody else from being told.
tell wecom zero
printf '[notify."a\\u001b[31m"]\nkind = "slack"\nurl = "http://127.0.0.1:1/%s"\n' "$TOKEN" >>gate.toml
red
expect_err 'notify a\x1b[31m: 127.0.0.1'
expect_requests 1

# The address is masked where the file itself holds it.
printf '[notify.team]\nkind = "slack"\nurl = "http://127.0.0.1:%s/ok/%s"\n' "$port" "$TOKEN" >gate.toml
HOOK=http://127.0.0.1:$port/ok/$TOKEN red_and_told

# --- TLS ------------------------------------------------------------------------------------------

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout "$WORK/key.pem" -out "$WORK/cert.pem" 2>/dev/null
serve tls "$WORK/cert.pem" "$WORK/key.pem"
base=https://localhost:$port tell slack ok
red_and_warned 'localhost: SSL peer certificate.*: self-signed certificate'
SSL_CERT_FILE=$WORK/cert.pem red_and_told
CURL_CA_BUNDLE=$WORK/cert.pem red_and_told
[[ $(wc -l <"$WORK/tls/requests") == 2 ]] || broken "the server with a certificate got other than 2 requests"
base=https://127.0.0.1:$port tell slack ok
CURL_CA_BUNDLE=$WORK/cert.pem red_and_warned '127.0.0.1: SSL peer certificate'

# --- a run that is interrupted --------------------------------------------------------------------

port=$(<"$WORK/hooks/port")
tell generic ok
script c <<<'touch "$GATE_RUN_DIR/../started"; touch '"$WORK"'/started; while :; do sleep 0.1; done'
gate run >"$WORK/.last/out" 2>"$WORK/.last/err" </dev/null &
pid=$!
wait_for test -f "$WORK/started"
kill -INT $pid
code=0 && wait $pid || code=$?
((code == 130)) || broken "exit code $code after an interrupt"
expect_requests 1
expect_body '.exit_code == 130'
