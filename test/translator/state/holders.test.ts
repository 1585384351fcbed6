// Who satisfies a policy: alone, as one of several, or together with members of the same organisation.

import test from 'ava';
import type { Principal } from '../../../translator/msp/index.js';
import type { PolicyNode, Signer } from '../../../translator/policy/index.js';
import { Holders } from '../../../translator/state/holders.js';
import { organization, smallState } from '../../helpers/small-channel.js';

/** A member of an MSP with one role, `A.peer`. */
function signer(name: string): Signer & { readonly name: string } {
  const [mspid = '', role = ''] = name.split('.');
  const satisfies = (principal: Principal): boolean => {
    if (principal.kind === 'combined') return principal.principals.every(satisfies);
    if (principal.kind === 'anonymity') return principal.type === 'nominal';
    return (
      principal.kind === 'role' &&
      principal.mspid === mspid &&
      (principal.role === role || principal.role === 'member')
    );
  };
  return { name, mspid, id: name, satisfies };
}

const SIGNERS = ['A.peer', 'A.admin', 'B.peer', 'B.admin'].map(signer);

/** A channel with two organisations and a policy of the application. */
function nodeOf(rule: string): PolicyNode {
  const state = smallState({
    policies: { Admins: 'ANY Admins' },
    groups: {
      Application: {
        policies: { Admins: 'ANY Admins', Tested: rule },
        groups: { A: organization('A'), B: organization('B') },
      },
    },
  });
  return state.policies.root.groups.get('Application')!.policies.get('Tested')!;
}

const namesIn = (signers: ReadonlySet<Signer>): string =>
  SIGNERS.filter((each) => signers.has(each))
    .map(({ name }) => name)
    .join(' ') || 'nobody';
const ALL = 'A.peer A.admin B.peer B.admin';

for (const [rule, alone, together, own] of [
  ["OR('A.peer')", 'A.peer', 'A.peer', 'A.peer'],
  ["OR('A.member', 'B.admin')", 'A.peer A.admin B.admin', 'A.peer A.admin B.admin', 'A.peer A.admin B.admin'],
  // Each peer of A is one of several that A can have.
  ["AND('A.peer', 'A.peer')", 'nobody', 'A.peer', 'A.peer'],
  ["AND('A.peer', 'A.admin')", 'nobody', 'A.peer A.admin', 'A.peer A.admin'],
  ["AND('A.peer', 'B.peer')", 'nobody', 'A.peer B.peer', 'nobody'],
  ["OR('X.peer')", 'nobody', 'nobody', 'nobody'],
  ['ANY Endorsement', 'A.peer B.peer', 'A.peer B.peer', 'A.peer B.peer'],
  ['ALL Endorsement', 'nobody', 'A.peer B.peer', 'nobody'],
  ['MAJORITY Admins', 'nobody', 'A.admin B.admin', 'nobody'],
  ['ALL Nothing', 'nobody', 'nobody', 'nobody'],
] as const)
  test(`${rule}: ${alone} alone, ${together} together, ${own} within one organisation`, (t) => {
    const holders = new Holders(SIGNERS);
    const node = nodeOf(rule);
    t.deepEqual([holders.alone(node), holders.together(node), holders.ownTogether(node)].map(namesIn), [
      alone,
      together,
      own,
    ]);
    t.false(holders.isOpen(node));
  });

test('a gate of 0 signatures needs nobody, also inside another gate', (t) => {
  const holders = new Holders(SIGNERS);
  for (const rule of ["OutOf(0, 'A.peer')", "OutOf(1, OutOf(0, 'A.peer'), 'B.peer')"]) {
    const node = nodeOf(rule);
    t.deepEqual([holders.alone(node), holders.together(node)].map(namesIn), [ALL, ALL], rule);
    t.true(holders.isOpen(node), rule);
  }
});
