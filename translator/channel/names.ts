// Names of channels, elements and mod_policies, by the rules of Fabric's common/configtx (validator.go, update.go).

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

/** Whether Fabric accepts a name of a channel (validator.go, `ValidateChannelID`). Such a name is safe as the name of a file. */
export const isChannelName = (name: string): boolean => name.length <= MAX_LENGTH && CHANNEL_NAME.test(name);
