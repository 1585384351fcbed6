// Sets the capabilities of the channel, of the orderers or of the application.

import { NO_BYTES } from '../../proto/bytes.js';
import { CommonCapabilities } from '../../proto/messages.js';
import { replaceFields } from '../../proto/typed.js';
import {
  knownCapabilities,
  requiresOrganizationEndpoints,
  channelOf,
  type Config,
  type ConfigGroup,
  pathOf,
  type GroupPath,
} from '../channel/index.js';
import { badEdit, edited, type Edited } from './edited.js';
import { withAddresses } from './addresses.js';
import { changeGroup, requiredGroup, withValue } from './tree.js';

const PATHS = {
  channel: [],
  orderer: ['Orderer'],
  application: ['Application'],
} as const satisfies Readonly<Record<string, GroupPath>>;

/** A group with capabilities. */
export type Level = keyof typeof PATHS;

/**
 * Replaces the capabilities of a group. With channel capability V3_0, the global addresses become endpoints of organisations.
 *
 * @throws TranslateError BAD_EDIT for a capability that Fabric 3.0 does not know, or if the addresses cannot be assigned
 */
export function setCapabilities(config: Config, level: Level, names: readonly string[]): Edited {
  const known = knownCapabilities(level);
  for (const name of names)
    if (!known.includes(name))
      throw badEdit(
        `unknown ${level} capability ${JSON.stringify(name)}; Fabric 3.0 knows ${known.join(', ')}`,
      );
  const path = PATHS[level];
  requiredGroup(config.channelGroup, path);
  const channel = channelOf(config);
  const old = [...(level === 'channel' ? channel : channel[level]).capabilities];
  const sorted = [...new Set(names)].toSorted();
  if (old.toSorted().join() === sorted.join())
    throw badEdit(`${pathOf(...path, 'Capabilities')} is ${sorted.join(', ')} already`);
  const capabilities = new Map(sorted.map((name) => [name, {}]));
  const contentOf = (group: ConfigGroup): Uint8Array =>
    replaceFields(CommonCapabilities, group.values.get('Capabilities')?.value ?? NO_BYTES, { capabilities });
  const result = edited(
    config,
    changeGroup(config.channelGroup, path, (group) => withValue(group, 'Capabilities', contentOf(group))),
    `${pathOf(...path, 'Capabilities')}: ${old.join(', ') || 'none'} -> ${sorted.join(', ')}`,
  );
  const needsEndpoints = level === 'channel' && requiresOrganizationEndpoints(new Set(sorted));
  if (!needsEndpoints) return result;
  const moved = moveAddresses(result.config);
  return { config: moved.config, notes: [...result.notes, ...moved.notes] };
}

/** Removes the global addresses. Addresses that are no endpoint yet become endpoints of the one organisation without endpoints. */
function moveAddresses(config: Config): Edited {
  const { ordererAddresses: addresses, orderer } = channelOf(config);
  const without = orderer.organizations.filter(({ endpoints }) => endpoints.length === 0);
  const [first, second] = without;
  const known = new Set(orderer.organizations.flatMap(({ endpoints }) => endpoints));
  const rest = addresses.filter((address) => !known.has(address));
  if (second !== undefined || (first !== undefined && rest.length === 0))
    throw badEdit(
      `V3_0 requires endpoints, and ${without.map(({ name }) => name).join(', ')} ${second === undefined ? 'has' : 'have'} none: set the endpoints first, in the same update`,
    );
  let channelGroup = config.channelGroup;
  const notes: string[] = [];
  if (first !== undefined) {
    channelGroup = changeGroup(channelGroup, first.names, (group) => withAddresses(group, 'Endpoints', rest));
    notes.push(`${rest.join(', ')} moved to the endpoints of ${first.path}`);
  } else if (rest.length > 0) notes.push(`${rest.join(', ')} removed: no organisation has this endpoint`);
  if (channelGroup.values.has('OrdererAddresses')) {
    channelGroup = withAddresses(channelGroup, 'OrdererAddresses', []);
    notes.push(`${pathOf('OrdererAddresses')} removed: V3_0 does not allow it`);
  }
  return edited(config, channelGroup, ...notes);
}
