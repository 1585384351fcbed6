// The tags (field number and wire type) of the fields of a config.
//
// A known field number with another wire type is another tag and therefore an unknown field, as in Go's runtime.

import { BYTES, VARINT } from '../../proto/wire.js';

/** The tag before a field on the wire. */
export const tagOf = (number: number, wireType: number): number => number * 8 + wireType;

// common.Config
export const CONFIG_SEQUENCE = tagOf(1, VARINT);
export const CONFIG_CHANNEL_GROUP = tagOf(2, BYTES);

// common.ConfigUpdate
export const UPDATE_CHANNEL_ID = tagOf(1, BYTES);
export const UPDATE_READ_SET = tagOf(2, BYTES);
export const UPDATE_WRITE_SET = tagOf(3, BYTES);
export const UPDATE_ISOLATED_DATA = tagOf(5, BYTES);

// common.ConfigGroup, common.ConfigValue and common.ConfigPolicy
export const VERSION = tagOf(1, VARINT);

// common.ConfigGroup
export const GROUP_GROUPS = tagOf(2, BYTES);
export const GROUP_VALUES = tagOf(3, BYTES);
export const GROUP_POLICIES = tagOf(4, BYTES);
export const GROUP_MOD_POLICY = tagOf(5, BYTES);

// An entry of any of these maps
export const ENTRY_KEY = tagOf(1, BYTES);
export const ENTRY_VALUE = tagOf(2, BYTES);

// common.ConfigValue (value) and common.ConfigPolicy (policy)
export const ELEMENT_CONTENT = tagOf(2, BYTES);
export const ELEMENT_MOD_POLICY = tagOf(3, BYTES);

// common.Policy
export const POLICY_TYPE = tagOf(1, VARINT);
export const POLICY_VALUE = tagOf(2, BYTES);
