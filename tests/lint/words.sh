#!/usr/bin/env bash
# Fails where a shipped file names a path below somebody's home or workplace: it would be true on one machine only.
#   words.sh TREE
cd "${1:?usage: words.sh TREE}" || exit 2
hits=$(grep -rsnIE '(^|[^[:alnum:]_.}/-])/(home|work|root|Users)(/|[^[:alnum:]_-]|$)' src include scripts docs README.md)
[[ -z $hits ]] || { echo "$hits" && exit 1; }
