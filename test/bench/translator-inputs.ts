// The inputs of the translator benchmarks: blocks from the recorded exchanges, and a block of 10 MB made from them.

import { readBody, readVectors } from '../helpers/vectors/vector.js';

const VECTORS = 'test/vectors/translator';
/** A configuration block of a running network, 20 KB. */
const SMALL = 'network.river.orderer-00.decode';
/** The genesis block of a channel of 50 organisations, 300 KB. */
const MEDIUM = 'genesis.forest.decode';
/** Size of the large block in bytes. */
const LARGE = 10_000_000;

/** Blocks of the type `common.Block`. */
export interface Inputs {
  readonly small: Buffer;
  readonly medium: Buffer;
  readonly large: Buffer;
}

/** Reads the inputs. */
export function readInputs(): Inputs {
  const vectors = readVectors(VECTORS);
  const read = (id: string): Buffer => readBody(VECTORS, vectors.find((vector) => vector.id === id)!.request);
  const medium = read(MEDIUM);
  // Concatenated messages are one message with the last header and the envelopes of all.
  const large = Buffer.concat(Array.from({ length: Math.round(LARGE / medium.length) }, () => medium));
  return { small: read(SMALL), medium, large };
}

/** Formats a size. */
export const sizeOf = ({ length }: Uint8Array): string =>
  length < 1_000_000 ? `${Math.round(length / 1000)} KB` : `${Math.round(length / 1_000_000)} MB`;
