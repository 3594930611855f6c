// SPDX-License-Identifier: BSD-3-Clause
// Help on the whole command: an overview, the manual page and the completion of shells. Each verb adds its own section:
// it is asked for help in the same format.
#include "app/help.h"

#include <string.h>

#include "scree/scree.h"

static const char HELP_SUMMARY[] = "this text; with a verb: its arguments and options";

void print_overview(const verb_table *verbs, FILE *out)
{
    const char *group = "";
    fprintf(out, "scree %s: rigid bodies and grains in frictional contact\n", scr_version());
    fprintf(out, "\nusage: scree VERB [ARGUMENT...]\n");
    for (int v = 0; v < verbs->count; ++v) {
        if (strcmp(group, verbs->item[v].group) != 0) fprintf(out, "\n%s\n", verbs->item[v].group);
        group = verbs->item[v].group;
        fprintf(out, "  %-10s %s\n", verbs->item[v].name, verbs->item[v].summary);
    }
    fprintf(out, "\nHelp\n  %-10s %s\n", "help", HELP_SUMMARY);
    fprintf(out, "\n`scree VERB --help` has an example of each. `scree --version` says what this build is made of.\n"
                 "`scree --help=man`, `=bash` and `=zsh` print the manual page and the completion of shells.\n");
}

static void ask_each(const verb_table *verbs, const help_format *format)
{
    for (int v = 0; v < verbs->count; ++v) {
        char name[32], question[32], *arguments[] = {name, question, NULL};
        snprintf(name, sizeof name, "%s", verbs->item[v].name);
        snprintf(question, sizeof question, "--help=%s", format->name);
        verbs->item[v].run(2, arguments);
    }
}

static void print_manual(const verb_table *verbs, const help_format *format)
{
    printf(".TH SCREE 1 \"\" \"scree %s\" \"User Commands\"\n", scr_version());
    printf(".SH NAME\nscree \\- rigid bodies and grains in frictional contact\n");
    printf(".SH SYNOPSIS\n.B scree\n.I VERB\n[\\fIARGUMENT\\fR...]\n");
    printf(".SH DESCRIPTION\n"
           "A scene (JSON) describes bodies, grains, joints and what is measured. scree runs it and writes a run\n"
           "directory, from which pictures, plots and reports are made.\n");
    for (int v = 0; v < verbs->count; ++v) {
        printf(".TP\n\\fBscree %s\\fR\n", verbs->item[v].name);
        print_troff(stdout, verbs->item[v].summary);
        fputc('\n', stdout);
    }
    printf(".SH COMMANDS\n");
    ask_each(verbs, format);
    printf(".SH EXIT STATUS\n"
           ".TP\n0\ndone\n.TP\n1\nfailed while running; the state of a run is saved\n"
           ".TP\n2\nbad input; nothing was written\n"
           ".TP\n130\ninterrupted; the state of a run is saved, \\fBscree resume\\fR continues\n");
    printf(".SH FILES\n"
           "The documentation is in \\fIshare/doc/scree\\fR, ready scenes and the JSON schema of scenes are in\n"
           "\\fIshare/scree/scenes\\fR, below the prefix of the installation.\n");
}

static void print_bash_completion(const verb_table *verbs, const help_format *format)
{
    printf("# bash completion of scree %s, printed by scree --help=bash.\n_scree()\n{\n", scr_version());
    printf("    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options='' offer=nothing\n"
           "    # bash cuts --option=value into three words.\n"
           "    [[ $word == '=' ]] && word=''\n"
           "    [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    COMPREPLY=()\n"
           "    case $((COMP_CWORD == 1 ? 1 : 0)),${COMP_WORDS[1]} in\n"
           "    1,* | *,help) offer='=");
    for (int v = 0; v < verbs->count; ++v) printf("%s ", verbs->item[v].name);
    printf("help --help --version' ;;\n    *)\n    case ${COMP_WORDS[1]} in\n");
    ask_each(verbs, format);
    printf("    esac\n    ;;\n    esac\n"
           "    if [[ $word == -* && -n $options ]]; then\n"
           "        offer=\"=$options\"\n"
           "    fi\n"
           "    case $offer in\n"
           "    =*) mapfile -t COMPREPLY < <(compgen -W \"${offer#=}\" -- \"$word\") ;;\n"
           "    scene)\n"
           "        mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- \"$word\"; compgen -d -- \"$word\")\n"
           "        compopt -o filenames 2> /dev/null\n"
           "        ;;\n"
           "    directory)\n"
           "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
           "        compopt -o filenames 2> /dev/null\n"
           "        ;;\n"
           "    file)\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
           "        compopt -o filenames 2> /dev/null\n"
           "        ;;\n"
           "    esac\n}\ncomplete -F _scree scree\n");
}

static void print_zsh_completion(const verb_table *verbs, const help_format *format)
{
    printf("#compdef scree\n# zsh completion of scree %s, printed by scree --help=zsh.\n_scree()\n{\n", scr_version());
    printf("    local -a verbs\n    verbs=(\n");
    for (int v = 0; v < verbs->count; ++v) printf("        '%s:%s'\n", verbs->item[v].name, verbs->item[v].summary);
    printf("        'help:%s'\n    )\n", HELP_SUMMARY);
    printf("    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
           "        _describe -t commands 'verb' verbs\n"
           "        return\n"
           "    fi\n"
           "    local verb=$words[2]\n"
           "    shift words\n"
           "    ((CURRENT--))\n"
           "    case $verb in\n");
    ask_each(verbs, format);
    printf("    esac\n}\n_scree \"$@\"\n");
}

void print_help_of_all(const verb_table *verbs, const help_format *format)
{
    if (format->print == print_manual_section) print_manual(verbs, format);
    else if (format->print == print_bash_case) print_bash_completion(verbs, format);
    else if (format->print == print_zsh_case) print_zsh_completion(verbs, format);
    else {
        print_overview(verbs, stdout);
        print_exit_codes();
    }
}
