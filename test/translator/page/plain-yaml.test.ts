// What the page reads of YAML, compared with the package that the command line uses.

import test from 'ava';
import { parse } from 'yaml';
import { readPlainYaml } from '../../../translator/page/plain-yaml.js';
import { attempt } from '../../../proto/errors.js';

const UNITS = `NodeOUs:
  Enable: true
  ClientOUIdentifier:
    Certificate: cacerts/ca.org1.example.com-cert.pem
    OrganizationalUnitIdentifier: client
  PeerOUIdentifier:
    Certificate: "cacerts/ca.pem" # of Fabric CA
    OrganizationalUnitIdentifier: 'peer''s'
`;

const READ: readonly (readonly [what: string, text: string])[] = [
  ['the file of cryptogen', UNITS],
  ['comments, an empty line and a begin of a document', `# made by hand\n---\n\n${UNITS}`],
  ['line ends of Windows', UNITS.replaceAll('\n', '\r\n')],
  [
    'a list of maps',
    'OrganizationalUnitIdentifiers:\n  - Certificate: a.pem\n    OrganizationalUnitIdentifier: x\n  - Certificate: b.pem\n',
  ],
  ['a list with the indent of its key', 'A:\n- x\n- y: 1\n  z: 2\nB: c\n'],
  ['keys without values', 'A:\nB: # nothing\nC:\n  D:\nE: ~\n'],
  ['words and numbers', 'A: True\nB: false\nC: 12\nD: -1\nE: 1.pem\nF: ./x:y\nG: a#b\n'],
  ['anchors and aliases', 'A: &a\n  B: c\nC: *a\nD: &d x # y\nE: *d # z\nF:\n- &f\n  G: h\n- *f\n'],
  ['a key like a property of objects', 'constructor: x\n'],
];

for (const [what, text] of READ)
  test(`the page reads ${what} as YAML`, (t) => {
    t.deepEqual(readPlainYaml(text), parse(text));
  });

test('an empty file has no value', (t) => {
  t.is(readPlainYaml('# nothing\n'), undefined);
});

for (const [what, text, line] of [
  ['a flow', 'A: {Enable: true}', 1],
  ['an alias without an anchor', 'A: b\nC: *a', 2],
  ['an alias in its own anchor', 'A: &a\n  B: *a', 2],
  ['a merge key', 'A: &a\n  B: c\nC:\n  <<: *a', 4],
  ['a tag', 'A: !!str 1', 1],
  ['a text of several lines', 'A: |\n  b', 1],
  ['a value that goes on', 'A: b\n  c', 2],
  ['an escape', String.raw`A: "b\n"`, 1],
  ['a tab', 'A:\n\tB: c', 2],
  ['a key that occurs twice', 'A: b\nA: c', 2],
  ['a list in a list', 'A:\n  - - b', 2],
  ['another document', 'A: b\n---\nA: c', 2],
  ['a float', 'A: 1e3', 1],
  ['a key with a space', 'A b: c', 1],
  ['a line that is less indented than the first', '  A: b\nC: d', 2],
] as const)
  test(`the page refuses ${what}`, (t) => {
    t.throws(() => readPlainYaml(text), {
      code: 'BAD_EDIT',
      message: `line ${line}: the page reads only keys, lists, values on one line, and aliases; configtxlator org add reads all of YAML`,
    });
  });

test('of random lines, the page reads none in another way than YAML', (t) => {
  const parts = [
    'A',
    'B:',
    'C: ',
    '- ',
    '  ',
    ' ',
    '\n',
    '\n',
    "'",
    '"',
    '#',
    ' #',
    'true',
    '1',
    '.5',
    ':',
    ',',
    '[',
    '~',
    '|',
    '&',
    '-',
    '?',
    '...',
    '---',
    '\\',
    'é',
  ];
  // A generator with a fixed seed (Park and Miller).
  let seed = 42;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let read = 0;
  for (let run = 0; run < 20_000; run += 1) {
    const text = Array.from({ length: 1 + random(9) }, () => parts[random(parts.length)]!).join('');
    const value = attempt(
      () => [readPlainYaml(text) ?? null],
      () => undefined,
    );
    if (value === undefined) continue;
    read += 1;
    t.notThrows(() => parse(text), JSON.stringify(text));
    t.deepEqual(value, [parse(text) as unknown], JSON.stringify(text));
  }
  t.true(read > 500, String(read));
});
