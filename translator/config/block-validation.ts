// The policy BlockValidation of a BFT channel: Fabric requires it to fit the consenters byte by byte
// (orderer/consensus/smartbft/configverifier.go, checkConsentersMatchPolicy).

import { BYTES, VARINT } from '../../proto/wire.js';
import type { WireWriter } from '../../proto/wire-writer.js';
import type { Policy } from './element.js';
import { tagOf } from './fields.js';
import type { BftConsenter } from './values.js';
import { writeBytes, writeInt, writeString, written } from './write-message.js';

/** `common.Policy.SIGNATURE`. */
const SIGNATURE = 1;
/** `MSPPrincipal.IDENTITY`. */
const IDENTITY = 2;

// common.SignaturePolicyEnvelope
const ENVELOPE_RULE = tagOf(2, BYTES);
const ENVELOPE_IDENTITY = tagOf(3, BYTES);
// common.SignaturePolicy and common.SignaturePolicy.NOutOf
const SIGNED_BY = tagOf(1, VARINT);
const N_OUT_OF = tagOf(2, BYTES);
const N = tagOf(1, VARINT);
const RULE = tagOf(2, BYTES);
// common.MSPPrincipal
const PRINCIPAL_CLASS = tagOf(1, VARINT);
const PRINCIPAL_CONTENT = tagOf(2, BYTES);
// msp.SerializedIdentity
const MSPID = tagOf(1, BYTES);
const CERTIFICATE = tagOf(2, BYTES);

/** The number of consenters that may be faulty, and the number whose signatures a block needs. */
export function bftQuorum(consenters: number): { readonly faulty: number; readonly quorum: number } {
  const faulty = Math.trunc((consenters - 1) / 3);
  return { faulty, quorum: Math.ceil((consenters + faulty + 1) / 2) };
}

/** The policy BlockValidation that fits some consenters, in their order. */
export function blockValidationPolicy(consenters: readonly BftConsenter[]): Policy {
  const { quorum } = bftQuorum(consenters.length);
  const value = written((writer) => {
    for (const { mspId, identity } of consenters.toReversed()) writePrincipal(writer, mspId, identity);
    const rule = writer.length;
    for (let index = consenters.length - 1; index >= 0; index--) {
      const since = writer.length;
      // Also written if it is 0: signed_by is in a oneof.
      writer.uint32(index);
      writer.uint32(SIGNED_BY);
      writer.delimit(since, RULE);
    }
    writer.uint32(quorum);
    writer.uint32(N);
    writer.delimit(rule, N_OUT_OF);
    writer.delimit(rule, ENVELOPE_RULE);
  });
  return { type: SIGNATURE, value };
}

function writePrincipal(writer: WireWriter, mspId: string, identity: Uint8Array): void {
  const since = writer.length;
  writeBytes(writer, CERTIFICATE, identity);
  writeString(writer, MSPID, mspId);
  writer.delimit(since, PRINCIPAL_CONTENT);
  writeInt(writer, PRINCIPAL_CLASS, IDENTITY);
  writer.delimit(since, ENVELOPE_IDENTITY);
}
