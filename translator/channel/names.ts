// Names of channels and elements, mod_policies, and paths of elements such as `/Channel/Orderer/BatchSize`, by the rules of Fabric's
// common/configtx (validator.go, update.go).

import type { ConfigGroup } from './element.js';

const MAX_LENGTH = 249;
const ALLOWED = /^[a-zA-Z0-9.-]+$/;

/** Fabric's message if it refuses the name of an element; undefined if it accepts it. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'config ID illegal, cannot be empty';
  if (new TextEncoder().encode(name).length > MAX_LENGTH)
    return `config ID illegal, cannot be longer than ${MAX_LENGTH}`;
  if (name === '.' || name === '..') return `name '${name}' for config ID is not allowed`;
  return ALLOWED.test(name) ? undefined : `config ID '${name}' contains illegal characters`;
}

/** Fabric's message if it refuses a mod_policy; undefined if it accepts it. It may be a path, from the root or from the element. */
export function modPolicyProblem(modPolicy: string): string | undefined {
  if (modPolicy === '') return 'mod_policy not set';
  const names = (modPolicy.startsWith('/') ? modPolicy.slice(1) : modPolicy).split('/');
  for (const [index, name] of names.entries()) {
    const problem = nameProblem(name);
    if (problem !== undefined) return `path element at ${index} is invalid: ${problem}`;
  }
  return undefined;
}

/** The allowed characters of a channel name; the length is not checked. */
export const CHANNEL_NAME = /^[a-z][a-z0-9.-]*$/;

/** The names that {@link isChannelName} accepts, for messages. */
export const CHANNEL_NAMES =
  "Fabric allows 1 to 249 lower-case letters, digits, '.' and '-', with a letter at the beginning";

/** Fabric's message if it refuses a channel name; undefined if it accepts it (validator.go, `ValidateChannelID`). */
export function channelNameFault(name: string): string | undefined {
  if (name === '') return 'channel ID illegal, cannot be empty';
  if (new TextEncoder().encode(name).length > MAX_LENGTH)
    return `channel ID illegal, cannot be longer than ${MAX_LENGTH}`;
  return CHANNEL_NAME.test(name) ? undefined : `'${name}' contains illegal characters`;
}

/** Whether Fabric accepts a channel name. Such a name is safe as a file name. */
export const isChannelName = (name: string): boolean => channelNameFault(name) === undefined;

/** The names of the groups below the channel group, the outermost one first; empty for the channel group. */
export type GroupPath = readonly string[];

/** The path of an element as Fabric writes it: `/Channel/Application/Org1MSP`. */
export const pathOf = (...names: GroupPath): string => ['/Channel', ...names].join('/');

/** The path of the group that contains an element. */
export const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The name of an element. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Finds a group; undefined if there is none. */
export function groupAt(root: ConfigGroup, path: GroupPath): ConfigGroup | undefined {
  let group: ConfigGroup | undefined = root;
  for (const name of path) group = group?.groups.get(name);
  return group;
}
