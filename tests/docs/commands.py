#!/usr/bin/env python3
"""commands.py SOURCE BUILD [PAGE...]: runs what the documentation tells people to type.

The blocks ```sh of each page run in their order in one shell, in an empty folder with the worlds,
PROTOs and controllers of SOURCE in it; `protobeam` there is BUILD's, with runs cut to
PROTOBEAM_DOCS_SECONDS (0.1) of simulated time. Marks above blocks: see CONTRIBUTING.md. Commands that are not
run, and those within sentences, must exist, with their options."""
import functools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from blocks import blocks, pages

SECONDS = os.environ.get("PROTOBEAM_DOCS_SECONDS", "0.1")
NEEDED = ["worlds", "protos", "controllers", "meshes", "mvsim", "docs"]
PROGRAM = re.compile(r"^\s*(?:\S+=\S*\s+)*(?:\./)?protobeam\s")
SENTENCE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


class Program:
    """What `protobeam` understands, by its own --help, which is kept in the folder `seen` for all commands."""

    def __init__(self, binary, seen):
        self.binary, self.seen = str(binary), Path(seen)

    @functools.lru_cache(maxsize=None)
    def help(self, *words):
        known = self.seen / ("-".join(words) or "protobeam")
        if not known.exists():
            result = subprocess.run([self.binary, *words, "--help"], capture_output=True, text=True)
            known.write_text(result.stdout if result.returncode == 0 else "")
        return known.read_text() or None

    @functools.lru_cache(maxsize=None)
    def commands(self, *words):
        """The commands that --help lists below `words`."""
        text = self.help(*words) or ""
        _, _, listed = text.partition("Subcommands:")
        return set(re.findall(r"^  (\w+)", listed, re.MULTILINE))

    def mistake(self, words):
        """"" or what is wrong with `words`, without `protobeam` in front."""
        path, rest = [], list(words)
        while rest and rest[0] in self.commands(*path):
            path.append(rest.pop(0))
        if not path:
            known = not rest or rest[0] in ("--help", "--version")
            return "" if known else f"there is no command '{rest[0]}'"
        if path == ["python"]:  # the rest is for the script
            return ""
        text = self.help(*path)
        for word in rest:
            if not word.startswith("--"):
                continue
            option = word.partition("=")[0]
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text):
                return f"`{' '.join(path)}` has no option '{option}'"
        return ""


def shortened(words):
    """A run of seconds instead of minutes, and nothing that needs a person or a display. None: not at all."""
    command, rest = words[0], list(words[1:])
    if command == "test":
        return None
    if command == "view":  # the window has its own tests
        return ["check", next(word for word in rest if not word.startswith("-"))]
    if command not in ("run", "snapshot"):
        return words
    rest = [word for word in rest if word != "--view"]
    for option in ("--duration", "--time"):
        if option in rest:
            at = rest.index(option) + 1
            rest[at] = str(min(float(rest[at]), float(SECONDS)))
        elif option == "--duration" and (command == "run" or "--video" in rest):
            rest += [option, SECONDS]
    if "--save-state" in rest:  # TIME:FILE, within the run
        at = rest.index("--save-state") + 1
        time, _, file = rest[at].partition(":")
        rest[at] = f"{min(float(time), float(SECONDS))}:{file}"
    return [command, *rest]


def stand_in(binary, seen, words):
    """What `protobeam` does in the blocks."""
    mistake = Program(binary, seen).mistake(words)
    if mistake:
        print(f"protobeam: {mistake}", file=sys.stderr)
        return 2
    words = shortened(words) if words else words
    if words is None:
        return 0
    os.execv(binary, [binary, *words])


def protobeam_lines(text):
    """The words behind `protobeam` in each such line."""
    for line in text.replace("\\\n", " ").splitlines():
        if PROGRAM.match(line):
            words = shlex.split(line, comments=True)
            words = words[[i for i, word in enumerate(words) if word in ("protobeam", "./protobeam")][0] + 1:]
            cut = [i for i, word in enumerate(words) if word in ("&", "&&", "|", ";")]
            yield line, words[:cut[0]] if cut else words


def check_sentences(page, program):
    """Commands in the running text: `protobeam run --out`, and `run --out`."""
    text = re.sub(r"^\s*```.*?^\s*```", lambda block: "\n" * block[0].count("\n"), page.read_text(),
                  flags=re.MULTILINE | re.DOTALL)
    mistakes = []
    for found in SENTENCE.finditer(text):
        words = found[1].split()
        if words[0] in ("protobeam", "./protobeam"):
            words = words[1:]
        elif not (len(words) > 1 and words[0] in program.commands() and any(w.startswith("--") for w in words)):
            continue
        mistake = program.mistake([word.rstrip(",;.)") for word in words]) if words else ""
        if mistake:
            line = text.count("\n", 0, found.start()) + 1
            mistakes.append(f"{page}:{line}: {mistake}")
    return mistakes


def script_of(page, program):
    """The blocks of a page that run, as one script, and mistakes in the others."""
    script, mistakes, count, left_out = "set -eo pipefail\n", [], 0, []
    for block in blocks(page):
        place = f"{block.page}:{block.line}"
        if block.mark.startswith("file: "):
            continue
        if block.language in ("", "bash", "console", "shell"):
            if any(re.match(r"\s*(\./)?(protobeam|cmake|ctest) ", line) for line in block.text.splitlines()):
                mistakes.append(f"{place}: a block with commands begins with ```sh")
            continue
        if block.language != "sh":
            continue
        kind, _, value = block.mark.partition(": ")
        if kind == "not run":
            if not value:
                mistakes.append(f"{place}: `<!-- not run: WHY -->` does not say why")
            for line, words in protobeam_lines(block.text):
                mistake = program.mistake(words)
                if mistake:
                    mistakes.append(f"{place}: {mistake}: {line.strip()}")
            left_out.append(f"{place}: {value}")
            continue
        text = block.text
        if kind == "with":
            for pair in value.split(", "):
                name, _, replacement = pair.partition("=")
                if name not in text:
                    mistakes.append(f"{place}: there is no '{name}' in this block")
                text = text.replace(name, replacement)
        elif block.mark.startswith(("with", "not")):
            mistakes.append(f"{place}: unknown mark '{block.mark}'")
        script += f"echo '@@ {place}' >&2\n{text}"
        count += 1
    return script, mistakes, count, left_out


def run_page(page, script, source, build, seen):
    with tempfile.TemporaryDirectory() as folder:
        for name in NEEDED:
            os.symlink(source / name, Path(folder) / name)
        (Path(folder) / "bin").mkdir()
        shim = Path(folder) / "bin/protobeam"
        shim.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(Path(__file__).resolve()))} "
                        f"--stand-in {shlex.quote(str(build / 'bin/protobeam'))} {shlex.quote(str(seen))} \"$@\"\n")
        shim.chmod(0o755)
        os.symlink("bin/protobeam", Path(folder) / "protobeam")
        for block in blocks(page):
            if block.mark.startswith("file: "):
                (Path(folder) / block.mark.removeprefix("file: ")).write_text(block.text)
        environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", HOME=folder, SOURCE=str(source),
                           BUILD=str(build))
        result = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if result.returncode == 0:
            return []
        _, _, last = result.stdout.rpartition("@@ ")
        place, _, output = last.partition("\n")
        return [f"{place}: ends with status {result.returncode}:\n{output}"]


def main(arguments):
    if arguments[0] == "--stand-in":
        return stand_in(arguments[1], arguments[2], arguments[3:])
    with tempfile.TemporaryDirectory() as seen:
        return check(arguments, seen)


def check(arguments, seen):
    source, build = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
    program = Program(build / "bin/protobeam", seen)
    mistakes, total, left_out = [], 0, []
    if not program.commands():
        mistakes.append(f"{program.binary} --help lists no commands")
    for page in [Path(p) for p in arguments[2:]] or pages(source):
        script, found, count, without = script_of(page, program)
        mistakes += found + check_sentences(page, program)
        left_out += without
        total += count
        if count:
            mistakes += run_page(page, script, source, build, seen)
    for what in left_out:
        print(f"not run: {what}")
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    print(f"{total} blocks run, {len(left_out)} not run, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
