// The metadata of consensus types that Fabric's JSON does not show (protoext/ordererext/configuration.go, `ConsensusTypeMetadataFactory`).

import { TranslateError } from '../../proto/errors.js';
import { readChannelFile } from './file.js';
import { valueOrEmpty } from './values.js';

const KNOWN: ReadonlySet<string> = new Set(['etcdraft', 'BFT']);

/** The consensus type of a file and the size of its metadata in bytes; undefined if it has none or its JSON shows it. */
export function unknownMetadata(
  bytes: Uint8Array,
): { readonly type: string; readonly size: number } | undefined {
  try {
    const file = readChannelFile(bytes);
    const root = file.kind === 'config' ? file.config.channelGroup : file.update.writeSet;
    const { type, metadata } = valueOrEmpty(root?.groups.get('Orderer'), 'orderer', 'ConsensusType');
    return KNOWN.has(type) || metadata.length === 0 ? undefined : { type, size: metadata.length };
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
