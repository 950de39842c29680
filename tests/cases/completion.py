"""Print what a real, interactive shell makes of command lines when TAB is pressed behind each.

    completion.py bash|zsh LINE...
"""

import os
import pty
import re
import select
import sys
import time

START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-d", "-f", "-i"]}
SESSION = {
    "bash": r"""
PS1=
bind 'set enable-bracketed-paste off'
bind 'set completion-query-items 0'
source <(gate completion bash)
shown() { printf '<line>%s</line>' "$READLINE_LINE"; READLINE_LINE=; }
bind -x '"\C-xs": shown'
""",
    "zsh": r"""
PS1= PROMPT_EOL_MARK= LISTMAX=0 COLUMNS=200
autoload -Uz compinit && compinit -D -u
source <(gate completion zsh)
shown() { print -rn -- "<line>$BUFFER</line>"; BUFFER= }
zle -N shown
bindkey '^Xs' shown
bindkey '^I' complete-word
""",
}
PATIENCE = 20


def read_until(terminal, end):
    """What the shell prints until a line of it matches, or all of it when it has said nothing for long."""
    seen = b""
    until = time.monotonic() + PATIENCE
    while not re.search(end, seen, re.S) and time.monotonic() < until:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 4096)
    return seen.decode(errors="replace")


def main(shell, lines):
    with open("session", "w", encoding="utf-8") as file:
        file.write(f"export PATH='{os.environ['PATH']}'\n{SESSION[shell]}\necho READY\n")
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(START[shell][0], START[shell])
    os.write(terminal, b". ./session\n")
    read_until(terminal, rb"READY\r?\n")
    for line in lines:
        os.write(terminal, line.encode() + b"\t\x18s")
        seen = read_until(terminal, rb"</line>")
        found = re.search(r"<line>(.*)</line>", seen, re.S)
        print(f"{line} => {found[1] if found else repr(seen)}")
    os.close(terminal)


main(sys.argv[1], sys.argv[2:])
