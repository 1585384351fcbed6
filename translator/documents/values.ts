// Values and policies of a config in words, each on one line.

import { naturally } from '../../core/common/text/naturally.js';
import { attempt } from '../../proto/errors.js';
import {
  addressText,
  kindOfGroup,
  readBftOptions,
  readRaftMetadata,
  STATE_MAINTENANCE,
  valueOrEmpty,
  type ConfigGroup,
  type Policy,
} from '../channel/index.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { mspVersionOf } from '../msp/index.js';
import {
  printImplicitMeta,
  readImplicitMeta,
  printSignaturePolicy,
  POLICY_TYPE,
  readSignaturePolicy,
} from '../policy/index.js';
import { certificateText, identityWords, summariseCertificate } from './certificate.js';
import { listText } from './lists.js';
import { mspText, summariseMsp } from './msp.js';

/** The names of the groups around a value and its own name, below the channel: `['Orderer', 'BatchSize']`. */
export type ValuePath = readonly string[];

/** `channel.Capabilities`, `organization.MSP`: the kind of the group, and the name of the value. */
export function valueKind(path: ValuePath): string {
  const kind = kindOfGroup(path.slice(0, -1));
  return `${kind?.endsWith('Organization') === true ? 'organization' : (kind ?? 'other')}.${path.at(-1) ?? ''}`;
}

type Items = (group: ConfigGroup | undefined) => readonly string[];

const capabilitiesOf =
  (kind: 'channel' | 'orderer' | 'application'): Items =>
  (group) => [...valueOrEmpty(group, kind, 'Capabilities').capabilities.keys()];

/** The values that are lists of names or addresses, by {@link valueKind}. */
export const LISTS: ReadonlyMap<string, Items> = new Map<string, Items>([
  ['channel.OrdererAddresses', (group) => valueOrEmpty(group, 'channel', 'OrdererAddresses').addresses],
  ['channel.Capabilities', capabilitiesOf('channel')],
  ['orderer.Capabilities', capabilitiesOf('orderer')],
  ['application.Capabilities', capabilitiesOf('application')],
  ['orderer.KafkaBrokers', (group) => valueOrEmpty(group, 'orderer', 'KafkaBrokers').brokers],
  ['organization.Endpoints', (group) => valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses],
  [
    'organization.AnchorPeers',
    (group) => valueOrEmpty(group, 'applicationOrganization', 'AnchorPeers').anchorPeers.map(addressText),
  ],
]);

const KIBI = 1024;

/** A number of bytes: `10 MiB`, `1,000 bytes`. */
export function sizeText(bytes: number): string {
  if (bytes >= KIBI * KIBI && bytes % (KIBI * KIBI) === 0) return `${bytes / KIBI / KIBI} MiB`;
  if (bytes >= KIBI && bytes % KIBI === 0) return `${bytes / KIBI} KiB`;
  return `${bytes.toLocaleString('en')} bytes`;
}

/** A duration of Go with spaces between numbers and units: `500 ms`, `1 m 30 s`. */
export const durationText = (duration: string): string =>
  duration.replaceAll(/(\d)(\p{Ll})/gu, '$1 $2').replaceAll(/([a-z])(\d)/g, '$1 $2');

/** `500 messages, at most 10 MiB, preferred 2 MiB` */
export function batchSizeText(batch: {
  readonly maxMessageCount: number;
  readonly absoluteMaxBytes: number;
  readonly preferredMaxBytes: number;
}): string {
  const count = batch.maxMessageCount === 1 ? '1 message' : `${batch.maxMessageCount} messages`;
  return `${count}, at most ${sizeText(batch.absoluteMaxBytes)}, preferred ${sizeText(batch.preferredMaxBytes)}`;
}

/** A value of a group in words; `3 bytes` if its name is unknown there. */
export function valueText(path: ValuePath, group: ConfigGroup, now: Date): string {
  const kind = valueKind(path);
  const items = LISTS.get(kind);
  return attempt(
    () => {
      if (items !== undefined)
        return listText(path.at(-1) === 'Capabilities' ? items(group).toSorted(naturally) : items(group));
      return (
        TEXTS.get(kind)?.(group, now) ?? `${group.values.get(path.at(-1) ?? '')?.value.length ?? 0} bytes`
      );
    },
    ({ message }) => `it cannot be read: ${message}`,
  );
}

type Describe = (group: ConfigGroup, now: Date) => string;

/** The values that are not lists of names or addresses, by {@link valueKind}. */
const TEXTS: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['channel.HashingAlgorithm', (group) => onOneLine(valueOrEmpty(group, 'channel', 'HashingAlgorithm').name)],
  [
    'channel.BlockDataHashingStructure',
    (group) => `width ${valueOrEmpty(group, 'channel', 'BlockDataHashingStructure').width}`,
  ],
  ['channel.Consortium', (group) => onOneLine(valueOrEmpty(group, 'channel', 'Consortium').name)],
  ['orderer.ConsensusType', consensusText],
  ['orderer.BatchSize', (group) => batchSizeText(valueOrEmpty(group, 'orderer', 'BatchSize'))],
  ['orderer.BatchTimeout', (group) => onOneLine(valueOrEmpty(group, 'orderer', 'BatchTimeout').timeout)],
  [
    'orderer.ChannelRestrictions',
    (group) => `at most ${valueOrEmpty(group, 'orderer', 'ChannelRestrictions').maxCount} channels`,
  ],
  ['orderer.Orderers', consentersText],
  [
    'application.ACLs',
    (group) =>
      listText(
        [...valueOrEmpty(group, 'application', 'ACLs').acls].map(
          ([name, { policyRef }]) => `${name}: ${policyRef}`,
        ),
      ),
  ],
  [
    'organization.MSP',
    (group, now) =>
      mspText(
        summariseMsp(() => valueOrEmpty(group, 'applicationOrganization', 'MSP'), mspVersionOf(['V3_0'])),
        now,
      ),
  ],
  [
    'consortium.ChannelCreationPolicy',
    (group) => policyText(valueOrEmpty(group, 'consortium', 'ChannelCreationPolicy')),
  ],
]);

function consentersText(group: ConfigGroup, now: Date): string {
  return listText(
    valueOrEmpty(group, 'orderer', 'Orderers').consenterMapping.map(
      ({ id, mspId, identity, ...address }) =>
        `${id} ${addressText(address)} of ${mspId} (${certificateText(summariseCertificate(identity), now)})`,
    ),
  );
}

function consensusText(group: ConfigGroup, now: Date): string {
  const { type, metadata, state } = valueOrEmpty(group, 'orderer', 'ConsensusType');
  const mode = state === STATE_MAINTENANCE ? ', in maintenance' : '';
  const name = `${onOneLine(type)}${mode}`;
  if (type === 'BFT') return `${name}, ${readBftOptions(metadata).requestBatchMaxCount} requests per batch`;
  if (type !== 'etcdraft') return name;
  const consenters = readRaftMetadata(metadata).consenters.map(
    (each) => `${addressText(each)} (TLS ${certificateText(summariseCertificate(each.clientTlsCert), now)})`,
  );
  return `${name}, consenters ${listText(consenters)}`;
}

/** A policy in words, without the groups that an implicit meta policy counts. */
export function policyText(policy: Policy | undefined): string {
  if (policy === undefined) return 'no policy';
  return attempt(
    () => {
      if (policy.type === POLICY_TYPE.implicitMeta) return printImplicitMeta(readImplicitMeta(policy.value));
      if (policy.type === POLICY_TYPE.signature)
        return printSignaturePolicy(readSignaturePolicy(policy.value), identityWords);
      return `a policy of unknown type ${policy.type}`;
    },
    () => 'a policy that cannot be read',
  );
}
