// The policy language, compared with results of Fabric v3.0.0.

import { readFileSync } from 'node:fs';
import test from 'ava';
import {
  isExpressible,
  parseImplicitMeta,
  parseSignaturePolicy,
  printImplicitMeta,
  printSignaturePolicy,
  readImplicitMeta,
  readSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { TranslateError } from '../../../proto/errors.js';

interface Recorded {
  readonly cases: readonly { dsl: string; proto?: string; canonical?: string }[];
  readonly implicitMeta: readonly { rule: string; proto?: string }[];
  readonly print: readonly { note: string; proto: string; parsesBackToSameBytes: boolean }[];
}

const recorded = JSON.parse(readFileSync('test/vectors/policy/language.json', 'utf8')) as Recorded;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Fabric parses these by accident. */
const ACCIDENTS = new Map([
  [
    "OutOf(1.9, 'A.member', 'B.member')",
    "position 7: found '1.9', expected how many rules OutOf needs, a whole number such as 2",
  ],
  [`OR('A.member")`, "position 4: the string is not closed, expected another ' after it"],
  ["OR('A.member') + ''", "position 16: found '+', expected the end of the policy"],
  [
    "OR('A' + '.member')",
    "position 4: 'A' is not a principal, expected 'MSPID.role' such as 'Org1MSP.admin'",
  ],
]);

for (const { dsl, proto, canonical } of recorded.cases) {
  if (proto === undefined) continue;
  if (!ACCIDENTS.has(dsl))
    test(`parses as Fabric: ${dsl}`, (t) =>
      t.is(base64(writeSignaturePolicy(parseSignaturePolicy(dsl))), proto));
  test(`prints ${canonical!}, which parses back to the same bytes (from ${dsl})`, (t) => {
    const policy = readSignaturePolicy(Buffer.from(proto, 'base64'));
    t.is(printSignaturePolicy(policy), canonical!);
    t.true(isExpressible(policy));
    t.is(base64(writeSignaturePolicy(policy)), proto);
  });
}

test('refuses all texts that Fabric refuses', (t) => {
  const refused = recorded.cases.filter(({ proto }) => proto === undefined);
  t.true(refused.length > 30);
  for (const { dsl } of refused)
    t.is(t.throws(() => parseSignaturePolicy(dsl), { instanceOf: TranslateError }, dsl)?.code, 'BAD_POLICY');
});

const GATES = 'allowed are AND, And, and, OR, Or, or, OutOf, OUTOF, outof';

for (const [text, message] of [
  ...ACCIDENTS,
  ['', "position 1: the policy is empty, expected a gate such as OR('Org1MSP.admin')"],
  ["Outof(1, 'A.member')", `position 1: unknown gate 'Outof', ${GATES}`],
  ["OR('A.member', true)", `position 16: unknown gate 'true', ${GATES}`],
  ["'A.member'", "position 1: found the principal 'A.member', expected a gate: OR('A.member')"],
  [
    'A.member',
    "position 1: found 'A.member', expected a gate such as OR('Org1MSP.admin'); principals are in quotes",
  ],
  ["OutOf(10, 'A.member')", 'position 7: OutOf needs 10 of 1 rule, allowed are 0 to 2'],
  ["OutOf(4, 'A.member', 'B.member')", 'position 7: OutOf needs 4 of 2 rules, allowed are 0 to 3'],
  ['OutOf(1)', "position 8: found ')', expected ',' and at least one rule"],
  ["OutOf(1 'A.member')", "position 9: found 'A.member', expected ',' after the number"],
  ['OR()', "position 4: found ')', expected a principal such as 'Org1MSP.admin' or a gate"],
  ["OR('A.member'", "position 14: found the end, expected ',' or ')'"],
  ["OR 'A.member'", "position 4: found 'A.member', expected '(' after OR"],
  ["OR('A.member'))", "position 15: found ')', expected the end of the policy"],
  ["OR('A.member';'B.member')", "position 14: unexpected ';'"],
  ["OR('A.member' 'B.member')", "position 15: found 'B.member', expected ',' or ')'"],
  [
    "OR('A.Member')",
    "position 4: unknown role 'Member' in 'A.Member', allowed are member, admin, client, peer, orderer",
  ],
  ["OR('.member')", "position 4: the MSP ID in '.member' is empty"],
  [
    "OR('Org_1.member')",
    "position 4: the MSP ID in 'Org_1.member' contains '_', allowed are letters, digits, '.' and '-'",
  ],
  [
    "OR('\u001b.member')",
    String.raw`position 4: the MSP ID in '\u001b.member' contains '\u001b', allowed are letters, digits, '.' and '-'`,
  ],
] as const)
  test(`${JSON.stringify(text)} is refused: ${message}`, (t) => {
    const error = t.throws(() => parseSignaturePolicy(text), { instanceOf: TranslateError });
    t.is(error?.message, `signature policy, ${message}`);
    t.is(error?.offset, Number(/\d+/.exec(message)![0]) - 1);
  });

const IN_WORDS = [
  "'Org1MSP.admin'",
  "OR('Org2MSP.peer', 'Org1MSP.admin')",
  "OR('Org1MSP.admin')",
  'no signature required',
  "OutOf(0, 'Org1MSP.admin')",
  "OutOf(3, 'Org1MSP.admin'): nobody can",
  "OutOf(-1, 'Org1MSP.admin'): no signature required",
  "OR(no signature required, 'Org1MSP.admin')",
  'no rule',
  'OR(admin of "Org_1 MSP")',
  'OR(an unknown principal of classification 0, which nobody satisfies)',
  'OR(OU Finance of Org1MSP with the certifiers 0102)',
  'OR(an anonymous identity (unsatisfiable))',
  'OR((Org1MSP.admin and OU Finance of Org1MSP with the certifiers 0102))',
];

for (const [at, { note, proto, parsesBackToSameBytes }] of recorded.print.entries())
  test(`prints ${note}: ${IN_WORDS[at]!}`, (t) => {
    const policy = readSignaturePolicy(Buffer.from(proto, 'base64'));
    t.is(printSignaturePolicy(policy), IN_WORDS[at]!);
    t.is(isExpressible(policy), parsesBackToSameBytes);
    t.is(base64(writeSignaturePolicy(policy)), proto);
  });

for (const { rule, proto } of recorded.implicitMeta)
  // A rule without a name parses in Fabric; nobody can satisfy it.
  if (proto === undefined || proto === '')
    test(`the implicit meta policy ${JSON.stringify(rule)} is refused`, (t) => {
      t.is(t.throws(() => parseImplicitMeta(rule), { instanceOf: TranslateError })?.code, 'BAD_POLICY');
    });
  else
    test(`the implicit meta policy ${rule} is parsed and printed as in Fabric`, (t) => {
      t.is(base64(writeImplicitMeta(parseImplicitMeta(rule))), proto);
      t.is(printImplicitMeta(readImplicitMeta(Buffer.from(proto, 'base64'))), rule);
    });

const FORM = 'expected a rule, one space and the name of a policy, such as MAJORITY Admins';

for (const [rule, message] of [
  ['any Readers', "unknown rule 'any', allowed are ANY, ALL, MAJORITY"],
  ['ANY  Readers', `found 'ANY  Readers', ${FORM}`],
  ['ANY ', `found 'ANY ', ${FORM}`],
  [
    'MAJORITY Admins (2 of Org1, Org2)',
    `found 'MAJORITY Admins (2 of Org1, Org2)', ${FORM}; remove the part in parentheses`,
  ],
] as const)
  test(`the implicit meta policy ${JSON.stringify(rule)} is refused: ${message}`, (t) => {
    t.is(t.throws(() => parseImplicitMeta(rule))?.message, `implicit meta policy: ${message}`);
  });

test('an implicit meta policy of 10,000 characters is parsed, a longer one is refused', (t) => {
  const name = 'x'.repeat(9_996);
  t.is(parseImplicitMeta(`ANY ${name}`).subPolicy, name);
  t.is(t.throws(() => parseImplicitMeta(`ANY ${name}x`), { instanceOf: TranslateError })?.code, 'BAD_POLICY');
});

test('white space as in Go separates tokens, line breaks and no-break spaces too', (t) => {
  t.is(
    printSignaturePolicy(parseSignaturePolicy("\u00a0AND\n(\t'A.member'\r\n,\u2003'B.peer' )")),
    "AND('A.member', 'B.peer')",
  );
});
