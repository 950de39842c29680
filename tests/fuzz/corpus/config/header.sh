#!/bin/bash
# a script

#GATE devices=0,1,2 platform=ascend-*,nvidia-* judge=exit  # comment
  #GATE	setup="source \"env.sh\" \\ x" env.PATH=/bin needs=a,"b, c" attempt=first sample=0
set -e
#GATE nodes=2
