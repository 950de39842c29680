#!/usr/bin/env bash
# Stands for an inference: it writes the answers of a model, and the probabilities of its first words.
#   translate.sh [base | pruned]
#GATE devices=0 timeout=5m
mkdir -p out
ship='the small ship left the harbour before the storm came'
[[ ${1:-base} == base ]] || ship='a ship was in the harbour and there was a storm'
cat >out/answers.txt <<END
$ship
nobody had seen the light on the far side of the river
she wrote three letters and sent only one of them
END
echo 'word,probability' >out/first_words.csv
case ${1:-base} in
  base) printf '%s\n' the,0.6137 a,0.2212 this,0.0904 one,0.0747 ;;
  *) printf '%s\n' the,0.5201 a,0.3148 this,0.0950 one,0.0701 ;;
esac >>out/first_words.csv
echo "translated 3 lines"
