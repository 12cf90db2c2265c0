"""llms.txt files in the shapes that real ones have, with what each converts to.

For every file the project's name and, unit by unit, id, path, intent and triggers; `elsewhere` counts links
at other origins, `unusable` links that lead to no page.
"""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    text: str
    project: str
    units: list[tuple[str, str, str, str]]
    elsewhere: int = 0
    unusable: int = 0
    summary: str | None = None


SHAPES = {
    "as the proposal has it": Shape(
        "# Quay\n\n> All about berths.\n\nSome prose.\n\n## Docs\n\n"
        "- [Quick start](https://quay.test/start.md): Berth in five minutes\n"
        "- [API reference](https://quay.test/api.md)\n\n## Optional\n\n"
        "- [History](https://quay.test/history.md): Where it all began\n",
        "Quay",
        [
            ("quick-start", "start.md", "Berth in five minutes", "docs quick start"),
            ("api-reference", "api.md", "API reference", "docs api reference"),
            ("history", "history.md", "Where it all began", "optional history"),
        ],
        summary="All about berths.",
    ),
    "links before the first section": Shape(
        "# Quay\n- [Home](/): The start\n## Docs\n- [Guide](/guide): How to\n",
        "Quay",
        [("home", "index", "The start", "home"), ("guide", "guide", "How to", "docs guide")],
    ),
    "no sections, no title": Shape(
        "- [Alpha](/alpha.md)\n- [Beta](/beta.md)\n",
        "website",
        [("alpha", "alpha.md", "Alpha", "alpha"), ("beta", "beta.md", "Beta", "beta")],
    ),
    "nested lists": Shape(
        "# Q\n## Docs\n- [Guides](/guides/)\n  - [First berth](/guides/first)\n"
        "    * [Deep water](/guides/deep): below\n\t+ [Tab](/guides/tab)\n",
        "Q",
        [
            ("guides", "guides", "Guides", "docs guides"),
            ("first-berth", "guides/first", "First berth", "docs first berth"),
            ("deep-water", "guides/deep", "below", "docs deep water"),
            ("tab", "guides/tab", "Tab", "docs tab"),
        ],
    ),
    "other bullets and numbers": Shape(
        "# Q\n## Docs\n* [Star](/star): s\n+ [Plus](/plus): p\n1. [One](/one): o\n"
        "2) [Two](/two): t\n• [Dot](/dot): d\n",
        "Q",
        [
            ("star", "star", "s", "docs star"),
            ("plus", "plus", "p", "docs plus"),
            ("one", "one", "o", "docs one"),
            ("two", "two", "t", "docs two"),
            ("dot", "dot", "d", "docs dot"),
        ],
    ),
    "dashes of every kind": Shape(
        "# Q\n## Docs\n- [En](/en) – en dash\n- [Em](/em) — em dash\n"
        "- [Hyphen](/hy) - hyphen\n- [Arrow](/ar) -> arrow\n"
        "- [Wide](/wi)：wide colon\n- [None](/no) no mark at all\n",
        "Q",
        [
            ("en", "en", "en dash", "docs"),
            ("em", "em", "em dash", "docs"),
            ("hyphen", "hy", "hyphen", "docs hyphen"),
            ("arrow", "ar", "arrow", "docs arrow"),
            ("wide", "wi", "wide colon", "docs wide"),
            ("none", "no", "no mark at all", "docs none"),
        ],
    ),
    "title and URL without brackets": Shape(
        "# Q\n## Docs\n- Tide tables: https://quay.test/tides\n- Berths - https://quay.test/berths\n"
        "- Customs (https://quay.test/customs)\n- Pilots: /pilots.md\n",
        "Q",
        [
            ("tide-tables", "tides", "Tide tables", "docs tide tables"),
            ("berths", "berths", "Berths", "docs berths"),
            ("customs", "customs", "Customs", "docs customs"),
            ("pilots", "pilots.md", "Pilots", "docs pilots"),
        ],
    ),
    "bare URLs": Shape(
        "# Q\n## Pages\n- https://quay.test/tides\n- <https://quay.test/berths>: all of them\n"
        "https://quay.test/customs\n",
        "Q",
        [
            ("https-quay-test-tides", "tides", "tides", "pages tides"),
            ("https-quay-test-berths", "berths", "all of them", "pages berths"),
            ("https-quay-test-customs", "customs", "customs", "pages customs"),
        ],
    ),
    "emphasis, code and images": Shape(
        "# **Quay**\n## `Docs`\n- **[Bold](/bold)**: in bold\n- [`code`](/code): on code\n"
        "- [![logo](/logo.png) Logo](/logo): with image\n- __[Under](/under)__ - lined\n",
        "Quay",
        [
            ("bold", "bold", "in bold", "docs bold"),
            ("code", "code", "on code", "docs code"),
            ("logo-logo", "logo", "with image", "docs logo"),
            ("under", "under", "lined", "docs under"),
        ],
    ),
    "fragments and queries": Shape(
        "# Q\n## Docs\n- [One](/page#one)\n- [Two](/page?x=1#two)\n- [Here](#here)\n",
        "Q",
        [("one", "page", "One", "docs one"), ("two", "page", "Two", "docs two")],
    ),
    "relative and escaped": Shape(
        "# Q\n## Docs\n- [Up](../up/./x/../y.md)\n- [Plain](plain.md)\n- [Blank](a%20b.md)\n"
        "- [Wide](%E6%B8%AF.md)\n"
        "- [Angle](<with blank.md>)\n- [Slash](a%2Fb)\n- [Backslash](a%5Cb)\n- [Broken](a%ffb)\n",
        "Q",
        [
            ("up", "up/y.md", "Up", "docs"),
            ("plain", "plain.md", "Plain", "docs plain"),
            ("blank", "a b.md", "Blank", "docs blank"),
            ("wide", "港.md", "Wide", "docs wide"),
            ("angle", "with blank.md", "Angle", "docs angle"),
            ("slash", "a%2Fb", "Slash", "docs slash"),
            ("backslash", "a%5Cb", "Backslash", "docs backslash"),
            ("broken", "a%ffb", "Broken", "docs broken"),
        ],
    ),
    "brackets within brackets": Shape(
        '# Q\n## Docs\n- [List [of] things](/wiki/Quay_(port)): nested\n- [Titled](/t "A title"): one\n'
        "- [Escaped \\[x\\]](/e): two\n- [Single](/s 'Title')\n",
        "Q",
        [
            ("list-of-things", "wiki/Quay_(port)", "nested", "docs list [of] things"),
            ("titled", "t", "one", "docs titled"),
            ("escaped-x", "e", "two", "docs escaped [x]"),
            ("single", "s", "Single", "docs single"),
        ],
    ),
    "titles that are not English": Shape(
        "# 港口文档\n> 关于港口。\n## 指南\n- [入门](/zh/start): 从这里开始\n- [Über uns](/de/über)\n"
        "- [Приливы](/ru/tides) – таблицы\n",
        "港口文档",
        [
            ("zh-start", "zh/start", "从这里开始", "入门"),
            ("ber-uns", "de/über", "Über uns", "über uns"),
            ("ru-tides", "ru/tides", "таблицы", "приливы"),
        ],
        summary="关于港口。",
    ),
    "same titles": Shape(
        "# Q\n## A\n- [Overview](/a)\n## B\n- [Overview](/b)\n- [Overview 2](/c)\n- [Overview](/d)\n",
        "Q",
        [
            ("overview", "a", "Overview", "overview"),
            ("overview-2", "b", "Overview", "overview"),
            ("overview-2-2", "c", "Overview 2", "overview"),
            ("overview-3", "d", "Overview", "overview"),
        ],
    ),
    "mostly another host": Shape(
        "# Q\n## Docs\n- [A](https://docs.quay.test/a)\n- [B](https://docs.quay.test/b)\n- [Rel](/rel)\n"
        "- [Home](https://quay.test/)\n- [Code](https://forge.test/quay)\n",
        "Q",
        [("a", "a", "A", "docs"), ("b", "b", "B", "docs"), ("rel", "rel", "Rel", "docs rel")],
        elsewhere=2,
    ),
    "tie of origins": Shape(
        "# Q\n## Docs\n- [One](https://one.test/a)\n- [Two](https://two.test/b)\n",
        "Q",
        [("one", "a", "One", "docs one")],
        elsewhere=1,
    ),
    "other schemes": Shape(
        "# Q\n## Contact\n- [Mail](mailto:port@quay.test)\n- [Call](tel:123)\n"
        "- [Run](javascript:alert(1))\n"
        "- [Data](data:text/plain,x)\n- [Page](/page)\n",
        "Q",
        [("page", "page", "Page", "contact page")],
        unusable=4,
    ),
    "only other sites' links": Shape(
        "# Q\n## More\n- [A](https://a.test/x)\n- [B](//b.test/y)\n- [Page](/here)\n",
        "Q",
        [("a", "x", "A", "more"), ("page", "here", "Page", "more page")],
        elsewhere=1,
    ),
    "code and comments": Shape(
        "# Q\n## Docs\n```md\n- [Not this](/no)\n```\n<!-- - [nor this](/no) -->\n<!--\n"
        "- [nor that](/no)\n-->\n"
        "~~~\n## Not a section\n~~~\n- [This](/yes)\n",
        "Q",
        [("this", "yes", "This", "docs")],
    ),
    "headings underlined": Shape(
        "Quay\n====\n\nDocs\n----\n- [A page](/a)\n\n---\n\n- [Another](/b)\n",
        "Quay",
        [("a-page", "a", "A page", "docs page"), ("another", "b", "Another", "docs another")],
    ),
    "headings of other levels": Shape(
        "# Quay #\n# Second title\n## Docs ##\n### Deep\n- [A page](/a)\n#hash\n#### More\n- [Other](/b)\n",
        "Quay",
        [("a-page", "a", "A page", "docs page"), ("other", "b", "Other", "docs other")],
    ),
    "windows line ends and a byte order mark": Shape(
        "\ufeff# Quay\r\n> Sum\r\n## Docs\r\n- [A page](/a): text\r\n",
        "Quay",
        [("a-page", "a", "text", "docs page")],
        summary="Sum",
    ),
    "several links in an item": Shape(
        "# Q\n## Docs\n- [One](/one), [Two](/two) | [Three](/three): last\n"
        "- [Main](/main): see [other](/other) too\n"
        "- Reference: [Inner](/inner): inside\n",
        "Q",
        [
            ("one", "one", "One", "docs one"),
            ("two", "two", "Two", "docs two"),
            ("three", "three", "last", "docs three"),
            ("main", "main", "see other too", "docs main"),
            ("inner", "inner", "inside", "docs inner"),
        ],
    ),
    "task list and empty titles": Shape(
        "# Q\n## Docs\n- [x] [Done](/done)\n- [ ] [Open](/open): yet\n"
        "- [](/untitled/page.md)\n- []()\n- [Empty]()\n",
        "Q",
        [
            ("done", "done", "Done", "docs done"),
            ("open", "open", "yet", "docs open"),
            ("untitled-page-md", "untitled/page.md", "untitled/page.md", "docs untitled page.md"),
        ],
        unusable=2,
    ),
    "prose with links": Shape(
        "# Q\nRead the [manual](/manual) first.\n\n[Quay](/quay) is a port.\n\n"
        "[Alone](/alone)\n[Named](/named): said\n"
        "- prose with a [link](/in) inside\n",
        "Q",
        [("alone", "alone", "Alone", "alone"), ("named", "named", "said", "named")],
    ),
    "a pointer to the manifest": Shape(
        "# Q\n> knowledge: /knowledge.yaml\n> The summary.\n## Docs\n- [A page](/a)\n",
        "Q",
        [("a-page", "a", "A page", "docs page")],
        summary="The summary.",
    ),
    "texts that YAML would take for something else": Shape(
        "# 1.10\n> yes\n## null\n- [true](/true): 2026-07-06\n- [key: value](/k): - dash\n"
        "- [#tag](/tag): `a: b` {c}\n"
        '- ["q"](/q): back\\\\slash\n',
        "1.10",
        [
            ("true", "true", "2026-07-06", "null true"),
            ("key-value", "k", "- dash", "null key value"),
            ("tag", "tag", "`a: b` {c}", "null #tag"),
            ("q", "q", "back\\slash", 'null "q"'),
        ],
        summary="yes",
    ),
    "entities": Shape(
        "# Q &amp; A\n## Docs\n- [Ports &mdash; all](/a?b=1&amp;c=2): R&amp;D\n",
        "Q & A",
        [("ports-all", "a", "R&D", "docs ports all")],
    ),
    "items of several lines": Shape(
        "# Q\n## Docs\n- [`tide()`](/tide.md)\n  : tide: Reads the tide\n  tables\n"
        "- [`berth()`](/berth.md)\n  [`berth_old()`](/old.md)\n  : berth: Finds a berth\n"
        "- [A title that goes\n  on](/on.md):\n\n  Not part of it\n- [Last](/last): said\nnot indented\n",
        "Q",
        [
            ("tide", "tide.md", "tide: Reads the tide tables", "docs tide"),
            ("berth", "berth.md", "berth()", "docs berth"),
            ("berth-old", "old.md", "berth: Finds a berth", "docs berth_old"),
            ("a-title-that-goes-on", "on.md", "A title that goes on", "docs title goes"),
            ("last", "last", "said", "docs last"),
        ],
    ),
    "labels in bold": Shape(
        "# Q\n## Pages\n- **Home**: https://quay.test — The start\n"
        "- **By**: Acme (https://quay.test/acme)\n- **Site:** https://quay.test/site\n"
        "- __Source__: [https://quay.test/src](/src): there\n[![badge](/b.svg)](/badge)\n"
        "- [Guide](/guide): **start here** — all of it\n- **[All: bold](/bold): said**\n"
        "- [Tag](/tag) **new**\n",
        "Q",
        [
            ("home", "index", "The start", "pages home"),
            ("by-acme", "acme", "By: Acme", "pages acme"),
            ("site", "site", "Site", "pages site"),
            ("source", "src", "there", "pages source"),
            ("guide", "guide", "**start here** — all of it", "pages guide"),
            ("all-bold", "bold", "said", "pages all bold"),
            ("tag", "tag", "**new**", "pages tag"),
        ],
    ),
    "table of contents": Shape(
        "# Q\n## Contents\n- [Top](#top)\n  - [Below](#below)\n"
        "## [Linked heading](https://quay.test/h)\n- [Page](/page)\n",
        "Q",
        [("page", "page", "Page", "linked heading page")],
    ),
    "a long title": Shape(
        "# Q\n## Docs\n- [A very long title that goes on and on about nothing much at all](/long)\n",
        "Q",
        [
            (
                "a-very-long-title-that-goes-on-and-on-about-noth",
                "long",
                "A very long title that goes on and on about nothing much at all",
                "docs very long title goes about nothing much",
            )
        ],
    ),
}
