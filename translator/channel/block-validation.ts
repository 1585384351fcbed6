// The policy BlockValidation of a BFT channel: Fabric requires it to fit the consenters byte by byte
// (orderer/consensus/smartbft/configverifier.go, checkConsentersMatchPolicy).

import { CommonSignaturePolicyEnvelope, MspSerializedIdentity } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import type { Policy } from './element.js';
import type { BftConsenter } from './values.js';

/** `common.Policy.SIGNATURE`. */
const SIGNATURE = 1;
/** `MSPPrincipal.IDENTITY`. */
const IDENTITY = 2;

/** The number of consenters that may be faulty, and the number whose signatures a block needs. */
export function bftQuorum(consenters: number): { readonly faulty: number; readonly quorum: number } {
  const faulty = Math.trunc((consenters - 1) / 3);
  return { faulty, quorum: Math.ceil((consenters + faulty + 1) / 2) };
}

/** The policy BlockValidation that fits some consenters, in their order. */
export function blockValidationPolicy(consenters: readonly BftConsenter[]): Policy {
  const { quorum } = bftQuorum(consenters.length);
  const value = writeMessage(CommonSignaturePolicyEnvelope, {
    rule: { nOutOf: { n: quorum, rules: consenters.map((_, index) => ({ signedBy: index })) } },
    identities: consenters.map(({ mspId, identity }) => ({
      principalClassification: IDENTITY,
      principal: writeMessage(MspSerializedIdentity, { mspid: mspId, idBytes: identity }),
    })),
  });
  return { type: SIGNATURE, value };
}
