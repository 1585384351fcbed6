// Writes configs and config updates in canonical order: fields by number, then unknown fields; map entries by the UTF-8 bytes of
// their names. Go's deterministic marshalling writes the same bytes. Unlike typed messages, they keep unknown fields.

import { resultTypes } from './arguments.js';
import { requireTypes } from '../../proto/arguments.js';
import { Writer } from 'protobufjs/minimal.js';
import { Message, type Value } from '../../proto/message.js';
import {
  CommonConfig,
  CommonConfigGroup,
  CommonConfigPolicy,
  CommonConfigUpdate,
  CommonConfigValue,
  CommonPolicy,
} from '../../proto/messages.js';
import { toBinary } from '../../proto/to-binary.js';
import type { MessageType } from '../../proto/type.js';
import { slotsOf } from '../../proto/typed.js';
import type {
  Config,
  GroupFields,
  Policy,
  PolicyFields,
  UnknownField,
  UpdateFields,
  ValueFields,
} from './element.js';

type Msg = Message<MessageType>;

// The field slots, which read.ts also uses.
export const CONFIG = slotsOf(CommonConfig);
export const UPDATE = slotsOf(CommonConfigUpdate);
export const GROUP = slotsOf(CommonConfigGroup);
export const VALUE = slotsOf(CommonConfigValue);
export const POLICY_ENTRY = slotsOf(CommonConfigPolicy);
export const POLICY = slotsOf(CommonPolicy);

/** Serializes a `common.Config`. */
export function writeConfig(config: Config): Uint8Array {
  requireTypes({ config }, { config: resultTypes.config });
  const { sequence, channelGroup } = config;
  const message = new Message<MessageType>(CommonConfig);
  message.slots[CONFIG.sequence] = String(sequence);
  message.slots[CONFIG.channelGroup] = groupMessage(channelGroup);
  return bytesOf(message);
}

/** Serializes a `common.ConfigUpdate`. A set is written even if it is empty. */
export function writeUpdate({ channelId, readSet, writeSet }: UpdateFields): Uint8Array {
  const message = new Message<MessageType>(CommonConfigUpdate);
  message.slots[UPDATE.channelId] = channelId.toWellFormed();
  message.slots[UPDATE.readSet] = readSet && groupMessage(readSet);
  message.slots[UPDATE.writeSet] = writeSet && groupMessage(writeSet);
  return bytesOf(message);
}

/** Serializes a `common.ConfigGroup`. */
export const encodeGroup = (group: GroupFields): Uint8Array => bytesOf(groupMessage(group));

/** Serializes a `common.ConfigValue`. */
export const encodeValue = (value: ValueFields): Uint8Array => bytesOf(valueMessage(value));

/** Serializes a `common.ConfigPolicy`. */
export const encodePolicy = (policy: PolicyFields): Uint8Array => bytesOf(policyEntryMessage(policy));

const bytesOf = (message: Msg): Uint8Array => new Uint8Array(toBinary(message));

/** The message of a group, without recursion. */
function groupMessage(root: GroupFields): Msg {
  const outermost = new Message<MessageType>(CommonConfigGroup);
  const waiting: [GroupFields, Msg][] = [[root, outermost]];
  // The array grows during the iteration.
  for (const [group, message] of waiting) {
    setElement(message, GROUP, group);
    message.slots[GROUP.groups] = entries(group.groups, (nested) => {
      const inner = new Message<MessageType>(CommonConfigGroup);
      waiting.push([nested, inner]);
      return inner;
    });
    message.slots[GROUP.values] = entries(group.values, valueMessage);
    message.slots[GROUP.policies] = entries(group.policies, policyEntryMessage);
  }
  return outermost;
}

function valueMessage(element: ValueFields): Msg {
  const message = new Message<MessageType>(CommonConfigValue);
  setElement(message, VALUE, element);
  message.slots[VALUE.value] = element.value;
  return message;
}

function policyEntryMessage(element: PolicyFields): Msg {
  const message = new Message<MessageType>(CommonConfigPolicy);
  setElement(message, POLICY_ENTRY, element);
  message.slots[POLICY_ENTRY.policy] = element.policy && policyMessage(element.policy);
  return message;
}

function policyMessage({ type, value, unknown }: Policy): Msg {
  const message = new Message<MessageType>(CommonPolicy);
  message.slots[POLICY.type] = type;
  message.slots[POLICY.value] = value;
  addUnknown(message, unknown);
  return message;
}

function setElement(
  message: Msg,
  slots: { readonly version: number; readonly modPolicy: number },
  { version, modPolicy, unknown }: Pick<ValueFields, 'version' | 'modPolicy' | 'unknown'>,
): void {
  message.slots[slots.version] = String(version);
  message.slots[slots.modPolicy] = modPolicy.toWellFormed();
  addUnknown(message, unknown);
}

function addUnknown(message: Msg, unknown: readonly UnknownField[] = []): void {
  for (const { tag, bytes } of unknown) message.addUnknown(Writer.create().uint32(tag).raw(bytes).finish());
}

/** The entries of a map; undefined if there are none. */
function entries<E>(
  elements: ReadonlyMap<string, E>,
  make: (element: E) => Msg,
): Map<string, Value<MessageType>> | undefined {
  if (elements.size === 0) return undefined;
  return new Map(Array.from(elements, ([name, element]) => [name.toWellFormed(), make(element)]));
}
