// Block 0 of the recorded migration with other contents: nobody signs it, so it can be changed.

import { createHash } from 'node:crypto';
import { CommonConfigEnvelope, CommonEnvelope, CommonPayload } from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import type { Config, ConfigGroup } from '../../translator/channel/element.js';
import { writeConfig } from '../../translator/channel/write.js';
import { withAddresses } from '../../translator/edit/addresses.js';
import { parseBlock, type StoredBlock } from '../../translator/ledger/stored-block.js';
import { BLOCKS, configBlock } from './migration.js';

/** What is different. */
export interface FirstBlockChange {
  readonly config?: Config;
  readonly lastUpdate?: Uint8Array;
  /** Of the envelope. */
  readonly signature?: Uint8Array;
}

/** Block 0 with other contents, and the hash of them. */
export function firstBlock(change: FirstBlockChange): StoredBlock {
  const block = parseBlock(BLOCKS[0]!);
  const envelope = readMessage(CommonEnvelope, block.data[0]!);
  const { header } = readMessage(CommonPayload, envelope.payload);
  const data = writeMessage(CommonConfigEnvelope, {
    config: writeConfig(change.config ?? configBlock(0).config),
    ...(change.lastUpdate !== undefined && { lastUpdate: change.lastUpdate }),
  });
  const payload = writeMessage(CommonPayload, { header: header!, data });
  const written = writeMessage(CommonEnvelope, {
    payload,
    signature: change.signature ?? envelope.signature,
  });
  return { ...block, data: [written], dataHash: createHash('sha256').update(written).digest() };
}

/** Block 0 that names other orderers, `host:port`. @param config its other contents */
export function blockNaming(orderers: readonly string[], config = configBlock(0).config): StoredBlock {
  const orderer = config.channelGroup.groups.get('Orderer')!;
  const [[organization, group]] = [...orderer.groups] as [[string, ConfigGroup]];
  const groups = new Map([[organization, withAddresses(group, 'Endpoints', orderers)]]);
  const channelGroup = {
    ...config.channelGroup,
    groups: new Map([...config.channelGroup.groups, ['Orderer', { ...orderer, groups }]]),
  };
  return firstBlock({ config: { ...config, channelGroup } });
}
