"""Structure: keys, merges, aliases and the bounds (planner contract §3, decision B20)."""

from __future__ import annotations

import pytest

from kcp.reading import composer


def test_values_and_order(read) -> None:
    text = "b: 1\na: [x, 'true', true, \"1\", 1, ~, >-\n  7\n  ]\n".replace(">-\n  7\n  ", "x")
    assert read(text) == {"b": 1, "a": ["x", "true", True, "1", 1, None, "x"]}
    assert list(read("b: 1\n10: x\n2: y\na: 2\n")) == ["b", "10", "2", "a"]
    assert read("a: |\n  1\nb: >-\n  true\n") == {"a": "1\n", "b": "true"}


def test_no_document_is_null(read) -> None:
    assert [read(text) for text in ("", "# c\n", " \n\n", "\ufeff", "~", "---\n...\n")] == [None] * 6


def test_keys_are_text(read) -> None:
    text = "1: a\n2.0: b\ntrue: c\n~: d\n? [a, ~]\n: e\n? {x: 1}\n: f\n2026-07-01: g\n? |\n  h\n: i\n"
    assert list(read(text)) == ["1", "2", "true", "null", "a,", "[object Object]", "2026-07-01", "h\n"]
    assert {type(key) for key in read(text)} == {str}


def test_equal_keys_share_one_object(read) -> None:
    first, second = read("- {triggers: 1, id: a}\n- {triggers: 1, 'id': b}\n")
    assert [id(key) for key in first] == [id(key) for key in second]


def test_a_key_seen_quoted_still_resolves_plain(read, refusal) -> None:
    assert read("- {'null': 1, \"true\": 1, '2.0': 1}\n- {null: 1, TRUE: 1, 2.0: 1}\n") == [
        {"null": 1, "true": 1, "2.0": 1},
        {"null": 1, "true": 1, "2": 1},
    ]
    assert read("- {'<<': 1}\n- {<<: {a: 1}}\n- {\"<<\": 2}\n") == [{"<<": 1}, {"a": 1}, {"<<": 2}]
    assert refusal("- {a: 1}\n- {!custom a: 1}\n") == "unknown tag !<!custom> (2:4)"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: 1\nb: 2\na: 3\n", "3:1"),
        ("{a: 1, a: 2}", "1:8"),
        ("1: a\n'1': b\n", "2:1"),
        ("1: a\n1.0: b\n", "2:1"),
        ("true: a\nTrue: b\n", "2:1"),
        ("~: a\nnull: b\n", "2:1"),
        ("'<<': 1\n\"<<\": 2\n", "2:1"),
        ("&x a: 1\n*x : 2\n", "2:1"),
        ("- {k: 1}\n- {k: 1, k: 1}\n", "2:10"),
        ("base: &b {x: 1}\nc:\n  <<: *b\n  x: 2\n  x: 3\n", "5:3"),
    ],
)
def test_duplicate_keys(refusal, text: str, place: str) -> None:
    assert refusal(text) == f"duplicated mapping key ({place})"


def test_nested_lists_in_keys(refusal) -> None:
    assert refusal("? [[a]]\n: b\n") == "nested arrays are not supported inside keys (1:3)"


class TestMerge:
    BASE = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\n"

    def test_explicit_keys_win_wherever_they_stand(self, read) -> None:
        expected = {"a": 0, "b": 1}
        assert read(self.BASE + "z: {a: 0, <<: *x}")["z"] == expected
        assert read(self.BASE + "z: {<<: *x, a: 0}")["z"] == expected

    def test_earlier_sources_win(self, read) -> None:
        assert read(self.BASE + "z: {<<: [*x, *y]}")["z"] == {"a": 1, "b": 1, "c": 2}
        assert read(self.BASE + "z: {<<: [*y, *x]}")["z"] == {"b": 2, "c": 2, "a": 1}
        assert read(self.BASE + "z: {<<: *y, k: 1, <<: *x}")["z"] == {"b": 2, "c": 2, "k": 1, "a": 1}

    def test_a_key_after_two_merges(self, read) -> None:
        assert read(self.BASE + "z: {<<: *y, <<: *x, b: 0, a: 0}")["z"] == {"b": 0, "c": 2, "a": 0}

    def test_order_is_of_first_appearance(self, read) -> None:
        assert list(read(self.BASE + "z: {k: 1, <<: *x, l: 1, a: 0}")["z"]) == ["k", "a", "b", "l"]

    def test_inline_sources_and_empty_lists(self, read) -> None:
        assert read("{<<: {a: 1}, <<: [], <<: [{b: 2}]}") == {"a": 1, "b": 2}

    def test_only_the_plain_key_merges(self, read) -> None:
        assert read("{'<<': {a: 1}}") == {"<<": {"a": 1}}
        assert read("{!!str <<: {a: 1}}") == {"<<": {"a": 1}}
        assert read("- &m <<\n- {*m : {a: 1}}")[1] == {"<<": {"a": 1}}

    @pytest.mark.parametrize("source", ["5", "~", "text", "[1]", "[{a: 1}, ~]", "[[{a: 1}]]", "!!str x"])
    def test_unacceptable_sources(self, refusal, source: str) -> None:
        expected = "cannot merge mappings; the provided source object is unacceptable"
        assert refusal(f"a:\n  <<: {source}\n") == f"{expected} (2:7)"

    def test_a_mapping_cannot_merge_itself(self, refusal) -> None:
        assert refusal("a: &a {<<: *a}") == 'alias "a" stands inside the node that it names (1:12)'

    def test_merged_keys_are_bounded(self, read, refusal, monkeypatch) -> None:
        monkeypatch.setattr(composer, "MAX_MERGED_KEYS", 4)
        assert read(self.BASE + "z: {<<: [*x, *y]}")
        assert refusal(self.BASE + "z: {<<: [*x, *y], <<: {}}").startswith("merge keys exceeded")
        assert refusal(self.BASE + "z: {<<: [*x, *x]}\nw: {<<: *x}").startswith("merge keys exceeded")
        assert composer.MAX_MERGED_KEYS == 4


class TestAliases:
    def test_values_are_shared(self, read) -> None:
        root = read("a: &x [1]\nb: *x\n&k c: *k\n")
        assert root == {"a": [1], "b": [1], "c": "c"}
        assert root["a"] is root["b"]

    def test_the_last_anchor_counts(self, read) -> None:
        assert read("- &x 1\n- *x\n- &x 2\n- *x\n") == [1, 1, 2, 2]
        assert read("- &x [&x a, *x]\n- *x\n") == [["a", "a"], "a"]

    def test_unknown_alias(self, refusal) -> None:
        assert refusal("a: *nope") == 'unidentified alias "nope" (1:4)'
        assert refusal("a: *x\nb: &x 1") == 'unidentified alias "x" (1:4)'

    @pytest.mark.parametrize("text", ["&a {k: *a}", "&a [{k: *a}]", "&a {k: [*a]}", "&a {*a : 1}"])
    def test_a_node_that_contains_itself(self, refusal, text: str) -> None:
        assert refusal(text).startswith('alias "a" stands inside the node that it names')

    def test_a_list_that_lists_itself_is_an_entry_no_field_takes(self, read) -> None:
        assert read("&u [{id: a}, *u]") == [{"id": "a"}, "*u"]
        assert read("&u [[*u]]") == [["*u"]]


class TestBounds:
    def test_depth(self, read, refusal) -> None:
        def nested(depth: int, core: str = "") -> str:
            return "[" * depth + core + "]" * depth

        assert read(nested(100))
        assert read(nested(99, "x"))
        assert read("a: " * 0 + "{a: " * 99 + "1" + "}" * 99)
        message = "nesting exceeded maxDepth (100)"
        assert refusal(nested(101)) == f"{message} (1:101)"
        assert refusal(nested(100, "x")) == f"{message} (1:101)"
        assert refusal("{a: " * 100 + "1" + "}" * 100) == f"{message} (1:398)"
        assert refusal(f"x: {nested(200)}") == f"{message} (1:103)"
        assert refusal("- " * 500).startswith(message)
        assert refusal("[" * 60_000).startswith(message)
        assert refusal("{" * 60_000).startswith(message)
        assert refusal("[\n" * 30_000).startswith(message)
        assert refusal("\n".join(" " * depth + "a:" for depth in range(120))).startswith(message)

    def test_depth_counts_through_aliases(self, read, refusal) -> None:
        def chain(links: int) -> str:
            return "- &a0 [x]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, links))

        assert read(chain(98))
        assert refusal(chain(99)) == "nesting exceeded maxDepth (100) (99:9)"
        assert read("a: &a []\nb: " + "[" * 97 + "*a" + "]" * 97)

    def test_nodes_are_counted_through_aliases(self, read, refusal, monkeypatch) -> None:
        monkeypatch.setattr(composer, "MAX_NODES", 20)
        assert read("[" + "x, " * 19 + "]")
        assert refusal("[" + "x, " * 20 + "]").startswith("more than 20 nodes")
        assert read("{" + "".join(f"k{n}: x, " for n in range(9)) + "}")
        assert refusal("{" + "".join(f"k{n}: x, " for n in range(10)) + "}").startswith("more than 20 nodes")
        # 1 + 8 (two pairs of a key and a list, with four nodes inside) + 2 a time for `*a` with its items
        assert read("a: &a [1, 2]\nb: [*a, *a, *a, 4, 5, 6]\n")
        assert refusal("a: &a [1, 2]\nb: [*a, *a, *a, *a, 5, 6]\n").startswith("more than 20 nodes")
        assert refusal("a: &a {k: 1, l: 1}\nb: {<<: *a, <<: *a}\nc: [1]\n").startswith("more than 20 nodes")

    def test_the_count_does_not_stop_the_reading_of_what_is_allowed(self, read) -> None:
        assert composer.MAX_NODES == 1_000_000
        assert len(read("- x\n" * 5000)) == 5000

    @pytest.mark.parametrize("width", [2, 9])
    def test_alias_bombs(self, refusal, width: int) -> None:
        lists = "a0: &a0 [x]\n" + "".join(
            f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]\n" for n in range(1, 60)
        )
        maps = "a0: &a0 {k: x}\n" + "".join(
            f"a{n}: &a{n} {{{', '.join(f'k{m}: *a{n - 1}' for m in range(width))}}}\n" for n in range(1, 60)
        )
        for text in (lists, maps):
            assert refusal(text).startswith("more than 1,000,000 nodes, counting what aliases repeat")

    def test_merge_bombs(self, refusal) -> None:
        keys = "b: &b {" + ", ".join(f"k{n}: 1" for n in range(100)) + "}\nc:\n"
        assert refusal(keys + "- {<<: *b}\n" * 101).startswith(
            "merge keys exceeded maxTotalMergeKeys (10000)"
        )
        empty = "b: &b [" + "{}, " * 200 + "]\nc:\n"
        assert refusal(empty + "- {<<: *b}\n" * 60).startswith(
            "merge keys exceeded maxTotalMergeKeys (10000)"
        )

    def test_long_integers(self, refusal) -> None:
        assert refusal("a: " + "9" * 100_000) == "integer of 100,000 digits; at most 400 are read (1:4)"
        assert refusal("9" * 401 + ": a").startswith("integer of 401 digits")
        assert refusal("a: !!int '" + "9" * 401 + "'").startswith("integer of 401 digits")


def test_several_documents(refusal, read) -> None:
    message = "expected a single document in the stream, but found more"
    assert refusal("a: 1\n---\nb: 2\n") == f"{message} (2:1)"
    assert refusal("a: 1\n---\n") == f"{message} (2:1)"
    assert refusal("a: 1\n...\nb: 2\n") == f"{message} (3:1)"
    assert refusal("---\n---\n") == f"{message} (2:1)"
    assert read("---\na: 1\n...\n# end\n") == {"a": 1}


def test_versions(read, refusal) -> None:
    assert read("%YAML 1.1\n---\na: yes") == read("%YAML 1.2\n---\na: yes") == {"a": "yes"}
    for version in ("1.0", "1.3", "2.0", "0.9"):
        assert refusal(f"%YAML {version}\n---\na: 1").startswith("only %YAML 1.1 and 1.2 are read")
    assert "extremely long version number" in refusal("%YAML 1." + "9" * 5000 + "\n---\na: 1")
