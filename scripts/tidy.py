#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Style as a test: what no formatter checks, over all tracked files (docs/style.md).

Prints one line for each breach and exits with 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys

# Folders of src/ and include/barewire/, lowest first: one may include its own level and those
# below, never one above (docs/architecture.md).
LEVELS = [
    {'base'},
    {'wire', 'rpc', 'stats', 'plan', 'link'},
    {'control', 'host', 'tcp', 'nfs', 'capture'},
    {'mtu', 'rfc2544', 'kernel', 'report', 'machine'},
    {'nic'},
    {'engine'},
]
LEVEL = {folder: level for level, folders in enumerate(LEVELS) for folder in folders}
MAY_INCLUDE_DPDK = re.compile(r'(src|include/barewire)/(nic|engine)/|tests/component/')

# Tests that may be skipped, each with the reason why a machine can lack what it needs.
MAY_SKIP = {}

MOST_LINES = 450
MOST_COLUMNS = 100
CODE = {'.cc', '.h', '.py', '.sh'}
# In two parts, so that this file does not hold them.
BANNED = re.compile(r'\b(TO' + r'DO|FIX' + r'ME|XX' + r'X|HA' + r'CK)\b')
MACHINE_PATH = re.compile(r'(?<![\w.$}/~-])/(work|root|home/\w|tmp/bw)\b')
INCLUDE = re.compile(r'\s*#\s*include\s+[<"]([^>"]+)[>"]')
SKIPS = re.compile(r'\bGTEST_SKIP\b|\bexit 77\b|^\s*skip\s', re.MULTILINE)
NOLINT = re.compile(r'NOLINT(NEXTLINE|BEGIN|END)?(\([\w.,* -]+\): *\S)?')
SPDX = 'SPDX-License-Identifier: BSD-3-Clause'


def is_script(path, lines):
    return path.suffix in {'.py', '.sh'} or (lines and lines[0].startswith('#!'))


def is_code(path, lines):
    return path.suffix in CODE or path.name == 'meson.build' or is_script(path, lines)


def check_header(path, lines):
    """SPDX first (after #!), then what the file is for."""
    if not is_code(path, lines) and path.name != 'meson_options.txt':
        return
    start = 1 if lines and lines[0].startswith('#!') else 0
    if len(lines) <= start or SPDX not in lines[start]:
        yield start + 1, f'the first line is to be "{SPDX}"'
    elif path.suffix in CODE and not re.match(r'(//|#|""").{10}', (lines + [''] * 2)[start + 1]):
        yield start + 2, 'one sentence on what the file is for is to follow the SPDX line'


def check_lines(path, lines):
    for number, line in enumerate(lines, 1):
        if '\t' in line:
            yield number, 'tab'
        if line != line.rstrip():
            yield number, 'trailing whitespace'
        if is_code(path, lines) and len(line) > MOST_COLUMNS:
            yield number, f'{len(line)} columns; at most {MOST_COLUMNS}'
        if BANNED.search(line):
            yield number, f'banned word: {BANNED.search(line).group()}'
        if MACHINE_PATH.search(line):
            yield number, 'path of one machine'
    if is_code(path, lines) and len(lines) > MOST_LINES:
        yield MOST_LINES + 1, f'{len(lines)} lines; at most {MOST_LINES}'


def folder_of(name):
    """The layer that a path of this tree or of an #include belongs to, None for any other."""
    match = re.match(r'(?:(?:src|include/barewire|barewire)/)?(\w+)/', name)
    return match.group(1) if match and match.group(1) in LEVEL else None


def check_includes(path, lines):
    if path.suffix not in {'.cc', '.h'}:
        return
    name = path.as_posix()
    own = folder_of(name) if name.startswith(('src/', 'include/')) else None
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        included = match.group(1)
        if included.startswith('rte_') and not MAY_INCLUDE_DPDK.match(name):
            yield number, f'{included}: DPDK is for nic/ and engine/ only'
        layer = folder_of(included)
        if own and layer and LEVEL[layer] > LEVEL[own]:
            yield number, f'{own}/ may not include {layer}/, which is above it'


def check_skips(path, text):
    if path.parts[0] != 'tests' or path.suffix not in {'.cc', '.sh'} or path.name[0] == '_':
        return
    match = SKIPS.search(text)
    if match and path.as_posix() not in MAY_SKIP:
        yield text.count('\n', 0, match.start()) + 1, 'may be skipped, and MAY_SKIP has no reason'


def check_nolint(path, lines):
    if path.suffix not in {'.cc', '.h'}:
        return
    for number, line in enumerate(lines, 1):
        match = NOLINT.search(line)
        if match and match.group(1) != 'END' and not match.group(2):
            yield number, 'NOLINT is to name its check and, after a colon, the reason'


def check_text(path, text):
    """All breaches in one file: (line, what)."""
    lines = text.split('\n')
    if text and lines[-1] == '':
        lines.pop()
    elif text:
        yield len(lines), 'no newline at the end'
    yield from check_header(path, lines)
    yield from check_lines(path, lines)
    yield from check_includes(path, lines)
    yield from check_skips(path, text)
    yield from check_nolint(path, lines)


def tracked_files(root):
    listed = subprocess.run(['git', '-c', 'safe.directory=*', 'ls-files', '-z', '--cached',
                             '--others', '--exclude-standard'], cwd=root,
                            capture_output=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split('\0') if name]
    else:  # a source archive, or a checkout of another user's
        names = [path.relative_to(root).as_posix() for path in root.rglob('*') if path.is_file()]
        names = [name for name in names if not name.startswith(('build/', '.git/'))]
    return sorted(pathlib.PurePosixPath(name) for name in names if (root / name).is_file())


def read_text(path):
    """Contents, or None for a binary file (captures, corpora)."""
    data = path.read_bytes()
    try:
        return None if b'\0' in data else data.decode()
    except UnicodeDecodeError:
        return None


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    breaches = checked = 0
    for path in tracked_files(root):
        if {'corpus', '__pycache__'} & set(path.parts):
            continue
        text = read_text(root / path)
        if text is None:
            continue
        checked += 1
        for line, what in check_text(path, text):
            print(f'{path}:{line}: {what}')
            breaches += 1
    print(f'{checked} files, {breaches} breaches')
    return 1 if breaches or not checked else 0


if __name__ == '__main__':
    sys.exit(main())
