// Which signers satisfy a signature policy. Each principal uses the first unused signer, as in Fabric's cauthdsl.

import test from 'ava';
import type { Principal } from '../../../translator/msp/index.js';
import { parseSignaturePolicy } from '../../../translator/policy/index.js';
import { evaluateSignaturePolicy, SignerList } from '../../../translator/policy/evaluate.js';
import type { Signer } from '../../../translator/policy/index.js';

/** A signer `A.admin` satisfies `A.admin` and `A.member`. */
const signer = (text: string, index = 0): Signer => {
  const [mspid = '', role = ''] = text.split('.');
  return {
    mspid,
    id: `${text} ${index}`,
    satisfies: (principal: Principal) =>
      principal.kind === 'role' &&
      principal.mspid === mspid &&
      (principal.role === 'member' || principal.role === role),
  };
};
const listOf = (...texts: readonly string[]): SignerList => new SignerList(texts.map(signer));

const CASES: readonly (readonly [policy: string, signers: readonly string[], satisfied: boolean])[] = [
  ["OR('A.admin')", [], false],
  ["OR('A.admin')", ['A.admin'], true],
  ["OR('A.admin')", ['B.admin', 'A.admin'], true],
  ["OR('A.admin', 'B.admin')", ['B.admin'], true],
  ["AND('A.admin', 'B.admin')", ['A.admin'], false],
  ["AND('A.admin', 'B.admin')", ['B.admin', 'A.admin'], true],
  ["AND('A.member', 'A.member')", ['A.admin'], false],
  ["AND('A.member', 'A.member')", ['A.admin', 'A.peer'], true],
  // The order decides: the member is used by the first principal that it satisfies.
  ["AND('A.member', 'A.admin')", ['A.admin', 'A.peer'], false],
  ["AND('A.member', 'A.admin')", ['A.peer', 'A.admin'], true],
  // A rule that fails releases its signers, also for its own principal.
  ["OR(AND('A.member', 'A.member'), 'A.member')", ['A.admin'], true],
  ["OR(AND('A.member', 'B.member'), 'A.member')", ['A.admin'], true],
  ["AND(OR(AND('A.member', 'A.member'), 'B.member'), 'A.member')", ['A.admin', 'B.peer'], true],
  // A rule that succeeds does not.
  ["AND(OR('A.member'), OR('A.member'))", ['A.admin'], false],
  // A gate tries all of its rules, and uses more signers than it needs.
  ["AND(OR('A.member', 'B.member'), 'B.member')", ['A.admin', 'B.admin'], false],
  ["OutOf(2, 'A.member', 'B.member', 'C.member')", ['C.peer', 'A.peer'], true],
  ["OutOf(2, 'A.member', 'B.member', 'C.member')", ['C.peer'], false],
  ["OutOf(0, 'A.member')", [], true],
  ["OutOf(2, 'A.member')", ['A.peer', 'A.admin'], false],
];
for (const [policy, signers, satisfied] of CASES)
  test(`${policy} is ${satisfied ? '' : 'not '}satisfied by ${signers.join(', ') || 'nobody'}`, (t) => {
    t.is(evaluateSignaturePolicy(parseSignaturePolicy(policy), listOf(...signers)), satisfied);
  });

test('a second signer with the same MSP and identifier does not count', (t) => {
  const same = new SignerList([signer('A.admin'), signer('A.admin')]);
  t.is(same.signers.length, 1);
  t.false(evaluateSignaturePolicy(parseSignaturePolicy("AND('A.member', 'A.member')"), same));
});

test('reordered signers are evaluated in the new order', (t) => {
  const policy = parseSignaturePolicy("AND('A.member', 'A.admin')");
  const list = listOf('A.admin', 'A.peer');
  t.false(evaluateSignaturePolicy(policy, list));
  const reordered = list.reordered([1, 0]);
  t.deepEqual(
    reordered.signers.map(({ id }) => id),
    ['A.peer 1', 'A.admin 0'],
  );
  t.true(evaluateSignaturePolicy(policy, reordered));
  t.deepEqual(reordered.satisfying(policy.identities[0]!), [0, 1]);
  t.deepEqual(reordered.satisfying(policy.identities[1]!), [1]);
});

test('a policy without a rule, one with an empty rule, and one with a rule for no principal are not satisfied', (t) => {
  const { identities } = parseSignaturePolicy("OR('A.member')");
  const list = listOf('A.admin');
  for (const rule of [
    undefined,
    { kind: 'empty' },
    { kind: 'signedBy', index: 1 },
    { kind: 'signedBy', index: -1 },
  ] as const)
    t.false(evaluateSignaturePolicy({ version: 0, rule, identities }, list));
  t.true(evaluateSignaturePolicy({ version: 0, rule: { kind: 'signedBy', index: 0 }, identities }, list));
});

test('rules for the same entry of a policy use again the signers that a failed rule has released', (t) => {
  const { identities } = parseSignaturePolicy("OR('A.member', 'B.member')");
  const all = (...indexes: readonly number[]) =>
    ({
      kind: 'outOf',
      n: indexes.length,
      rules: indexes.map((index) => ({ kind: 'signedBy', index }) as const),
    }) as const;
  const rule = { kind: 'outOf', n: 1, rules: [all(0, 1, 0), all(0, 0)] } as const;
  t.true(evaluateSignaturePolicy({ version: 0, rule, identities }, listOf('A.peer', 'A.admin')));
});
