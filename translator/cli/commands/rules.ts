// `capabilities set`, `acl set|remove`, `policy set|remove` and `mod-policy set`.

import { argument, argumentList, type Command } from '../command.js';
import { editCommand } from '../edit-command.js';
import { UsageError } from '../errors.js';
import { text } from '../kinds.js';

const POLICY_PATH = argument(text, "The path of the policy, for example 'Application/Endorsement'.");
const RESOURCE = argument(text, "The resource, for example 'peer/Propose'.");

/** The commands for capabilities, ACLs and policies. */
export const RULE_COMMANDS: readonly Command[] = [
  editCommand({
    name: 'capabilities set',
    help: 'Replaces the capabilities of the channel, the orderers or the application.',
    arguments: {
      level: argument(text, "'channel', 'orderer' or 'application'."),
      capability: argumentList(text, "The capability, for example 'V3_0'."),
    },
    async edit({ level: given, capability: names }) {
      const { LEVELS, setCapabilities } = await import('../../edit/capabilities.js');
      const level = LEVELS.find((each) => each === given.toLowerCase());
      if (level === undefined)
        throw new UsageError(`level is ${JSON.stringify(given)}, expected ${LEVELS.join(', ')}`);
      return (config) => setCapabilities(config, level, names);
    },
  }),
  editCommand({
    name: 'acl set',
    help: 'Sets the policy that a resource of the peers requires.',
    arguments: {
      resource: RESOURCE,
      policy: argument(text, "The policy, for example '/Channel/Application/Writers'."),
    },
    async edit({ resource, policy }) {
      const { setAcl } = await import('../../edit/acl.js');
      return (config) => setAcl(config, resource, policy);
    },
  }),
  editCommand({
    name: 'acl remove',
    help: 'Removes the policy of a resource.',
    arguments: { resource: RESOURCE },
    async edit({ resource }) {
      const { removeAcl } = await import('../../edit/acl.js');
      return (config) => removeAcl(config, resource);
    },
  }),
  editCommand({
    name: 'policy set',
    help: 'Sets a policy.',
    arguments: {
      path: POLICY_PATH,
      rule: argument(text, `The rule: 'MAJORITY Admins', or "OR('Org1MSP.admin')".`),
    },
    async edit({ path, rule }) {
      const { setPolicy } = await import('../../edit/policy.js');
      return (config) => setPolicy(config, path, rule);
    },
  }),
  editCommand({
    name: 'policy remove',
    help: 'Removes a policy.',
    arguments: { path: POLICY_PATH },
    async edit({ path }) {
      const { removePolicy } = await import('../../edit/policy.js');
      return (config) => removePolicy(config, path);
    },
  }),
  editCommand({
    name: 'mod-policy set',
    help: 'Sets the mod_policy of an element: who may change it.',
    arguments: {
      path: argument(text, "The path of the group, value or policy, for example 'Orderer/BatchSize'."),
      policy: argument(text, "The policy, for example 'Admins' or '/Channel/Orderer/Admins'."),
    },
    async edit({ path, policy }) {
      const { setModPolicy } = await import('../../edit/policy.js');
      return (config) => setModPolicy(config, path, policy);
    },
  }),
];
