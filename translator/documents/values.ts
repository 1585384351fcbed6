// Values and policies of a config in words: each on one line, and the changes of a value.

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
  type GroupKind,
  type Policy,
  type ValueName,
  type ValueOf,
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
import { mspChanges } from './msp-changes.js';
import { mspText, summariseMsp } from './msp.js';
import { fieldChanges, hiddenChange, listChanges, type Fields, type ValueChange } from './value-change.js';
import { aclChanges, both, consensusChanges, consenterChanges, type Pair } from './value-changes.js';

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

/** The names of the groups around a value and its own name, below the channel: `['Orderer', 'BatchSize']`. */
type ValuePath = readonly string[];

/** A value of a group in words; `3 bytes` if its name is unknown there. */
export const valueText = (path: ValuePath, group: ConfigGroup, now: Date): string =>
  attempt(
    () =>
      wordsOf(path)?.text(group, now) ?? `${group.values.get(path.at(-1) ?? '')?.value.length ?? 0} bytes`,
    ({ message }) => `it cannot be read: ${message}`,
  );

/** The changes of a value; empty without words for them. */
export const valueChanges = (path: ValuePath, pair: Pair): ValueChange[] =>
  attempt(
    () => wordsOf(path)?.changes?.(pair) ?? [],
    () => [hiddenChange()],
  );

/** `channel.Capabilities`, `organization.MSP`: the kind of the group, and the name of the value. */
const keyOf = (kind: GroupKind | undefined, name: string): string =>
  `${kind?.endsWith('Organization') === true ? 'organization' : (kind ?? 'other')}.${name}`;

const wordsOf = (path: ValuePath): ValueWords | undefined =>
  VALUES.get(keyOf(kindOfGroup(path.slice(0, -1)), path.at(-1) ?? ''));

/** The words for a value. */
interface ValueWords {
  readonly text: (group: ConfigGroup, now: Date) => string;
  readonly changes?: (pair: Pair) => ValueChange[];
}

/** A value that is a list of names or addresses. */
function list<K extends GroupKind, N extends ValueName<K>>(
  kind: K,
  name: N,
  itemsOf: (value: ValueOf<K, N>) => Iterable<string>,
): readonly [string, ValueWords] {
  const read = (group: ConfigGroup | undefined) => [...itemsOf(valueOrEmpty(group, kind, name))];
  const shown = (items: readonly string[]) => (name === 'Capabilities' ? items.toSorted(naturally) : items);
  const words: ValueWords = {
    text: (group) => listText(shown(read(group))),
    changes: (pair) => listChanges(...both(pair, read)),
  };
  return [keyOf(kind, name), words];
}

/** A value of numbers and texts. */
function fields<K extends GroupKind, N extends ValueName<K>>(
  kind: K,
  name: N,
  text: (value: ValueOf<K, N>) => string,
): readonly [string, ValueWords] {
  const read = (group: ConfigGroup | undefined) => valueOrEmpty(group, kind, name);
  const words: ValueWords = {
    text: (group) => text(read(group)),
    changes: (pair) => fieldChanges(...(both(pair, read) as [Fields, Fields])),
  };
  return [keyOf(kind, name), words];
}

const capabilityNames = ({ capabilities }: ValueOf<'channel', 'Capabilities'>) => capabilities.keys();
const mspOf = (group: ConfigGroup | undefined) => valueOrEmpty(group, 'applicationOrganization', 'MSP');

const VALUES: ReadonlyMap<string, ValueWords> = new Map<string, ValueWords>([
  list('channel', 'OrdererAddresses', ({ addresses }) => addresses),
  list('channel', 'Capabilities', capabilityNames),
  list('orderer', 'Capabilities', capabilityNames),
  list('application', 'Capabilities', capabilityNames),
  list('orderer', 'KafkaBrokers', ({ brokers }) => brokers),
  list('ordererOrganization', 'Endpoints', ({ addresses }) => addresses),
  list('applicationOrganization', 'AnchorPeers', ({ anchorPeers }) => anchorPeers.map(addressText)),
  fields('channel', 'HashingAlgorithm', ({ name }) => onOneLine(name)),
  fields('channel', 'BlockDataHashingStructure', ({ width }) => `width ${width}`),
  fields('channel', 'Consortium', ({ name }) => onOneLine(name)),
  fields('orderer', 'BatchSize', batchSizeText),
  fields('orderer', 'BatchTimeout', ({ timeout }) => onOneLine(timeout)),
  fields('orderer', 'ChannelRestrictions', ({ maxCount }) => `at most ${maxCount} channels`),
  ['orderer.ConsensusType', { text: consensusText, changes: consensusChanges }],
  ['orderer.Orderers', { text: consentersText, changes: consenterChanges }],
  ['application.ACLs', { text: aclsText, changes: aclChanges }],
  [
    'organization.MSP',
    {
      text: (group, now) =>
        mspText(
          summariseMsp(() => mspOf(group), mspVersionOf(['V3_0'])),
          now,
        ),
      changes: (pair) => mspChanges(...both(pair, mspOf)),
    },
  ],
  [
    'consortium.ChannelCreationPolicy',
    { text: (group) => policyText(valueOrEmpty(group, 'consortium', 'ChannelCreationPolicy')) },
  ],
]);

function aclsText(group: ConfigGroup): string {
  const { acls } = valueOrEmpty(group, 'application', 'ACLs');
  return listText([...acls].map(([name, { policyRef }]) => `${name}: ${policyRef}`));
}

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
