// The policy BlockValidation of a BFT channel: Fabric requires it to fit the consenters byte by byte
// (orderer/consensus/smartbft/configverifier.go, checkConsentersMatchPolicy).

import { WireWriter } from '../../proto/wire-writer.js';
import type { Policy } from './element.js';
import type { BftConsenter } from './values.js';

/** `common.Policy.SIGNATURE`. */
const SIGNATURE = 1;
/** `MSPPrincipal.IDENTITY`. */
const IDENTITY = 2;

/** The tags of fields of wire type BYTES and VARINT. */
const bytesTag = (number: number): number => number * 8 + 2;
const varintTag = (number: number): number => number * 8;

/** The number of consenters that may be faulty, and the number whose signatures a block needs. */
export function bftQuorum(consenters: number): { readonly faulty: number; readonly quorum: number } {
  const faulty = Math.trunc((consenters - 1) / 3);
  return { faulty, quorum: Math.ceil((consenters + faulty + 1) / 2) };
}

/** The policy BlockValidation that fits some consenters, in their order. */
export function blockValidationPolicy(consenters: readonly BftConsenter[]): Policy {
  const { quorum } = bftQuorum(consenters.length);
  // The writer writes from the end.
  const out = new WireWriter();
  for (const { mspId, identity } of consenters.toReversed()) {
    const since = out.length;
    field(out, 2, identity);
    text(out, 1, mspId);
    out.delimit(since, bytesTag(2));
    out.uint32(IDENTITY);
    out.uint32(varintTag(1));
    out.delimit(since, bytesTag(3));
  }
  const rule = out.length;
  for (let index = consenters.length - 1; index >= 0; index--) {
    const since = out.length;
    out.uint32(index);
    out.uint32(varintTag(1));
    out.delimit(since, bytesTag(2));
  }
  out.uint32(quorum);
  out.uint32(varintTag(1));
  out.delimit(rule, bytesTag(2));
  out.delimit(rule, bytesTag(2));
  return { type: SIGNATURE, value: new Uint8Array(out.written) };
}

function field(out: WireWriter, number: number, content: Uint8Array): void {
  if (content.length === 0) return;
  out.bytes(content);
  out.uint32(bytesTag(number));
}

function text(out: WireWriter, number: number, content: string): void {
  if (content === '') return;
  out.string(content);
  out.uint32(bytesTag(number));
}
