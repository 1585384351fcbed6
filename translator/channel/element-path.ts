// Paths of the elements of a config: `/Channel/Orderer/BatchSize`.

import type { ConfigGroup } from './element.js';

/** The path of the group that contains an element. */
export const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The name of an element. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The names below the channel: `['Orderer', 'BatchSize']`. */
export const namesBelowChannel = (path: string): string[] => path.split('/').slice(2);

/** The group at a path; undefined if there is none. */
export function groupAt(channelGroup: ConfigGroup, path: string): ConfigGroup | undefined {
  let group: ConfigGroup | undefined = channelGroup;
  for (const name of namesBelowChannel(path)) group = group?.groups.get(name);
  return group;
}
