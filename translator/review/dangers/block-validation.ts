// Dangers: blocks that the orderers sign and peers do not accept. Each block of a Raft channel has the signature of one orderer (Fabric's
// orderer/common/multichannel/blockwriter.go), which must satisfy BlockValidation; the policy of a BFT channel is a stage of its own.

import { Evaluation, SignerList, findPolicy, mspidOf, type Signer } from '../../policy/index.js';
import type { Principal } from '../../msp/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { withConsenters } from '../facts/consenters.js';
import { consentersOf } from '../../channel/index.js';
import type { ChannelState } from '../../state/index.js';

const PATH = '/Channel/Orderer/BlockValidation';

export function blockValidationFindings(state: ChannelState): Finding[] {
  const { type } = state.channel.orderer.consensus;
  const policy = findPolicy(state.policies.root, PATH);
  if (type !== 'etcdraft' || policy === undefined) return [];
  return withConsenters(state, consentersOf(state.channel))
    .filter(({ mspId }) => !new Evaluation(new SignerList([ordererNode(mspId!)])).satisfied(policy))
    .map(({ name, mspId }) =>
      finding('danger', 'block-validation', PATH, { organization: name, mspid: mspId! }),
    );
}

/** A node that is no admin. That a listed certificate is the one of an orderer cannot be known: see `unknowns`. */
const ordererNode = (mspid: string): Signer => ({
  mspid,
  id: 'orderer',
  satisfies: (principal) => isSatisfiedBy(principal, mspid),
});

function isSatisfiedBy(principal: Principal, mspid: string): boolean {
  switch (principal.kind) {
    case 'role':
      return principal.mspid === mspid && (principal.role === 'member' || principal.role === 'orderer');
    case 'anonymity':
      return principal.type === 'nominal';
    case 'combined':
      return (
        principal.principals.length > 0 && principal.principals.every((each) => isSatisfiedBy(each, mspid))
      );
    case 'identity':
      return mspidOf(principal.identity) === mspid;
    case 'ou':
    case 'unknown':
      break;
  }
  return false;
}
