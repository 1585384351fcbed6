// Policies that nobody can satisfy, because the MSPs give nobody the roles that they name.

import test from 'ava';
import { inMsp, org1, reviewOf, type Group } from '../../helpers/changed-config.js';
import type { Tree } from '../../fuzz/review/messages.js';

const nodeOus = (msp: Tree): Tree => msp.fabric_node_ous as Tree;

for (const [what, change, unsatisfiable] of [
  ['no unit of peers', (msp) => delete nodeOus(msp).peer_ou_identifier, ['Endorsement']],
  ['no unit of clients', (msp) => delete nodeOus(msp).client_ou_identifier, []],
  [
    'the unit of peers as required unit',
    (msp) => (msp.organizational_unit_identifiers = [nodeOus(msp).peer_ou_identifier]),
    ['Admins', 'Writers'],
  ],
  [
    'another required unit',
    (msp) =>
      (msp.organizational_unit_identifiers = [
        { ...(nodeOus(msp).peer_ou_identifier as Tree), organizational_unit_identifier: 'Finance' },
      ]),
    [],
  ],
] as const satisfies readonly (readonly [string, (msp: Tree) => unknown, readonly string[]])[])
  test(`an MSP with ${what}: ${unsatisfiable.length === 0 ? 'each policy' : `all policies but ${unsatisfiable.join(' and ')}`} of the organisation can be satisfied`, async (t) => {
    const { findings } = await reviewOf('raft5', (channel: Group) =>
      inMsp(org1(channel), (msp) => void change(msp)),
    );
    t.deepEqual(
      findings
        .filter(
          ({ id, path }) => id === 'policy-unsatisfiable' && path.startsWith('/Channel/Application/Org1/'),
        )
        .map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
        .toSorted(),
      [...unsatisfiable],
    );
  });
