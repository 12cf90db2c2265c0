// Read a JSON list of strings, print it in root collation order as groups of equal strings.
"use strict";
const strings = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const { compare } = new Intl.Collator("en-US");
const groups = [];
for (const string of strings.sort(compare)) {
  const last = groups.at(-1);
  if (last && compare(last[0], string) === 0) last.push(string);
  else groups.push([string]);
}
process.stdout.write(JSON.stringify(groups));
