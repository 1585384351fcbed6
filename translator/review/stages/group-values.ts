// Checks that every group of a kind shares: known names of values, and values that parse.

import { TranslateError } from '../../../proto/errors.js';
import { type MessageType, readMessage } from '../../../proto/typed.js';
import type { ConfigGroup } from '../../config/element.js';
import { VALUES, type GroupKind } from '../../config/values.js';
import type { Refusal } from '../finding.js';

const KAFKA = 'KafkaBrokers';

/**
 * Checks the names and the encoding of the values of a group.
 *
 * @param known the names that the version of Fabric knows, if they differ from those of `VALUES`
 */
export function valueRefusals(
  group: ConfigGroup,
  kind: GroupKind,
  path: string,
  known: ReadonlySet<string> = new Set(Object.keys(VALUES[kind])),
): Refusal[] {
  return [...group.values].flatMap(([name, { value }]): Refusal[] => {
    const at = `${path}/${name}`;
    if (!known.has(name))
      return [
        {
          id: 'value-unknown',
          orderer: `failed to deserialize values: Unexpected key ${name}`,
          path: at,
          text: `orderers do not know a value ${name} in this group`,
          todo: `remove the value; this group may have ${[...known].filter((each) => each !== KAFKA).join(', ')}`,
        },
      ];
    const problem = problemOf((VALUES[kind] as Readonly<Record<string, MessageType<object>>>)[name]!, value);
    if (problem === undefined) return [];
    return [
      {
        id: 'value-undecodable',
        orderer: `failed to deserialize values: ${problem}`,
        path: at,
        text: `the content of ${name} is not a serialized message`,
        todo: 'set the value again from its JSON form',
      },
    ];
  });
}

/** Why some bytes are not a message, in Fabric's words; undefined if they are one. */
export function problemOf(type: MessageType<object>, bytes: Uint8Array): string | undefined {
  try {
    readMessage(type, bytes);
    return undefined;
  } catch (error) {
    if (error instanceof TranslateError) return error.message;
    throw error;
  }
}
