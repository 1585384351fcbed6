// Replaces the certificates and the addresses in configs and config updates. Everything else stays: names, versions, the sequence, unknown
// fields, and what cannot be read.

import { NO_BYTES, sameBytes } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import { fromBinary } from '../../proto/from-binary.js';
import { TREE_LIMITS } from '../../proto/limits.js';
import { Message, type Value } from '../../proto/message.js';
import {
  CommonCombinedPrincipal,
  CommonConfigUpdate,
  CommonOrganizationUnit,
  CommonSignaturePolicyEnvelope,
  EtcdraftConfigMetadata,
  MspFabricMSPConfig,
  MspSerializedIdentity,
} from '../../proto/messages.js';
import { toBinary } from '../../proto/to-binary.js';
import type { MessageType } from '../../proto/type.js';
import { replaceFields } from '../../proto/typed.js';
import {
  type Address,
  type Config,
  type ConfigGroup,
  type ConfigUpdate,
  type GroupPath,
  makeGroup,
  makePolicy,
  makeValue,
  type Policy,
  pathOf,
  readConfigUpdate,
  typeOfValue,
} from '../channel/index.js';
import { FABRIC } from '../msp/index.js';
import { POLICY_TYPE } from '../policy/index.js';

/** What takes the place of the certificates and the addresses. */
export interface Replacements {
  /**
   * @param pem bytes in which PEM blocks may be
   * @param place the path of the element
   * @param host the host of the node whose server TLS certificate it is
   */
  readonly pem: (pem: Uint8Array, place: string, host?: string) => Uint8Array;
  readonly address: (address: Address, place: Place) => Address;
  /** @param identifier the hash of the certificates of a CA and of the CAs above it, by which a principal names the CA */
  readonly certifiers: (identifier: Uint8Array) => Uint8Array;
}

/** Where an address is. */
export type Place = 'consenter' | 'orderer' | 'peer';

type Msg = Message<MessageType>;
type Slot = Value<MessageType> | undefined;

/** Rewrites a config. */
export const rewriteConfig = ({ sequence, channelGroup }: Config, by: Replacements): Config => ({
  sequence,
  channelGroup: rewriteGroup(channelGroup, [], by),
});

/** Rewrites a config update: both sets. @returns the serialized update */
export function rewriteUpdate({ bytes, readSet, writeSet }: ConfigUpdate, by: Replacements): Uint8Array {
  return replaceFields(CommonConfigUpdate, bytes, {
    ...(readSet !== undefined && { readSet: rewriteGroup(readSet, [], by).bytes }),
    ...(writeSet !== undefined && { writeSet: rewriteGroup(writeSet, [], by).bytes }),
  });
}

/** Rewrites a serialized identity, such as a creator of a signature. */
export const rewriteIdentity = (identity: Uint8Array, place: string, by: Replacements): Uint8Array =>
  rewriteMessage(MspSerializedIdentity, identity, place, by);

/** Groups nest at most 64 levels deep. */
function rewriteGroup(group: ConfigGroup, path: GroupPath, by: Replacements): ConfigGroup {
  const place = (name: string): string => `${pathOf(...path)}/${name}`;
  return makeGroup({
    ...fieldsOf(group),
    groups: mapped(group.groups, (each, name) => rewriteGroup(each, [...path, name], by)),
    values: mapped(group.values, (each, name) => {
      const type = typeOfValue(path, name);
      const { value } = each;
      return type === undefined
        ? each
        : makeValue({ ...fieldsOf(each), value: rewriteMessage(type, value, place(name), by) });
    }),
    policies: mapped(group.policies, (each, name) =>
      makePolicy({
        ...fieldsOf(each),
        policy: each.policy && rewritePolicy(each.policy, place(name), by),
      }),
    ),
  });
}

const fieldsOf = ({
  version,
  modPolicy,
  unknown,
}: Pick<ConfigGroup, 'version' | 'modPolicy' | 'unknown'>) => ({
  version,
  modPolicy,
  unknown,
});

const mapped = <E>(
  elements: ReadonlyMap<string, E>,
  change: (element: E, name: string) => E,
): ReadonlyMap<string, E> => new Map(Array.from(elements, ([name, each]) => [name, change(each, name)]));

const rewritePolicy = (policy: Policy, place: string, by: Replacements): Policy =>
  policy.type === POLICY_TYPE.signature
    ? { ...policy, value: rewriteMessage(CommonSignaturePolicyEnvelope, policy.value, place, by) }
    : policy;

/** Rewrites a serialized message. The bytes stay if nothing in them changes, or if they are no message. */
function rewriteMessage(type: MessageType, bytes: Uint8Array, place: string, by: Replacements): Uint8Array {
  const message = attempt(
    () => fromBinary(type, bytes, { limits: TREE_LIMITS }),
    () => undefined,
  );
  return message !== undefined && change(message, place, by) ? new Uint8Array(toBinary(message)) : bytes;
}

/** Changes a message in place. @returns whether something changed. Messages nest at most 64 levels deep. */
const change = (message: Msg, place: string, by: Replacements): boolean =>
  (SPECIAL.get(message.descriptor.name) ?? changeFields)(message, place, by);

/** Changes the bytes that are no message, and the messages in a message. */
function changeFields(message: Msg, place: string, by: Replacements): boolean {
  let isChanged = false;
  for (const { slot, kind } of message.descriptor.fields) {
    const rewritten = changedValue(message.slots[slot], kind === 'bytes', place, by);
    if (rewritten === undefined) continue;
    message.slots[slot] = rewritten;
    isChanged = true;
  }
  return isChanged;
}

/** The new value of a field; undefined if it stays. */
function changedValue(value: Slot, isBytes: boolean, place: string, by: Replacements): Slot {
  if (value instanceof Message) return change(value, place, by) ? value : undefined;
  if (Array.isArray(value)) {
    const changed = value.map((each) => changedValue(each, isBytes, place, by));
    return changed.some((each) => each !== undefined)
      ? value.map((each, index) => changed[index] ?? each)
      : undefined;
  }
  if (!isBytes || !(value instanceof Uint8Array)) return undefined;
  const pem = by.pem(value, place);
  return pem === value ? undefined : pem;
}

type Special = (message: Msg, place: string, by: Replacements) => boolean;

/** A consenter, or an anchor peer. */
const addressed =
  (kind: Place): Special =>
  (message, place, by) => {
    const { host: hostSlot, port: portSlot, server_tls_cert: server } = namedSlots(message);
    const host = (message.slots[hostSlot!] as string | undefined) ?? '';
    const port = (message.slots[portSlot!] as number | undefined) ?? 0;
    if (server !== undefined && message.slots[server] !== undefined)
      message.slots[server] = by.pem(bytesIn(message, server), place, host);
    const changed = by.address({ host, port }, kind);
    const isMoved = changed.host !== host || changed.port !== port;
    if (isMoved) {
      message.slots[hostSlot!] = changed.host;
      message.slots[portSlot!] = changed.port;
    }
    // A certificate that was replaced above stays as it is.
    changeFields(message, place, by);
    return true;
  };

/** The slots of the fields by their names. */
const namedSlots = ({ descriptor }: Msg): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(descriptor.fields.map(({ name, slot }) => [name, slot]));

const bytesIn = ({ slots }: Msg, slot: number): Uint8Array =>
  (slots[slot] as Uint8Array | undefined) ?? NO_BYTES;

/** Rewrites a field with a serialized message. */
function opaque(message: Msg, field: string, type: MessageType, place: string, by: Replacements): boolean {
  const slot = namedSlots(message)[field]!;
  const before = bytesIn(message, slot);
  const after = rewriteMessage(type, before, place, by);
  if (before.length > 0) message.slots[slot] = after;
  return before !== after;
}

/** `common.MSPPrincipal.Classification` */
const UNIT = 1;
const IDENTITY = 2;
const COMBINED = 4;

/** The messages whose fields have a meaning, by their names. */
const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['etcdraft.Consenter', addressed('consenter')],
  ['common.Consenter', addressed('consenter')],
  ['protos.AnchorPeer', addressed('peer')],
  [
    'common.OrdererAddresses',
    (message, _, by) => {
      const { addresses: slot } = namedSlots(message);
      const texts = (message.slots[slot!] as string[] | undefined) ?? [];
      const changed = texts.map((text) => changedText(text, by));
      if (texts.length > 0) message.slots[slot!] = changed;
      return changed.some((text, index) => text !== texts[index]);
    },
  ],
  [
    'orderer.ConsensusType',
    (message, place, by) =>
      message.get('type') === 'etcdraft' && opaque(message, 'metadata', EtcdraftConfigMetadata, place, by),
  ],
  [
    'msp.MSPConfig',
    (message, place, by) =>
      message.int('type') === FABRIC && opaque(message, 'config', MspFabricMSPConfig, place, by),
  ],
  ['common.MSPPrincipal', changePrincipal],
  [
    'common.OrganizationUnit',
    (message, _, by) => {
      const slot = namedSlots(message)['certifiers_identifier']!;
      const before = bytesIn(message, slot);
      const after = before.length === 0 ? before : by.certifiers(before);
      if (before.length > 0) message.slots[slot] = after;
      return before !== after;
    },
  ],
]);

function changePrincipal(message: Msg, place: string, by: Replacements): boolean {
  switch (message.int('principal_classification')) {
    case IDENTITY:
      return opaque(message, 'principal', MspSerializedIdentity, place, by);
    case COMBINED:
      return opaque(message, 'principal', CommonCombinedPrincipal, place, by);
    case UNIT:
      return opaque(message, 'principal', CommonOrganizationUnit, place, by);
    default:
      return false;
  }
}

const PORT = /^(.+):(\d{1,5})$/;

/** A text `host:port`; other texts stay, because no node connects to them. */
function changedText(text: string, by: Replacements): string {
  const [, host, port] = PORT.exec(text) ?? [];
  if (host === undefined) return text;
  const changed = by.address({ host, port: Number(port) }, 'orderer');
  return changed.host === host && changed.port === Number(port) ? text : `${changed.host}:${changed.port}`;
}

/** The path of the first element in which two updates differ; undefined if they are equal. */
export function firstDifference(one: Uint8Array, other: Uint8Array): string | undefined {
  if (sameBytes(one, other)) return undefined;
  const [left, right] = [readConfigUpdate(one), readConfigUpdate(other)];
  return (
    differenceIn(left.readSet, right.readSet, '/Channel') ??
    differenceIn(left.writeSet, right.writeSet, '/Channel') ??
    'the update'
  );
}

function differenceIn(
  one: ConfigGroup | undefined,
  other: ConfigGroup | undefined,
  path: string,
): string | undefined {
  if (one === undefined || other === undefined) return one === other ? undefined : path;
  for (const members of ['values', 'policies'] as const) {
    for (const name of new Set([...one[members].keys(), ...other[members].keys()])) {
      const [left, right] = [one[members].get(name), other[members].get(name)];
      if (left === undefined || right === undefined || !sameBytes(left.bytes, right.bytes))
        return `${path}/${name}`;
    }
  }
  for (const name of new Set([...one.groups.keys(), ...other.groups.keys()])) {
    const found = differenceIn(one.groups.get(name), other.groups.get(name), `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return one.version === other.version && one.modPolicy === other.modPolicy ? undefined : path;
}
