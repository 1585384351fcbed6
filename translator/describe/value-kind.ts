// Which value of a config a path names, and the values that are lists.

import { addressText } from '../config/address.js';
import { valueOrEmpty } from '../config/values.js';
import type { ConfigGroup } from '../config/element.js';

/** The names of the groups around a value and its own name, below the channel: `['Orderer', 'BatchSize']`. */
export type ValuePath = readonly string[];

/** `channel.Capabilities`, `organization.MSP`: the kind of the group, and the name of the value. */
export function valueKind(path: ValuePath): string {
  const [section, ...inner] = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  if (section === undefined) return `channel.${name}`;
  const organization = section === 'Consortiums' ? 2 : 1;
  if (inner.length === organization) return `organization.${name}`;
  if (inner.length > organization) return `other.${name}`;
  if (section === 'Consortiums') return inner.length === 1 ? `consortium.${name}` : `other.${name}`;
  return `${section === 'Orderer' || section === 'Application' ? section.toLowerCase() : 'other'}.${name}`;
}

type Items = (group: ConfigGroup | undefined) => readonly string[];

const capabilitiesOf =
  (kind: 'channel' | 'orderer' | 'application'): Items =>
  (group) => [...valueOrEmpty(group, kind, 'Capabilities').capabilities.keys()];

/** The values that are lists of names or addresses, by {@link valueKind}. */
export const LISTS: ReadonlyMap<string, Items> = new Map<string, Items>([
  ['channel.OrdererAddresses', (group) => valueOrEmpty(group, 'channel', 'OrdererAddresses').addresses],
  ['channel.Capabilities', capabilitiesOf('channel')],
  ['orderer.Capabilities', capabilitiesOf('orderer')],
  ['application.Capabilities', capabilitiesOf('application')],
  ['orderer.KafkaBrokers', (group) => valueOrEmpty(group, 'orderer', 'KafkaBrokers').brokers],
  ['organization.Endpoints', (group) => valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses],
  [
    'organization.AnchorPeers',
    (group) => valueOrEmpty(group, 'applicationOrganization', 'AnchorPeers').anchorPeers.map(addressText),
  ],
]);
