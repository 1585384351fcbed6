// The limits of policies at their exact values. Policies that take long are in limits.long.test.ts.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import type { Principal } from '../../../translator/msp/index.js';
import { readPrincipal, writePrincipal } from '../../../translator/policy/principal-bytes.js';
import {
  createPolicies,
  findPolicy,
  minimalSignerSets,
  needOf,
  parseImplicitMeta,
  parseSignaturePolicy,
  printImplicitMeta,
  readSignaturePolicy,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { thresholdOf } from '../../../translator/policy/implicit-meta.js';
import type { SignatureRule } from '../../../translator/policy/signature-policy.js';
import { groupOf, type GroupSketch } from '../../helpers/policy-groups.js';

/** The bytes of a policy with so many gates in each other. */
function nested(gates: number): Uint8Array {
  let rule: SignatureRule = { kind: 'signedBy', index: 0 };
  for (let depth = 0; depth < gates; depth++) rule = { kind: 'outOf', n: 1, rules: [rule] };
  return writeSignaturePolicy({ version: 0, rule, identities: [] });
}

test('the bytes of a policy may have 1,000 gates in each other, not more', (t) => {
  t.is(readSignaturePolicy(nested(1000)).rule?.kind, 'outOf');
  t.throws(() => readSignaturePolicy(nested(1001)), {
    instanceOf: TranslateError,
    message: 'the gates of a signature policy are nested more than 1000 levels deep',
  });
});

test('the text of a policy may have 1,000 gates in each other, not more', (t) => {
  const text = (depth: number): string => `${'OR('.repeat(depth)}'A.admin'${')'.repeat(depth)}`;
  t.is(parseSignaturePolicy(text(1000)).identities.length, 1);
  t.throws(() => parseSignaturePolicy(text(1001)), {
    instanceOf: TranslateError,
    message: 'signature policy, position 3001: gates are nested more than 1000 levels deep',
  });
});

test('the text of a policy may have 10,000,000 characters, not more', (t) => {
  const policy = "OR('A.admin')".padEnd(10_000_000);
  t.is(parseSignaturePolicy(policy).identities.length, 1);
  t.throws(() => parseSignaturePolicy(`${policy} `), {
    instanceOf: TranslateError,
    message: 'signature policy: 10000001 characters, allowed are 10000000',
  });
});

for (const [length, shown] of [
  [60, 'x'.repeat(60)],
  [61, `${'x'.repeat(60)}…`],
] as const)
  test(`an error shows ${shown.length} of ${length} characters of a word`, (t) => {
    const { message } = t.throws(() => parseSignaturePolicy('x'.repeat(length)));
    t.true(message.includes(`'${shown}'`), message);
    const meta = t.throws(() => parseImplicitMeta('x'.repeat(length)));
    t.true(meta.message.includes(`found '${shown}'`), meta.message);
  });

test('the text of an implicit meta policy may have 10,000 characters, not more', (t) => {
  const subPolicy = 'x'.repeat(9996);
  t.deepEqual(parseImplicitMeta(`ANY ${subPolicy}`), { rule: 0, subPolicy });
  t.throws(() => parseImplicitMeta(`ANY ${subPolicy}x`), {
    message: /^implicit meta policy: found 'ANY x+…', expected a rule/,
  });
});

for (const [rule, groups, threshold] of [
  [0, 0, 0],
  [0, 1, 1],
  [0, 5, 1],
  [1, 0, 0],
  [1, 5, 5],
  [2, 0, 0],
  [2, 1, 1],
  [2, 2, 2],
  [2, 3, 2],
  [2, 4, 3],
  [2, 5, 3],
  [3, 5, 0],
  [-1, 5, 0],
] as const)
  test(`rule ${rule} of ${groups} groups needs ${threshold} of them`, (t) => {
    t.is(thresholdOf(rule, groups), threshold);
  });

for (const [rule, subPolicy, text] of [
  [0, 'Readers', 'ANY Readers'],
  [1, 'Writers', 'ALL Writers'],
  [2, 'Admins', 'MAJORITY Admins'],
  [3, 'Admins', 'rule 3 of Admins'],
  [0, '', "ANY ''"],
] as const)
  test(`rule ${rule} of '${subPolicy}' is printed as ${text}`, (t) => {
    t.is(printImplicitMeta({ rule, subPolicy }), text);
  });

/** So many combined principals in each other. */
function combined(depth: number): Principal {
  let principal: Principal = { kind: 'role', mspid: 'A', role: 'member' };
  for (let level = 0; level < depth; level++) principal = { kind: 'combined', principals: [principal] };
  return principal;
}

test('32 combined principals in each other are read, a further one is unknown', (t) => {
  t.deepEqual(readPrincipal(writePrincipal(combined(32))), combined(32));
  let found = readPrincipal(writePrincipal(combined(33)));
  for (let level = 0; level < 32; level++) found = found.kind === 'combined' ? found.principals[0]! : found;
  t.deepEqual(found, { kind: 'unknown', classification: 4 });
});

for (const principal of [
  ...(['member', 'admin', 'client', 'peer', 'orderer'] as const).map((role): Principal => ({
    kind: 'role',
    mspid: 'A',
    role,
  })),
  { kind: 'ou', mspid: 'A', unit: 'u', certifiersIdentifier: Buffer.of(1) },
  { kind: 'anonymity', type: 'nominal' },
  { kind: 'anonymity', type: 'anonymous' },
  { kind: 'combined', principals: [] },
] as const satisfies readonly Principal[])
  test(`the principal ${JSON.stringify(principal)} is read as it was written`, (t) => {
    const read = readPrincipal(writePrincipal(principal));
    t.is(JSON.stringify(read), JSON.stringify(principal));
  });

/** A gate with so many different principals. */
const oneOf = (count: number, mspid = 'A'): string =>
  `OR(${Array.from({ length: count }, (_, at) => `'${mspid}${at}.admin'`).join(', ')})`;

for (const [what, dsl, limit, count] of [
  ['32 principals', oneOf(32), undefined, 32],
  ['33 principals', oneOf(33), undefined, undefined],
  ['33 principals', oneOf(33), 33, 33],
  ['1,024 principals', oneOf(1024), 2000, 1024],
  ['1,025 principals', oneOf(1025), 2000, undefined],
  ['one of 22 and one of 38 principals', `AND(${oneOf(22)}, ${oneOf(38, 'B')})`, 2000, 836],
  ['one of 27 and one of 31 principals', `AND(${oneOf(27)}, ${oneOf(31, 'B')})`, 2000, undefined],
  // Of 41 principals, 820 pairs.
  ['two of 41 principals', oneOf(41).replace('OR(', 'OutOf(2, '), 2000, 820],
  ['two of 42 principals', oneOf(42).replace('OR(', 'OutOf(2, '), 2000, undefined],
  ['44 of 45 principals', oneOf(45).replace('OR(', 'OutOf(44, '), 2000, 45],
  ['43 of 46 principals', oneOf(46).replace('OR(', 'OutOf(43, '), 2000, undefined],
] as const)
  test(`the sets of signers that satisfy ${what} are ${count === undefined ? 'too many to list' : `${count} sets`}, with a limit of ${limit ?? 32}`, (t) => {
    const { root } = createPolicies(groupOf({ policies: { P: dsl } }));
    const need = needOf(findPolicy(root, 'P')!, () => true);
    t.is((limit === undefined ? minimalSignerSets(need) : minimalSignerSets(need, limit))?.length, count);
  });

for (const [levels, fault] of [
  [100, undefined],
  [101, 'groups are nested more than 100 levels deep'],
] as const)
  test(`the policies of groups that are nested ${levels} levels deep: ${fault ?? 'no problem'}`, (t) => {
    let sketch: GroupSketch = { policies: { P: "OR('A.admin')" } };
    for (let level = 1; level < levels; level++) sketch = { groups: { a: sketch } };
    const { root, problems } = createPolicies(groupOf(sketch));
    const path = '/Channel' + '/a'.repeat(99);
    t.deepEqual(problems, fault === undefined ? [] : [{ path, text: fault }]);
    t.is(findPolicy(root, `${path}/P`)?.path, fault === undefined ? `${path}/P` : undefined);
  });
