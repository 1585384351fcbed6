// The inputs of the translator benchmarks: blocks from the recorded exchanges, and a block of 10 MB made from them.

import { decode } from '../../translator/index.js';
import { readBody, readVectors } from '../helpers/vectors/vector.js';

const VECTORS = 'test/vectors/translator';
/** A configuration block of a running network, 20 KB. */
const SMALL = 'network.river.orderer-00.decode';
/** The genesis block of a channel of 50 organisations, 300 KB. */
const MEDIUM = 'genesis.forest.decode';
/** Size of the large block in bytes. */
const LARGE = 10_000_000;
/** Sizes of the JSON of further blocks, in characters: between the small and the medium block, and above the medium one. */
const JSON_SIZES = [544_000, 4_000_000];

/** Blocks of the type `common.Block`. */
export interface Inputs {
  readonly small: Buffer;
  readonly medium: Buffer;
  readonly large: Buffer;
  /** For the sizes of their JSON, which is at most as large as they say. */
  readonly bySizeOfJson: readonly Buffer[];
}

/** Reads the inputs. */
export function readInputs(): Inputs {
  const vectors = readVectors(VECTORS);
  const read = (id: string): Buffer => readBody(VECTORS, vectors.find((vector) => vector.id === id)!.request);
  const medium = read(MEDIUM);
  // Concatenated messages are one message with the last header and the envelopes of all.
  const large = Buffer.concat(Array.from({ length: Math.round(LARGE / medium.length) }, () => medium));
  return {
    small: read(SMALL),
    medium,
    large,
    bySizeOfJson: JSON_SIZES.map((size) => blockOfJson(read(SMALL), medium, size)),
  };
}

/** A block with the envelopes of the medium block and of small ones, as many as a size of JSON permits. */
function blockOfJson(small: Buffer, medium: Buffer, size: number): Buffer {
  const [smallJson, mediumJson] = [small, medium].map((block) => decode('common.Block', block).length) as [
    number,
    number,
  ];
  const mediums = Math.floor(size / mediumJson);
  const smalls = Math.floor((size - mediums * mediumJson) / smallJson);
  return Buffer.concat([
    ...Array.from({ length: smalls }, () => small),
    ...Array.from({ length: mediums }, () => medium),
  ]);
}

/** Formats a size. */
export const sizeOf = ({ length }: Uint8Array): string =>
  length < 1_000_000 ? `${Math.round(length / 1000)} KB` : `${Math.round(length / 1_000_000)} MB`;
