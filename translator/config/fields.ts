// The tags (field number and wire type) of the fields of a config: read.ts and write.ts use them instead of typed messages, see there.
//
// A known field number with another wire type is another tag and therefore an unknown field, as in Go's runtime.

import {
  CommonConfig,
  CommonConfigGroup,
  CommonConfigPolicy,
  CommonConfigUpdate,
  CommonPolicy,
} from '../../proto/messages/schema.js';
import { tagOfField } from '../../proto/messages/message-type.js';

export const CONFIG_SEQUENCE = tagOfField(CommonConfig, 'sequence');
export const CONFIG_CHANNEL_GROUP = tagOfField(CommonConfig, 'channelGroup');

export const UPDATE_CHANNEL_ID = tagOfField(CommonConfigUpdate, 'channelId');
export const UPDATE_READ_SET = tagOfField(CommonConfigUpdate, 'readSet');
export const UPDATE_WRITE_SET = tagOfField(CommonConfigUpdate, 'writeSet');

/** Of a group, a value and a policy. */
export const VERSION = tagOfField(CommonConfigGroup, 'version');

export const GROUP_GROUPS = tagOfField(CommonConfigGroup, 'groups');
export const GROUP_VALUES = tagOfField(CommonConfigGroup, 'values');
export const GROUP_POLICIES = tagOfField(CommonConfigGroup, 'policies');
export const GROUP_MOD_POLICY = tagOfField(CommonConfigGroup, 'modPolicy');

/** The content of a value or of a policy. */
export const ELEMENT_CONTENT = tagOfField(CommonConfigPolicy, 'policy');
/** Of a value and of a policy. */
export const ELEMENT_MOD_POLICY = tagOfField(CommonConfigPolicy, 'modPolicy');

export const POLICY_TYPE = tagOfField(CommonPolicy, 'type');
export const POLICY_VALUE = tagOfField(CommonPolicy, 'value');
