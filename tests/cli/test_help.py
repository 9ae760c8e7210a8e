# SPDX-License-Identifier: MIT
"""What the tool tells about itself: help, versions, manual pages, completion in three shells."""

import os
import pty
import re
import shutil
import subprocess
import unittest

from tool import COMMANDS, ToolTest

LIBRARIES = ["RDKit", "LibTorch", "Eigen", "zlib", "libzip", "libcurl", "OpenSSL", "fmt", "nlohmann-json", "CLI11"]


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Help(ToolTest):
    def test_every_command_has_help_with_an_example(self):
        self.assertIn("Example:", self.sgood("--help").stdout)
        for command in COMMANDS:
            text = self.sgood(command, "--help").stdout
            self.assertIn(f"Usage: sgood {command}", text)
            self.assertRegex(text, f"Example: sgood {command} ")

    def test_the_main_help_names_commands_and_exit_codes(self):
        text = self.sgood("--help").stdout
        for word in [*COMMANDS, "130"]:
            self.assertIn(word, text)

    def test_version_names_the_program_its_kernels_and_every_library(self):
        first, kernels, *libraries = self.sgood("--version").stdout.splitlines()
        self.assertRegex(first, r"^sgood \d+\.\d+\.\d+$")
        self.assertRegex(kernels, r"^kernels +(plain|baseline|avx2|avx512)$")
        self.assertEqual([line.split()[0] for line in libraries], LIBRARIES)
        for line in libraries:
            self.assertRegex(line, r"\d+\.\d+|not installed$|built without$|libsgood_torch.so$")


    def test_version_finds_the_torch_plug_in_without_loading_it(self):
        with self.workspace() as folder:
            plug_in = folder / "libsgood_torch.so"
            plug_in.write_text("no library: loading it would fail")
            text = self.sgood("--version", env={**os.environ, "LD_LIBRARY_PATH": str(folder)}).stdout
            self.assertIn(f"LibTorch       {plug_in}\n", text)


class Manual(ToolTest):
    def options_in_help(self, command):
        text = self.sgood(command, "--help").stdout
        return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE))

    def test_pages_hold_every_option_of_the_help(self):
        for command in COMMANDS:
            pages = [self.sgood("manual", command).stdout.replace("\\-", "-"),
                     self.sgood("manual", command, "--format", "markdown").stdout]
            for page in pages:
                for option in self.options_in_help(command):
                    self.assertIn(option, page)

    def test_the_page_of_the_tool_names_all_commands(self):
        for format in ["man", "markdown"]:
            page = self.sgood("manual", "--format", format).stdout
            for command in COMMANDS:
                self.assertIn(f"sgood-{command}", page.replace("\\-", "-"))

    def test_a_folder_gets_a_page_for_each_command(self):
        with self.workspace() as folder:
            self.sgood("manual", "-o", folder / "man1")
            names = {path.name for path in (folder / "man1").iterdir()}
            self.assertEqual(names, {"sgood.1", *(f"sgood-{name}.1" for name in COMMANDS)})

    def test_a_page_of_no_command_is_wrong_usage(self):
        self.assertFails(["manual", "fot"], "fot", "fit", code=2)

    @needs("groff")
    def test_groff_has_nothing_to_complain_of(self):
        for command in [[], *([name] for name in COMMANDS)]:
            page = self.sgood("manual", *command).stdout
            result = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-bou"], input=page,
                                    text=True, capture_output=True, check=True)
            self.assertEqual(result.stderr, "")
            self.assertIn("--help", result.stdout)


class Completion(ToolTest):
    def bash(self, *words):
        """What bash would offer for the last of `words`; a compopt call shows as <its arguments>."""
        script = self.sgood("complete", "bash").stdout
        test = script + """
            compopt() { printf '<%s>\\n' "$*"; }
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _sgood
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        result = subprocess.run(["bash", "-c", test, "bash", *words], text=True,
                                capture_output=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def zsh(self, folder, line):
        """The words of `line` once the tabulator key was pressed in zsh."""
        keyboard, terminal = pty.openpty()
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "TERM": "dumb"}
        shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=terminal, stdout=subprocess.PIPE,
                                 stderr=terminal, env=environment, start_new_session=True, text=True)
        os.close(terminal)
        setup = f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D"
        # Control-A, control-E: the line is printed instead of run.
        os.write(keyboard, f"{setup}\n{line}\t\x01print WORDS \x05\nexit\n".encode())
        printed = shell.communicate(timeout=60)[0]
        os.close(keyboard)
        return re.search("^WORDS (.*)", printed, re.MULTILINE)[1].split()

    def test_scripts_name_every_command(self):
        for shell in ["bash", "zsh", "fish"]:
            script = self.sgood("complete", shell).stdout
            for command in COMMANDS:
                self.assertIn(command, script)

    def test_bash_offers_commands_options_and_values(self):
        for words, expected in [
            (["sgood", "co"], ["convert", "complete"]),
            (["sgood", "fit", "--val"], ["--validation"]),
            (["sgood", "score", "m", "d", "--format", ""], ["csv", "jsonl"]),
            (["sgood", "score", "m", "d", "--format", "=", "j"], ["jsonl"]),
            (["sgood", "score", "--on-error", "=", ], ["fail", "skip", "mark"]),
            (["sgood", "fit", "--on-error", "=", ], ["fail", "skip"]),
            (["sgood", "fit", "--method", "wl-d"], ["wl-density"]),
            (["sgood", "bench", "imdb-"], ["imdb-m", "imdb-b"]),
            (["sgood", "bench", "enzymes,imdb-"], ["enzymes,imdb-m", "enzymes,imdb-b"]),
            (["sgood", "bench", "--ood-order", ""], ["random", "first"]),
            (["sgood", "list", "en"], ["encoders", "engines"]),
            (["sgood", "manual", "fi"], ["fit"]),
        ]:
            with self.subTest(words):
                offered = [word for word in self.bash(*words) if not word.startswith("<")]
                self.assertCountEqual([word for word in offered if word not in ("+o", "default>")],
                                      expected)

    def test_bash_leaves_files_to_the_shell_and_offers_none_for_numbers(self):
        self.assertEqual(self.bash("sgood", "fit", "tr"), [])
        self.assertEqual(self.bash("sgood", "fit", "d", "-o", "m"), [])
        self.assertEqual(self.bash("sgood", "fit", "d", "--seed", ""), ["<+o", "default>"])

    def test_bash_goes_on_after_the_sign_of_a_setting(self):
        offered = self.bash("sgood", "fit", "--set", "ta")
        self.assertIn("tau=", offered)
        self.assertIn("nospace>", offered)

    def test_the_shells_can_read_their_scripts(self):
        for shell in ["bash", "zsh", "fish"]:
            with self.subTest(shell):
                if not shutil.which(shell):
                    self.skipTest(f"{shell} is not installed")
                script = self.sgood("complete", shell).stdout
                subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True, check=True)

    @needs("fish")
    def test_fish_offers_commands_and_values(self):
        with self.workspace() as folder:
            self.sgood("complete", "fish", "-o", folder / "sgood.fish")
            for line, expected in [("sgood conv", "convert"), ("sgood score --format j", "jsonl"),
                                   ("sgood bench enzymes,imdb-", "enzymes,imdb-m"),
                                   ("sgood fit --valid", "--validation")]:
                test = f"source {folder}/sgood.fish; complete -C '{line}'"
                result = subprocess.run(["fish", "--no-config", "-c", test], text=True, check=True,
                                        capture_output=True, env={"HOME": str(folder),
                                                                  "PATH": "/usr/bin:/bin"})
                self.assertIn(expected, [row.split("\t")[0] for row in result.stdout.splitlines()])

    @needs("zsh")
    def test_zsh_offers_commands_and_values(self):
        with self.workspace() as folder:
            self.sgood("complete", "zsh", "-o", folder / "_sgood")
            for line, expected in [("sgood conv", "convert"), ("sgood score --format j", "jsonl"),
                                   ("sgood bench enzymes,imdb-m", "enzymes,imdb-m"),
                                   ("sgood fit --valid", "--validation")]:
                self.assertIn(expected, self.zsh(folder, line))
