// Print, as JSON, the character properties this node knows. Called by gen_unicode.py.
"use strict";
const { icu, unicode, cldr } = process.versions;

function* codePoints() {
  for (let code = 0; code < 0x110000; code++) {
    if (code === 0xd800) code = 0xe000;
    yield [code, String.fromCodePoint(code)];
  }
}

function ranges(pattern) {
  const found = [];
  for (const [code, char] of codePoints()) {
    if (!pattern.test(char)) continue;
    const last = found.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else found.push([code, code]);
  }
  return found;
}

function changed(map) {
  const found = [];
  for (const [code, char] of codePoints()) {
    const mapped = map(char);
    if (mapped !== char) found.push([code, Array.from(mapped, (part) => part.codePointAt(0))]);
  }
  return found;
}

// Marks by combining class, lowest first. Only the order of classes matters to canonical ordering, and
// normalization itself shows it: two marks change places exactly when the first has the higher class.
function combiningClasses() {
  const swaps = (first, second) => (first + second).normalize("NFD") !== first + second;
  const [overlay, iota] = ["\u0334", "\u0345"]; // the lowest and the highest class
  const classes = [];
  for (const [, char] of codePoints()) {
    if (char.normalize("NFD") !== char || !(swaps(char, overlay) || swaps(iota, char) || char === iota)) continue;
    let [low, high] = [0, classes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (swaps(char, classes[middle][0])) low = middle + 1;
      else high = middle;
    }
    if (low < classes.length && !swaps(classes[low][0], char)) classes[low].push(char);
    else classes.splice(low, 0, [char]);
  }
  return classes;
}

const isHangul = (char) => char >= "\uac00" && char <= "\ud7a3" && char.length === 1;
const result = {
  versions: { icu, unicode, cldr, node: process.versions.node },
  word: ranges(/^[\p{L}\p{N}]$/u),
  cased: ranges(/^\p{Cased}$/u),
  ignorable: ranges(/^\p{Case_Ignorable}$/u),
  ideographs: ranges(/^\p{Unified_Ideograph}$/u),
  lower: changed((char) => char.toLowerCase()),
  decompositions: changed((char) => (isHangul(char) ? char : char.normalize("NFD"))),
  classes: combiningClasses(),
};
process.stdout.write(JSON.stringify(result));
