// The values and policies of a config in words, each on one line.

import { onOneLine } from '../../core/common/text/one-line.js';
import { TranslateError } from '../../proto/errors.js';
import type { ConfigGroup, Policy } from '../config/element.js';
import { readBftOptions, readRaftMetadata, STATE_MAINTENANCE, valueOrEmpty } from '../config/values.js';
import { mspVersionOf } from '../msp/version.js';
import { printImplicitMeta, readImplicitMeta } from '../policy/implicit-meta.js';
import { printSignaturePolicy } from '../policy/print.js';
import { POLICY_TYPE } from '../policy/policies.js';
import { readSignaturePolicy } from '../policy/signature-policy.js';
import { certificateText, nameCertificate, summariseCertificate } from './certificate.js';
import { summariseMsp } from '../show/organization.js';
import { listText } from './list.js';
import { mspText } from '../show/organization-text.js';

const KIBI = 1024;

/** A number of bytes: `10 MiB`, `1000 bytes`. */
export function sizeText(bytes: number): string {
  if (bytes >= KIBI * KIBI && bytes % (KIBI * KIBI) === 0) return `${bytes / KIBI / KIBI} MiB`;
  if (bytes >= KIBI && bytes % KIBI === 0) return `${bytes / KIBI} KiB`;
  return `${bytes} bytes`;
}

/** `500 messages, at most 10 MiB, preferred 2 MiB` */
export function batchSizeText(batch: {
  readonly maxMessageCount: number;
  readonly absoluteMaxBytes: number;
  readonly preferredMaxBytes: number;
}): string {
  const count = batch.maxMessageCount === 1 ? '1 message' : `${batch.maxMessageCount} messages`;
  return `${count}, at most ${sizeText(batch.absoluteMaxBytes)}, preferred ${sizeText(batch.preferredMaxBytes)}`;
}

/** The names of the groups around a value and its own name, below the channel: `['Orderer', 'BatchSize']`. */
export type ValuePath = readonly string[];

type Describe = (group: ConfigGroup, now: Date) => string;

const addresses = (list: readonly string[]): string => listText(list);
const capabilityNames = (map: ReadonlyMap<string, unknown>): string => listText([...map.keys()].toSorted());

const CHANNEL: Readonly<Record<string, Describe>> = {
  HashingAlgorithm: (group) => onOneLine(valueOrEmpty(group, 'channel', 'HashingAlgorithm').name),
  BlockDataHashingStructure: (group) =>
    `width ${valueOrEmpty(group, 'channel', 'BlockDataHashingStructure').width}`,
  OrdererAddresses: (group) => addresses(valueOrEmpty(group, 'channel', 'OrdererAddresses').addresses),
  Consortium: (group) => onOneLine(valueOrEmpty(group, 'channel', 'Consortium').name),
  Capabilities: (group) => capabilityNames(valueOrEmpty(group, 'channel', 'Capabilities').capabilities),
};

const ORDERER: Readonly<Record<string, Describe>> = {
  ConsensusType: consensusText,
  BatchSize: (group) => batchSizeText(valueOrEmpty(group, 'orderer', 'BatchSize')),
  BatchTimeout: (group) => onOneLine(valueOrEmpty(group, 'orderer', 'BatchTimeout').timeout),
  KafkaBrokers: (group) => addresses(valueOrEmpty(group, 'orderer', 'KafkaBrokers').brokers),
  ChannelRestrictions: (group) =>
    `at most ${valueOrEmpty(group, 'orderer', 'ChannelRestrictions').maxCount} channels`,
  Capabilities: (group) => capabilityNames(valueOrEmpty(group, 'orderer', 'Capabilities').capabilities),
  Orderers: (group, now) =>
    listText(
      valueOrEmpty(group, 'orderer', 'Orderers').consenterMapping.map(
        ({ id, host, port, mspId, identity }) =>
          `${id} ${host}:${port} of ${mspId} (${certificateText(summariseCertificate(identity), now)})`,
      ),
    ),
};

const APPLICATION: Readonly<Record<string, Describe>> = {
  ACLs: (group) =>
    listText(
      [...valueOrEmpty(group, 'application', 'ACLs').acls].map(
        ([name, { policyRef }]) => `${name}: ${policyRef}`,
      ),
    ),
  Capabilities: (group) => capabilityNames(valueOrEmpty(group, 'application', 'Capabilities').capabilities),
};

const ORGANIZATION: Readonly<Record<string, Describe>> = {
  MSP: (group, now) => {
    const version = mspVersionOf(['V3_0']);
    return mspText(
      summariseMsp(() => valueOrEmpty(group, 'applicationOrganization', 'MSP'), version),
      now,
    );
  },
  AnchorPeers: (group) =>
    listText(
      valueOrEmpty(group, 'applicationOrganization', 'AnchorPeers').anchorPeers.map(
        ({ host, port }) => `${host}:${port}`,
      ),
    ),
  Endpoints: (group) => addresses(valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses),
};

const CONSORTIUM: Readonly<Record<string, Describe>> = {
  ChannelCreationPolicy: (group) => policyText(valueOrEmpty(group, 'consortium', 'ChannelCreationPolicy')),
};

/** A value of a group in words; `3 bytes` if its name is unknown there. */
export function valueText(path: ValuePath, group: ConfigGroup, now: Date): string {
  const name = path.at(-1) ?? '';
  const table = tableOf(path.slice(0, -1));
  try {
    if (Object.hasOwn(table, name)) return table[name]!(group, now);
  } catch (error) {
    if (error instanceof TranslateError) return `it cannot be read: ${error.message}`;
    throw error;
  }
  return `${group.values.get(name)?.value.length ?? 0} bytes`;
}

function tableOf(groups: readonly string[]): Readonly<Record<string, Describe>> {
  const [section] = groups;
  if (section === undefined) return CHANNEL;
  if (section === 'Consortiums') {
    if (groups.length === 2) return CONSORTIUM;
    return groups.length === 3 ? ORGANIZATION : {};
  }
  if (groups.length === 2) return ORGANIZATION;
  return section === 'Orderer' ? ORDERER : section === 'Application' ? APPLICATION : {};
}

function consensusText(group: ConfigGroup, now: Date): string {
  const { type, metadata, state } = valueOrEmpty(group, 'orderer', 'ConsensusType');
  const mode = state === STATE_MAINTENANCE ? ', in maintenance' : '';
  const name = `${onOneLine(type)}${mode}`;
  if (type === 'BFT') return `${name}, ${readBftOptions(metadata).requestBatchMaxCount} requests per batch`;
  if (type !== 'etcdraft') return name;
  const consenters = readRaftMetadata(metadata).consenters.map(
    ({ host, port, clientTlsCert }) =>
      `${host}:${port} (TLS ${certificateText(summariseCertificate(clientTlsCert), now)})`,
  );
  return `${name}, consenters ${listText(consenters)}`;
}

/** A policy in words, without the groups that an implicit meta policy counts. */
export function policyText(policy: Policy | undefined): string {
  if (policy === undefined) return 'no policy';
  try {
    if (policy.type === POLICY_TYPE.implicitMeta) return printImplicitMeta(readImplicitMeta(policy.value));
    if (policy.type === POLICY_TYPE.signature)
      return printSignaturePolicy(readSignaturePolicy(policy.value), nameCertificate);
    return `a policy of unknown type ${policy.type}`;
  } catch (error) {
    if (error instanceof TranslateError) return 'a policy that cannot be read';
    throw error;
  }
}
