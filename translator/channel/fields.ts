// The slots of the fields of a config in messages (proto/message.ts): read.ts and write.ts convert messages from and to elements.

import type { MessageType } from '../../proto/typed.js';
import {
  CommonConfig,
  CommonConfigGroup,
  CommonConfigPolicy,
  CommonConfigUpdate,
  CommonConfigValue,
  CommonPolicy,
} from '../../proto/messages.js';

function slotOf<T>({ fields }: MessageType<T>, name: keyof T): number {
  return fields.find((field) => field.jsonName === name)!.slot;
}

export const CONFIG = {
  sequence: slotOf(CommonConfig, 'sequence'),
  channelGroup: slotOf(CommonConfig, 'channelGroup'),
};

export const UPDATE = {
  channelId: slotOf(CommonConfigUpdate, 'channelId'),
  readSet: slotOf(CommonConfigUpdate, 'readSet'),
  writeSet: slotOf(CommonConfigUpdate, 'writeSet'),
};

export const GROUP = {
  version: slotOf(CommonConfigGroup, 'version'),
  groups: slotOf(CommonConfigGroup, 'groups'),
  values: slotOf(CommonConfigGroup, 'values'),
  policies: slotOf(CommonConfigGroup, 'policies'),
  modPolicy: slotOf(CommonConfigGroup, 'modPolicy'),
};

export const VALUE = {
  version: slotOf(CommonConfigValue, 'version'),
  value: slotOf(CommonConfigValue, 'value'),
  modPolicy: slotOf(CommonConfigValue, 'modPolicy'),
};

export const POLICY_ENTRY = {
  version: slotOf(CommonConfigPolicy, 'version'),
  policy: slotOf(CommonConfigPolicy, 'policy'),
  modPolicy: slotOf(CommonConfigPolicy, 'modPolicy'),
};

export const POLICY = {
  type: slotOf(CommonPolicy, 'type'),
  value: slotOf(CommonPolicy, 'value'),
};
