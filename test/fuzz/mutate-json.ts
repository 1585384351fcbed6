// Changes values in a JSON document so that it stays valid JSON and passes the parser.

import type { Random } from './random.js';

/** Values, one a line; as text, for some have no JavaScript value. */
const VALUES = String.raw`null
true
false
0
1
-1
3
5.0
5e0
-0
1e400
0.5
2147483648
4294967296
18446744073709551615
18446744073709551616
-9223372036854775809
""
"0"
"-1"
"007"
" 5"
"AA=="
"AA"
"_-8="
"A"
"===="
"ADMIN"
"etcdraft"
"BFT"
"1970-01-01T00:00:00Z"
"0000-01-01T00:00:00Z"
"2024-02-29T23:59:60.999999999+23:59"
"\ud800"
{}
[]
[null]
[{}]
[[]]
{"":{}}
{"__proto__":{}}
{"a":null}
{"value":"AA=="}
{"groups":{"a":{}}}`.split('\n');

/** The words of a document: keys with their colon, texts, numbers, the three names, empty objects and lists. */
const WORD = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.eE+-]*|true|false|null|\{\s*\}|\[\s*\]/g;

const KEYS = [
  '"type":',
  '"value":',
  '"version":',
  '"__proto__":',
  '"data":',
  '"":',
  '"10":',
  '"modPolicy":',
  '"Orderer":',
];

function exchange(text: string, isKey: boolean, random: Random): string {
  const places = [...text.matchAll(WORD)].filter(([word]) => word.endsWith(':') === isKey);
  if (places.length === 0) return text;
  const { index, 0: found } = random.pick(places);
  const likes = VALUES.filter((value) => value[0] === found[0]);
  const put = isKey
    ? random.pick(KEYS)
    : random.pick(likes.length > 0 && random.below(4) > 0 ? likes : VALUES);
  return text.slice(0, index) + put + text.slice(index + found.length);
}

/** A document with one to three values or keys changed. */
export function mutateJson(input: Buffer, random: Random): Buffer {
  let text = input.toString();
  for (let left = 1 + random.below(3); left > 0; left -= 1)
    text = exchange(text, random.below(6) === 0, random);
  return Buffer.from(text);
}
