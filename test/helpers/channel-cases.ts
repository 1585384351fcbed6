// Reads the recorded config updates of test/vectors/channel.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A recorded case. */
export interface ChannelCase {
  readonly id: string;
  readonly note: string;
  readonly channel: string;
  /** The name of the config. */
  readonly config: string;
  /** A serialized `common.ConfigUpdate`. */
  readonly update: Buffer;
  readonly active: number | undefined;
  readonly propose: boolean;
  readonly errors: readonly string[];
  readonly sha256: string | undefined;
}

/** The recorded configs and cases. */
export interface ChannelCases {
  readonly configs: ReadonlyMap<string, Buffer>;
  readonly cases: readonly ChannelCase[];
}

interface Stored {
  readonly configs: Readonly<Record<string, string>>;
  readonly cases: readonly (Omit<ChannelCase, 'update'> & { readonly update: string })[];
}

/** Reads all cases. */
export function readChannelCases(): ChannelCases {
  const text = brotliDecompressSync(readFileSync('test/vectors/channel/apply-cases.json.br')).toString();
  const { configs, cases } = JSON.parse(text) as Stored;
  return {
    configs: new Map(Object.entries(configs).map(([name, bytes]) => [name, Buffer.from(bytes, 'latin1')])),
    cases: cases.map((each) => ({ ...each, update: Buffer.from(each.update, 'latin1') })),
  };
}
