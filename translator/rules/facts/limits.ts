// Sizes and maximum sizes of messages, config envelopes and BFT requests (Fabric's orderer/common/msgprocessor/sizefilter.go).

import {
  type BftVersion,
  channelOf,
  type Channel,
  type Config,
  smartBftFaults,
  smartBftOptions,
  type Submission,
  writeConfig,
} from '../../channel/index.js';

/** The maximum size of a message on a channel, in bytes. */
export const absoluteMaxBytes = (config: Config): number =>
  channelOf(config).orderer.batchSize.absoluteMaxBytes;

/** The serialized identity and the signature of an orderer are not known; with a usual certificate they have about 900 bytes. */
const ORDERER = { least: 500, most: 2500 } as const;
/** Headers, nonce and lengths. */
const AROUND = 80;

/** The size of the config envelope with the least and with a large identity of an orderer, in bytes. */
export function configEnvelopeSize(
  after: Config,
  envelope: Submission | undefined,
): { readonly least: number; readonly most: number } {
  const update = envelope === undefined ? 0 : envelope.payload.length + envelope.signature.length;
  const known = writeConfig(after).length + update + AROUND;
  return { least: known + ORDERER.least, most: known + ORDERER.most };
}

/** A small update with two signatures. */
const SMALL_UPDATE = 3000;

/** The minimum size of the next config update, in the envelope that orderers make of it, in bytes. */
export const bytesOfNextUpdate = (config: Config): number =>
  configEnvelopeSize(config, undefined).least + SMALL_UPDATE;

/**
 * The option `request_max_bytes` of a BFT channel; undefined for another channel, if it is 0, which means the size of a batch, and for
 * options that SmartBFT refuses: orderers keep the previous options.
 */
export function requestLimit({ orderer }: Channel, version: BftVersion): bigint | undefined {
  const options = smartBftOptions(orderer);
  if (options === undefined || options.requestMaxBytes === 0n) return undefined;
  return smartBftFaults(options, version).length > 0 ? undefined : options.requestMaxBytes;
}
