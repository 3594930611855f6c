#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Help, the manual page and the completion of shells: one table, three views of it, and each as its reader takes it."""
import re

from command import *

VERBS = ["run", "resume", "check", "contacts", "bed", "info", "render", "report", "plot", "export", "problem", "solve"]


def output_of(*command, **more):
    """What another program printed; it must have nothing to complain of."""
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    check_equal(process.stderr, "", f"what {command[0]} complains of")
    return process.stdout


def options_of(verb):
    return re.findall(r"^  (?:-\w, |    )(--[\w-]+)", scree(verb, "--help").stdout, re.M)


def every_verb_has_an_example_with_options_that_exist():
    for verb in VERBS:
        text = scree(verb, "--help").stdout
        examples = [line.strip() for line in text.split("\nexample:\n")[1].splitlines()]
        check(examples, f"{verb} has no example")
        for example in examples:
            check(example.startswith(f"scree {verb} "), f"an example of {verb}: {example}")
            letters = re.findall(r"^  (-\w), ", text, re.M)
            for word in re.findall(r"(?<= )-[\w-]+", example):
                check(word in options_of(verb) + letters, f"{verb} has no option {word}: {example}")


def a_format_of_help_that_is_none_is_named():
    for words in (["run"], []):
        said = scree(*words, "--help=html", code=BAD_INPUT).stderr
        check_says(said, 'scree: --help prints text, man, bash or zsh, not "html"')


def the_manual_page_has_every_option_and_no_mistake():
    with open("scree.1", "w") as file:
        file.write(scree("--help=man").stdout)
    plain = dict(os.environ, MANWIDTH="120", LC_ALL="C.UTF-8", PAGER="cat", MANPAGER="cat")
    page = re.sub(".\b", "", output_of("man", "--warnings", "-l", "scree.1", env=plain))
    for verb in VERBS:
        section = page.split(f"\n   scree {verb} ")[1].split("\n   scree ")[0]
        for option in options_of(verb):
            if option != "--help":
                check(re.search(rf"^ +(-\w, )?{option}\b", section, re.M), f"{option} is missing in:\n{section}")


BASH = """
source completion
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_scree
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words):
    return sorted(filter(None, output_of("bash", "-c", BASH, "bash", *words).splitlines()))


def bash_completes_verbs_options_values_and_files():
    with open("completion", "w") as file:
        file.write(scree("--help=bash").stdout)
    os.makedirs("runs/box")
    for name in ("box.json", "table.csv", "a scene.json"):
        write(name)
    for words, offered in [
        (["scree", "re"], ["render", "report", "resume"]),
        (["scree", "help", "so"], ["solve"]),
        (["scree", "run", "--t"], ["--threads"]),
        (["scree", "run", "--no-such"], []),
        (["scree", "run", "b"], ["box.json"]),
        (["scree", "run", ""], ["a scene.json", "box.json", "runs"]),
        (["scree", "run", "box.json", "--threads", ""], []),
        (["scree", "run", "box.json", "-o", "runs/"], ["runs/box"]),
        (["scree", "render", "r"], ["runs"]),
        (["scree", "render", "runs/box", "--colour", "s"], ["speed"]),
        (["scree", "export", "runs/box", "--to", ""], ["csv", "lammps", "povray", "vtu"]),
        (["scree", "export", "runs/box", "--to", "=", "v"], ["vtu"]),
        (["scree", "plot", "runs/box", "--log", "="], ["x", "xy", "y"]),
    ]:
        check_equal(completed(*words), offered, f"completion of {words}")
    for verb in VERBS:
        check_equal(completed("scree", verb, "--"), sorted(options_of(verb)), f"options of {verb}")


def zsh_reads_its_completion():
    """Each verb hands _arguments as many specifications as there are options and arguments."""
    with open("_scree", "w") as file:
        file.write(scree("--help=zsh").stdout)
    for verb in VERBS:
        script = f"_arguments() {{ printf '%s\\n' \"$@\" }}; words=(scree {verb} x); CURRENT=3; source ./_scree"
        given = output_of("zsh", "-f", "-c", script)
        named = re.findall(r"^(?:\([^)]*\))?\*?(--[\w-]+)=?\[", given, re.M)
        check_equal(named, options_of(verb), f"options of {verb} in zsh")


# An interactive zsh in a terminal of its own is given each line of the file `lines`, then Control-X, which completes as
# Tab does; what compadd would add is written down, and END after each line.
ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT=; stty -echo; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D'
zpty -w z 'compadd() {
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        local -a added
        builtin compadd -A added "$@"
        (( $#added )) && print -rl -- $added >> added
    fi
    builtin compadd "$@"
}'
zpty -w z 'note() { _main_complete; print END >> added }; zle -C note complete-word note; bindkey "^X" note; : > added'
until [[ -e added ]]; do sleep 0.02; done
count=0
while IFS= read -r line; do
    zpty -w -n z "$line"$'\C-x'
    (( ++count ))
    until (( $(grep -c '^END$' added) == count )); do sleep 0.02; done
    zpty -w -n z $'\C-u'
done < lines
zpty -d z
"""


def zsh_completes_in_a_terminal():
    with open("_scree", "w") as file:
        file.write(scree("--help=zsh").stdout)
    os.makedirs("runs/box", exist_ok=True)
    for name in ("box.json", "table.csv"):
        write(name)
    cases = [
        ("scree re", ["render", "report", "resume"]),
        ("scree help so", ["solve"]),
        ("scree run --t", ["--threads"]),
        ("scree run --no-such", []),
        ("scree run b", ["box.json"]),
        ("scree run box.json b", []),
        ("scree run box.json --threads ", []),
        ("scree run box.json --set a=1 --se", ["--set"]),
        ("scree run -q --qu", []),
        ("scree run box.json -o runs/", ["box"]),
        ("scree run box.json --output=ru", ["runs"]),
        ("scree run box.json -oru", ["runs"]),
        ("scree report runs/box ru", ["runs"]),
        ("scree render runs/box --colour s", ["speed"]),
        ("scree render runs/box --colour=s", ["speed"]),
        ("scree export runs/box --to ", ["csv", "lammps", "povray", "vtu"]),
        ("scree plot runs/box --log=", ["x", "xy", "y"]),
    ]
    with open("lines", "w") as file:
        file.writelines(line + "\n" for line, _ in cases)
    output_of("zsh", "-f", "-c", ZSH, timeout=60)
    with open("added") as file:
        added = [set(words.split("\n")) - {""} for words in file.read().split("END\n")]
    check_equal(len(added), len(cases) + 1, "lines completed")
    for (line, offered), words in zip(cases, added):
        check_equal(sorted(words), offered, f"completion of {line!r} by zsh")


run_tests([every_verb_has_an_example_with_options_that_exist, a_format_of_help_that_is_none_is_named,
           the_manual_page_has_every_option_and_no_mistake, bash_completes_verbs_options_values_and_files,
           zsh_reads_its_completion, zsh_completes_in_a_terminal])
