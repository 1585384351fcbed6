// The recorded migration of a channel from Raft to BFT, see test/vectors/channel/README.md.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { readEnvelope, type Envelope } from '../../translator/channel/envelope.js';
import { readConfigFile, type ConfigFile } from '../../translator/channel/file.js';
import { valueOrEmpty } from '../../translator/channel/values.js';
import type { ConsenterIdentity } from '../../translator/migrate/index.js';

const { blocks, envelopes } = JSON.parse(
  brotliDecompressSync(readFileSync('test/vectors/channel/migration.json.br')).toString(),
) as { readonly blocks: readonly string[]; readonly envelopes: Readonly<Record<string, string>> };

/** Config blocks 0 to 5, as orderers delivered them. */
export const BLOCKS: readonly Uint8Array[] = blocks.map((text) => Buffer.from(text, 'base64'));

/** A config block. */
export const configBlock = (number: number): ConfigFile => readConfigFile(BLOCKS[number]!);

/** A signed envelope with an update, by the name of the vector. */
export const envelopeOf = (name: string): Envelope => readEnvelope(Buffer.from(envelopes[name]!, 'base64'));

/** The identities of the consenters after the switch. */
export const IDENTITIES: readonly ConsenterIdentity[] = valueOrEmpty(
  configBlock(3).config.channelGroup.groups.get('Orderer'),
  'orderer',
  'Orderers',
).consenterMapping.map(({ host, port, identity }) => ({
  consenter: `${host}:${port}`,
  certificate: identity,
}));
