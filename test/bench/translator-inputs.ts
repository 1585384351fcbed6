// What the translator is measured with: blocks out of the recorded exchanges, and one of 10 MB made of them.

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
  // Messages one after the other are one message: its header is the last one, its data the envelopes of all.
  const large = Buffer.concat(Array.from({ length: Math.round(LARGE / medium.length) }, () => medium));
  return { small: read(SMALL), medium, large };
}

/** A size as it is shown. */
export const sizeOf = ({ length }: Uint8Array): string =>
  length < 1_000_000 ? `${Math.round(length / 1000)} KB` : `${Math.round(length / 1_000_000)} MB`;
