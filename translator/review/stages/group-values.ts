// Checks that every group of a kind shares: known names of values, and values that parse; and the id of the MSP of an organisation (Fabric's
// common/channelconfig/organization.go). The set-up of its MSP is checked elsewhere.

import { attempt } from '../../../proto/errors.js';
import { type MessageType, readMessage } from '../../../proto/typed.js';
import { type ConfigGroup, mspIdOf, VALUES, type GroupKind } from '../../channel/index.js';
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
          data: { value: name, known: [...known].filter((each) => each !== KAFKA) },
        },
      ];
    const problem = problemOf((VALUES[kind] as Readonly<Record<string, MessageType<object>>>)[name]!, value);
    if (problem === undefined) return [];
    return [
      {
        id: 'value-undecodable',
        orderer: `failed to deserialize values: ${problem}`,
        path: at,
        data: { value: name },
      },
    ];
  });
}

/** Why some bytes are not a message, in Fabric's words; undefined if they are one. */
function problemOf(type: MessageType<object>, bytes: Uint8Array): string | undefined {
  return attempt(
    () => void readMessage(type, bytes),
    ({ message }) => message,
  );
}

/** Checks the values of an organisation. */
export function organizationRefusals(
  name: string,
  group: ConfigGroup,
  kind: GroupKind,
  path: string,
): Refusal[] {
  const garbage = valueRefusals(group, kind, path);
  if (garbage.length > 0 || !group.values.has('MSP') || mspIdOf(group) !== '') return garbage;
  return [
    {
      id: 'msp-id-empty',
      orderer: `MSP for org ${name} has empty MSP ID`,
      path: `${path}/MSP`,
      data: { organization: name },
    },
  ];
}
