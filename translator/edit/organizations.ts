// Finds organisations of a channel.

import { suggestion } from '../../core/common/text/nearest.js';
import type { Config, ConfigGroup } from '../channel/element.js';
import { mspIdOf } from '../channel/msp-id.js';
import { badEdit } from './edited.js';
import type { GroupPath } from './tree.js';

/** The groups that contain organisations. */
export const SECTIONS = ['Application', 'Orderer'] as const;
export type Section = (typeof SECTIONS)[number];

/** An organisation of a channel. */
export interface Organization {
  readonly section: Section;
  /** The name of its group. */
  readonly name: string;
  readonly path: GroupPath;
  readonly mspId: string | undefined;
  readonly group: ConfigGroup;
}

/** All organisations of some sections. */
export function organizationsOf(config: Config, sections: readonly Section[] = SECTIONS): Organization[] {
  return sections.flatMap((section) =>
    [...(config.channelGroup.groups.get(section)?.groups ?? [])].map(([name, group]) => ({
      section,
      name,
      path: [section, name],
      mspId: mspIdOf(group),
      group,
    })),
  );
}

/**
 * Finds an organisation by the name of its group or by its MSP id; case does not matter if nothing matches exactly.
 *
 * @throws TranslateError BAD_EDIT if there is none, or more than one
 */
export function findOrganization(
  config: Config,
  wanted: string,
  sections?: readonly Section[],
): Organization {
  const all = organizationsOf(config, sections);
  const lower = wanted.toLowerCase();
  const rules: readonly ((each: Organization) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ mspId }) => mspId === wanted,
    ({ name, mspId }) => name.toLowerCase() === lower || mspId?.toLowerCase() === lower,
  ];
  const matching = rules.map((rule) => all.filter(rule)).find(({ length }) => length > 0) ?? [];
  const [found, other] = matching;
  const where = sections?.length === 1 ? `the group ${sections.join()}` : 'the channel';
  if (found === undefined) {
    const names = [...new Set(all.map(({ name }) => name))];
    throw badEdit(`${where} has no organisation ${JSON.stringify(wanted)}; ${suggestion(wanted, names)}`);
  }
  if (other !== undefined)
    throw badEdit(
      `${JSON.stringify(wanted)} is an organisation of ${matching.map(({ section }) => section).join(' and of ')}: choose one with --group`,
    );
  return found;
}
