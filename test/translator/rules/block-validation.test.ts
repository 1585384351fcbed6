// Blocks that one orderer signs, and the principals of BlockValidation that its signature satisfies.

import test from 'ava';
import type { Principal } from '../../../translator/msp/index.js';
import { writePrincipal } from '../../../translator/policy/principal-bytes.js';
import { serialize, parse } from '../../fuzz/review/messages.js';
import { harmOf, orderer } from '../../helpers/changed-config.js';

const role = (name: 'member' | 'orderer' | 'admin' | 'peer' | 'client', mspid = 'OrdererMSP'): Principal => ({
  kind: 'role',
  mspid,
  role: name,
});
const combined = (...principals: readonly Principal[]): Principal => ({ kind: 'combined', principals });
const identity = (mspid: string): Principal => ({
  kind: 'identity',
  identity: serialize('msp.SerializedIdentity', { mspid, id_bytes: Buffer.from('x') }),
});

const CASES: readonly (readonly [isSatisfied: boolean, principal: Principal])[] = [
  [true, role('member')],
  [true, role('orderer')],
  [false, role('admin')],
  [false, role('peer')],
  [false, role('client')],
  [false, role('member', 'Org1MSP')],
  [true, { kind: 'anonymity', type: 'nominal' }],
  [false, { kind: 'anonymity', type: 'anonymous' }],
  [true, combined(role('member'), role('orderer'))],
  [false, combined(role('member'), role('admin'))],
  [false, combined()],
  [true, identity('OrdererMSP')],
  [false, identity('Org1MSP')],
  [false, { kind: 'ou', mspid: 'OrdererMSP', unit: 'orderer', certifiersIdentifier: Uint8Array.of(1) }],
];

for (const [isSatisfied, principal] of CASES)
  test(`the signature of an orderer of OrdererMSP ${isSatisfied ? 'satisfies' : 'does not satisfy'} ${JSON.stringify(principal)}`, async (t) => {
    const found = await harmOf('raft5', (channel) => {
      orderer(channel).policies.BlockValidation!.policy = {
        type: 1,
        value: serialize('common.SignaturePolicyEnvelope', {
          rule: { signed_by: 0 },
          identities: [parse('common.MSPPrincipal', writePrincipal(principal))],
        }),
      };
    });
    const danger = found.find((text) => /^danger (?:block-validation|policy-unsatisfiable):/.test(text));
    if (isSatisfied) t.is(danger, undefined);
    else if (danger?.startsWith('danger policy') === true) t.regex(danger, /: peers take no block any more/);
    else
      t.is(
        danger,
        'danger block-validation: a block that an orderer of OrdererOrg signs does not satisfy BlockValidation: peers take no block after this update',
      );
  });
