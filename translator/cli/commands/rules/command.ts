// `capabilities set`, `acl set|remove`, `policy set|remove` and `mod-policy set`: their flags and arguments.

import { argument, list, type Command } from '../../command.js';
import { editCommand } from '../edit-command.js';

const POLICY_PATH = argument('path', "The path of the policy, for example 'Application/Endorsement'.");
const RESOURCE = argument('resource', "The resource, for example 'peer/Propose'.");

/** The commands for capabilities, ACLs and policies. */
export const RULE_COMMANDS: readonly Command[] = [
  editCommand(
    'capabilities set',
    'Replaces the capabilities of the channel, the orderers or the application.',
    {
      more: [
        argument('level', "'channel', 'orderer' or 'application'."),
        list('capability', "The capability, for example 'V3_0'."),
      ],
      load: async () => ({ run: (await import('./run.js')).capabilitiesSet }),
    },
  ),
  editCommand('acl set', 'Sets the policy that a resource of the peers requires.', {
    more: [RESOURCE, argument('policy', "The policy, for example '/Channel/Application/Writers'.")],
    load: async () => ({ run: (await import('./run.js')).aclSet }),
  }),
  editCommand('acl remove', 'Removes the policy of a resource.', {
    more: [RESOURCE],
    load: async () => ({ run: (await import('./run.js')).aclRemove }),
  }),
  editCommand('policy set', 'Sets a policy.', {
    more: [POLICY_PATH, argument('rule', `The rule: 'MAJORITY Admins', or "OR('Org1MSP.admin')".`)],
    load: async () => ({ run: (await import('./run.js')).policySet }),
  }),
  editCommand('policy remove', 'Removes a policy.', {
    more: [POLICY_PATH],
    load: async () => ({ run: (await import('./run.js')).policyRemove }),
  }),
  editCommand('mod-policy set', 'Sets the mod_policy of an element: who may change it.', {
    more: [
      argument('path', "The path of the group, value or policy, for example 'Orderer/BatchSize'."),
      argument('policy', "The policy, for example 'Admins' or '/Channel/Orderer/Admins'."),
    ],
    load: async () => ({ run: (await import('./run.js')).modPolicySet }),
  }),
];
