// The organisations of a channel: their MSPs, their names, and the same organisation in another config.

import { addTo } from '../../core/common/group-by.js';
import type { Channel, Organization, Section } from '../channel/index.js';
import { FABRIC, IDEMIX, readMspConfig, type MspConfig } from '../msp/index.js';
import { attempt } from '../../proto/errors.js';

const msps = new WeakMap<Organization, { readonly msp: MspConfig | undefined }>();

/** The MSP of an organisation, read once; undefined if it has none, one of another type than certificates, or one that does not parse. */
export function mspOf(organization: Organization): MspConfig | undefined {
  let known = msps.get(organization);
  if (known === undefined) msps.set(organization, (known = { msp: readMsp(organization) }));
  return known.msp;
}

const readMsp = (organization: Organization): MspConfig | undefined =>
  attempt(
    () => {
      const { type, config } = organization.mspConfig ?? {};
      return type !== FABRIC || config === undefined || config.length === 0
        ? undefined
        : readMspConfig(config);
    },
    () => undefined,
  );

/** Whether the MSP of an organisation is of the type idemix, which is not checked. */
export const isIdemix = ({ mspConfig }: Organization): boolean => mspConfig?.type === IDEMIX;

/** The group of an organisation in another config: the one at its path, or else the one of its section with its MSP id. */
export const sameOrganization = (
  { path, section, mspId }: Organization,
  { organizations }: Pick<Channel, 'organizations'>,
): Organization | undefined =>
  organizations.find((each) => each.path === path) ??
  organizations.find((each) => each.section === section && each.mspId === mspId);

/**
 * Unique names of organisations, by path: the name of the group, or `Application/Org1` and `Orderer/Org1` if groups of one name have
 * different MSP ids.
 *
 * @param channels the channel before and after an update: an organisation has the same name in both
 */
export function organizationNames(
  channels: readonly Pick<Channel, 'organizations'>[],
): ReadonlyMap<string, string> {
  const all = channels.flatMap(({ organizations }) => organizations);
  const sections = new Map<string, Map<Section, Set<string>>>();
  for (const { name, section, path, mspId = path } of all) {
    const bySection = sections.get(name) ?? new Map<Section, Set<string>>();
    sections.set(name, bySection);
    addTo(bySection, section, mspId);
  }
  const isShared = (name: string): boolean => {
    const ids = [...sections.get(name)!.values()];
    return ids.length > 1 && new Set(ids.flatMap((each) => [...each])).size > 1;
  };
  return new Map(all.map(({ name, section, path }) => [path, isShared(name) ? `${section}/${name}` : name]));
}
