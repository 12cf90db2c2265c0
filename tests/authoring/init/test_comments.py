"""What a source file says of itself."""

from __future__ import annotations

import pytest

from kcp.authoring.init.comments import first_heading, leading_comment

SAID = "Keeps the tide tables"
CASES = [
    ("ts", f"/** {SAID} */\n", SAID),
    ("ts", f"import a\n/**\n * {SAID}\n * for every quay.\n */\n", f"{SAID} for every quay."),
    ("ts", f"/** short */\n// {SAID}\n", None),
    ("ts", f"// {SAID}\n// more\n", SAID),
    ("ts", f"#!/usr/bin/env node\n// {SAID}\n", SAID),
    ("ts", f"import a\n// {SAID}\n", None),
    ("ts", f"// Copyright 2026 Acme Incorporated\n// {SAID}\n", SAID),
    ("ts", "// SPDX-License-Identifier: Apache-2.0\n", None),
    ("ts", f"/* {SAID} */\n", None),
    ("ts", "// " + "x" * 200, None),
    ("ts", "// " + "x" * 199, "x" * 199),
    ("ts", "// " + "x" * 10, None),
    ("go", f"// Package tide. {SAID}.\npackage tide\n", f"Package tide. {SAID}."),
    ("rs", f"//! {SAID}\n", SAID),
    ("c", f"#include <stdio.h>\n// {SAID}\n", None),
    ("py", f'"""{SAID}"""\n', SAID),
    ("py", f'"""{SAID}.\n\nMore of it.\n"""\n', f"{SAID}."),
    ("py", f'"""\n{SAID}\n"""\n', SAID),
    ("py", f"#!/usr/bin/env python3\n# coding: utf-8\n\n'''{SAID}'''\n", SAID),
    ("py", f'r"{SAID}"\n', SAID),
    ("py", f"'{SAID}\n", None),
    ("py", f"# {SAID} well\nimport os\n", f"{SAID} well"),
    ("py", f'import os\n"""{SAID}"""\n', None),
    ("py", f'# boilerplate it is not\n"""{SAID}"""\n', SAID),
    ("py", '"""' + "x" * 100_000, None),
    ("rb", f"# frozen_string_literal: true\n# {SAID}\n", SAID),
    ("py", "", None),
    ("ts", "", None),
]


@pytest.mark.parametrize(("extension", "text", "said"), CASES)
def test_leading_comment(extension: str, text: str, said: str | None):
    assert leading_comment(text, extension) == said


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Tides\n", "Tides"),
        ("text\n\n# Tides #\n", "Tides"),
        ("## Second\n", None),
        ("---\ntitle: x\n# comment\n---\n# Tides\n", "Tides"),
        ("```\n# code\n```\n# Tides\n", "Tides"),
        ("#hashtag\n# C# and F#\n", "C# and F#"),
        ("# \n# Tides\n", "Tides"),
        ("", None),
        ("---\n# never closed\n", "never closed"),
    ],
)
def test_first_heading(text: str, heading: str | None):
    assert first_heading(text) == heading
