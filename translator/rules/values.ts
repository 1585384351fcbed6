// Checks for groups of every kind: known names of values, and values that parse; and the id of the MSP of an organisation (Fabric's
// common/channelconfig/organization.go). The set-up of its MSP is checked elsewhere.

import { attempt } from '../../proto/errors.js';
import { type MessageType, readMessage } from '../../proto/typed.js';
import { type ConfigGroup, type GroupKind, VALUES, mspIdOf } from '../channel/index.js';
import { words } from '../documents/index.js';
import { type RawFinding, defineRule } from './rule.js';

export const groupInOrganization = defineRule({
  id: 'group-in-organization',
  severity: 'refused',
  meaning: 'an organisation contains groups',
  words: ({ organization }: { organization: string }) =>
    words(
      `the organisation ${organization} contains groups`,
      'remove them: an organisation has only values and policies',
    ),
});

const valueUnknown = defineRule({
  id: 'value-unknown',
  severity: 'refused',
  meaning: 'a group has a value with an unknown name',
  words: ({ value, known }: { value: string; known: readonly string[] }) =>
    words(
      `orderers do not know a value ${value} in this group`,
      `remove the value; this group may have ${known.join(', ')}`,
    ),
});

const valueUndecodable = defineRule({
  id: 'value-undecodable',
  severity: 'refused',
  stops: true,
  meaning: 'a value is not the serialized message of its name; later checks are skipped',
  words: ({ value }: { value: string }) =>
    words(`the content of ${value} is not a serialized message`, 'set the value again from its JSON form'),
});

const mspIdEmpty = defineRule({
  id: 'msp-id-empty',
  severity: 'refused',
  meaning: 'an MSP has no id',
  words: ({ organization }: { organization: string }) =>
    words(`the MSP of the organisation ${organization} has no id`, 'set the name of the MSP'),
});

/** The rules for refusals of the values of a group, and of an organisation. */
export const VALUE_RULES = [valueUnknown, valueUndecodable, mspIdEmpty] as const;

const KAFKA = 'KafkaBrokers';

/**
 * Checks the names and the encoding of the values of a group.
 *
 * @param known the names that the version of Fabric knows, if they differ from the names in `VALUES`
 */
export function valueRefusals(
  group: ConfigGroup,
  kind: GroupKind,
  path: string,
  known: ReadonlySet<string> = new Set(Object.keys(VALUES[kind])),
): RawFinding[] {
  return [...group.values].flatMap(([name, { value }]): RawFinding[] => {
    const at = `${path}/${name}`;
    if (!known.has(name))
      return [
        valueUnknown.refused(`failed to deserialize values: Unexpected key ${name}`, at, {
          value: name,
          known: [...known].filter((each) => each !== KAFKA),
        }),
      ];
    const problem = problemOf((VALUES[kind] as Readonly<Record<string, MessageType<object>>>)[name]!, value);
    if (problem === undefined) return [];
    return [valueUndecodable.refused(`failed to deserialize values: ${problem}`, at, { value: name })];
  });
}

/** Returns the reason that bytes are not a message, in Fabric's words; undefined if they are one. */
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
): RawFinding[] {
  const garbage = valueRefusals(group, kind, path);
  if (garbage.length > 0 || !group.values.has('MSP') || mspIdOf(group) !== '') return garbage;
  return [mspIdEmpty.refused(`MSP for org ${name} has empty MSP ID`, `${path}/MSP`, { organization: name })];
}
