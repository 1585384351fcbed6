// Blocks that the orderers sign and peers do not accept. Each block of a Raft channel has the signature of one orderer (Fabric's
// orderer/common/multichannel/blockwriter.go), which must satisfy BlockValidation; a separate stage checks the policy of a BFT channel.

import { consentersOf } from '../channel/index.js';
import { words } from '../documents/index.js';
import type { Principal } from '../msp/index.js';
import { Evaluation, type Signer, SignerList, everyPart, findPolicy, mspidOf } from '../policy/index.js';
import { withConsenters } from './facts/consenters.js';
import { defineCheck, defineRule } from './rule.js';

const blockValidation = defineRule({
  id: 'block-validation',
  severity: 'danger',
  tellsService: 'make-blocks',
  meaning: 'a block of the orderers does not satisfy BlockValidation',
  words: ({ organization, mspid }: { organization: string; mspid: string }) =>
    words(
      `a block that an orderer of ${organization} signs does not satisfy BlockValidation: peers take no block after this update`,
      `let one orderer of ${mspid} satisfy it, for example with ANY Writers`,
    ),
});

const PATH = '/Channel/Orderer/BlockValidation';

/** The orderer organisations without a signature that satisfies BlockValidation. */
export const blockSignatures = defineCheck({
  needs: 'config',
  rules: [blockValidation],
  find(state) {
    const { type } = state.channel.orderer.consensus;
    const policy = findPolicy(state.policies.root, PATH);
    if (type !== 'etcdraft' || policy === undefined) return [];
    return withConsenters(state, consentersOf(state.channel))
      .filter(({ mspId }) => !new Evaluation(new SignerList([ordererNode(mspId!)])).satisfied(policy))
      .map(({ name, mspId }) => blockValidation.at(PATH, { organization: name, mspid: mspId! }));
  },
});

/** The roles of an orderer. */
const NODE_ROLES: ReadonlySet<string> = new Set(['member', 'orderer']);

/** A node that is no admin. It is unknown whether a listed certificate belongs to an orderer: see `unknowns`. */
const ordererNode = (mspid: string): Signer => ({
  mspid,
  id: 'orderer',
  satisfies: (principal) => isSatisfiedBy(principal, mspid),
});

const isSatisfiedBy = (principal: Principal, mspid: string): boolean =>
  everyPart(principal, (part) => {
    if (part.kind === 'identity') return mspidOf(part.identity) === mspid;
    return part.kind === 'role' && part.mspid === mspid && NODE_ROLES.has(part.role);
  });
