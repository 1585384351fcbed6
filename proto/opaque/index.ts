// The opaque-field rules of all message types.

import type { OpaqueRules, RulesByMessage } from '../opaque-rules.js';
import { block } from './block.js';
import { config } from './config.js';
import { transaction } from './transaction.js';

const other: RulesByMessage = {
  // No Fabric message has a field of this type. The message in it is not opened.
  'google.protobuf.Any': { omitAbsent: true },
};

const RULES: ReadonlyMap<string, OpaqueRules> = new Map(
  [block, config, transaction, other].flatMap((rules) => Object.entries(rules)),
);

/** The rules of all other types: no bytes are opened, but nested messages are traversed. */
const DEFAULT: OpaqueRules = {};

/** The rules of a message type. */
export function rulesOf(name: string): OpaqueRules {
  return RULES.get(name) ?? DEFAULT;
}
