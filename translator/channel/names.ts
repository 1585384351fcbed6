// Names and paths: those of channels, elements and mod_policies, by the rules of Fabric's common/configtx (validator.go, update.go), and the
// paths of elements, `/Channel/Orderer/BatchSize`.

import type { ConfigGroup } from './element.js';

const MAX_LENGTH = 249;
const ALLOWED = /^[a-zA-Z0-9.-]+$/;

/** Why Fabric refuses a name of an element, in its words; undefined if it accepts it. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'config ID illegal, cannot be empty';
  if (new TextEncoder().encode(name).length > MAX_LENGTH)
    return `config ID illegal, cannot be longer than ${MAX_LENGTH}`;
  if (name === '.' || name === '..') return `name '${name}' for config ID is not allowed`;
  return ALLOWED.test(name) ? undefined : `config ID '${name}' contains illegal characters`;
}

/** Why Fabric refuses a mod_policy, in its words; undefined if it accepts it. It may be a path, from the root or from the element. */
export function modPolicyProblem(modPolicy: string): string | undefined {
  if (modPolicy === '') return 'mod_policy not set';
  const names = (modPolicy.startsWith('/') ? modPolicy.slice(1) : modPolicy).split('/');
  for (const [index, name] of names.entries()) {
    const problem = nameProblem(name);
    if (problem !== undefined) return `path element at ${index} is invalid: ${problem}`;
  }
  return undefined;
}

/** The characters of a channel name; the length is not checked. */
export const CHANNEL_NAME = /^[a-z][a-z0-9.-]*$/;

/** What {@link isChannelName} allows, for messages. */
export const CHANNEL_NAMES =
  "Fabric allows 1 to 249 lower-case letters, digits, '.' and '-', with a letter at the beginning";

/** Why Fabric does not accept a name of a channel, in its words; undefined if it does (validator.go, `ValidateChannelID`). */
export function channelNameFault(name: string): string | undefined {
  if (name === '') return 'channel ID illegal, cannot be empty';
  if (new TextEncoder().encode(name).length > MAX_LENGTH)
    return `channel ID illegal, cannot be longer than ${MAX_LENGTH}`;
  return CHANNEL_NAME.test(name) ? undefined : `'${name}' contains illegal characters`;
}

/** Whether Fabric accepts a name of a channel. Such a name is safe as the name of a file. */
export const isChannelName = (name: string): boolean => channelNameFault(name) === undefined;

/** The names of the groups below the channel group, from the outermost one on; empty for the channel group. */
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
