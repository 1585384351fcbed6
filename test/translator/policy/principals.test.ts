// The texts of principals, and which of them an identity of the MSPs can satisfy.

import test from 'ava';
import type { Principal } from '../../../translator/msp/index.js';
import { writeSerializedIdentity } from '../../../translator/msp/identity.js';
import { describePrincipal } from '../../../translator/policy/principal-text.js';
import { isSatisfiable } from '../../../translator/policy/search/need.js';

const ADMIN = { kind: 'role', mspid: 'A', role: 'admin' } as const;
const OF_B = { kind: 'role', mspid: 'B', role: 'peer' } as const;
const OF_C = { kind: 'role', mspid: 'C', role: 'peer' } as const;
const unit = (mspid: string, ...certifiersIdentifier: readonly number[]): Principal => ({
  kind: 'ou',
  mspid,
  unit: 'Finance',
  certifiersIdentifier: Uint8Array.from(certifiersIdentifier),
});
const identity = (mspid: string): Principal => ({
  kind: 'identity',
  identity: writeSerializedIdentity(mspid, Buffer.from('certificate')),
});
const combined = (...principals: readonly Principal[]): Principal => ({ kind: 'combined', principals });

/** The text, and whether an identity of the MSPs A and B can satisfy it. */
const CASES: readonly (readonly [principal: Principal, text: string, isSatisfiable: boolean])[] = [
  [ADMIN, 'A.admin', true],
  [OF_C, 'C.peer', false],
  [{ ...ADMIN, mspid: 'a b' }, 'admin of "a b"', false],
  [unit('A', 0xab, 1), 'OU Finance of A with the certifiers ab01', true],
  [unit('C', 0xab, 1), 'OU Finance of C with the certifiers ab01', false],
  [unit('A'), 'OU Finance of A without certifiers (unsatisfiable)', false],
  [identity('A'), 'one certificate of A', true],
  [identity('C'), 'one certificate of C', false],
  [{ kind: 'identity', identity: Uint8Array.of(255) }, 'an unreadable identity', false],
  [{ kind: 'anonymity', type: 'nominal' }, 'any identity', true],
  [{ kind: 'anonymity', type: 'anonymous' }, 'an anonymous identity (unsatisfiable)', false],
  [combined(), 'an empty combination, which nobody satisfies', false],
  [combined(ADMIN), '(A.admin)', true],
  [combined(ADMIN, unit('A', 1)), '(A.admin and OU Finance of A with the certifiers 01)', true],
  [combined(ADMIN, identity('A')), '(A.admin and one certificate of A)', true],
  [combined(ADMIN, OF_B), '(A.admin and B.peer)', false],
  [combined(ADMIN, identity('B')), '(A.admin and one certificate of B)', false],
  [combined(ADMIN, combined(OF_B)), '(A.admin and (B.peer))', false],
  [combined(ADMIN, { kind: 'anonymity', type: 'nominal' }), '(A.admin and any identity)', true],
  [
    combined(ADMIN, { kind: 'anonymity', type: 'anonymous' }),
    '(A.admin and an anonymous identity (unsatisfiable))',
    false,
  ],
  [
    { kind: 'unknown', classification: 9 },
    'an unknown principal of classification 9, which nobody satisfies',
    false,
  ],
];
for (const [principal, text, isPossible] of CASES)
  test(`the principal ${text} can ${isPossible ? '' : 'not '}be satisfied by an identity of A or B`, (t) => {
    t.is(describePrincipal(principal), text);
    t.is(
      isSatisfiable(principal, (mspid) => ['A', 'B'].includes(mspid)),
      isPossible,
    );
  });

test('a certificate with a known name is called by it, without characters that a terminal interprets', (t) => {
  t.is(
    describePrincipal(identity('A'), () => 'CN=x\u001b[31m'),
    String.raw`the certificate CN=x\u001b[31m`,
  );
  t.is(
    describePrincipal(identity('A'), () => undefined),
    'one certificate of A',
  );
});
