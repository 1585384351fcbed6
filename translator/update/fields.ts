// The fields of the messages of a configuration, each by its tag: number and wire type.
//
// A known number with another wire type is another tag, and thus an unknown field, as the wire format has it.

import { BYTES, VARINT } from '../../proto/wire.js';

/** The number before a field on the wire: field number and wire type. */
const tagOf = (number: number, wireType: number): number => number * 8 + wireType;

// common.Config, without its sequence
export const CONFIG_CHANNEL_GROUP = tagOf(2, BYTES);

// common.ConfigUpdate
export const UPDATE_CHANNEL_ID = tagOf(1, BYTES);
export const UPDATE_READ_SET = tagOf(2, BYTES);
export const UPDATE_WRITE_SET = tagOf(3, BYTES);

// common.ConfigGroup, common.ConfigValue and common.ConfigPolicy alike
export const VERSION = tagOf(1, VARINT);

// common.ConfigGroup
export const GROUP_GROUPS = tagOf(2, BYTES);
export const GROUP_VALUES = tagOf(3, BYTES);
export const GROUP_POLICIES = tagOf(4, BYTES);
export const GROUP_MOD_POLICY = tagOf(5, BYTES);

// The entry of any of these maps
export const ENTRY_KEY = tagOf(1, BYTES);
export const ENTRY_VALUE = tagOf(2, BYTES);

// common.ConfigValue (value) and common.ConfigPolicy (policy)
export const ELEMENT_CONTENT = tagOf(2, BYTES);
export const ELEMENT_MOD_POLICY = tagOf(3, BYTES);

// common.Policy
export const POLICY_TYPE = tagOf(1, VARINT);
export const POLICY_VALUE = tagOf(2, BYTES);
