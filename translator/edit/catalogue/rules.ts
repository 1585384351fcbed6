// Edits of the rules of a channel: capabilities, ACLs, policies and mod_policies.

import { defineEdit, type Field } from './field.js';

const RESOURCE = {
  kind: 'text',
  argument: 'resource',
  label: 'resource',
  hint: 'peer/Propose',
  help: "The resource, for example 'peer/Propose'.",
} as const satisfies Field;

const POLICY_PATH = {
  kind: 'text',
  argument: 'path',
  label: 'policy',
  hint: '/Channel/Application/Admins',
  help: "The path of the policy, for example 'Application/Endorsement'.",
  offer: 'policies',
} as const satisfies Field;

/** In the order of the help. */
export const RULE_EDITS = [
  defineEdit({
    name: 'capabilities set',
    title: 'Set capabilities',
    help: 'Replaces the capabilities of the channel, the orderers or the application.',
    example: 'capabilities set config_block.pb channel V3_0 -o u.pb',
    fields: {
      level: {
        kind: 'choice',
        argument: 'level',
        choices: ['channel', 'orderer', 'application'],
        label: 'of',
        help: "'channel', 'orderer' or 'application'.",
      },
      names: {
        kind: 'list',
        argument: 'capability',
        label: 'capabilities',
        hint: 'V2_0',
        help: "The capability, for example 'V3_0'.",
      },
    },
    load: async () => {
      const { setCapabilities } = await import('../capabilities.js');
      return (config, { level, names }) => setCapabilities(config, level, names);
    },
  }),
  defineEdit({
    name: 'acl set',
    title: 'Set an ACL',
    help: 'Sets the policy that a resource of the peers requires.',
    example: 'acl set config_block.pb peer/Propose Writers -o u.pb',
    fields: {
      resource: { ...RESOURCE, offer: 'resources', isOpen: true },
      policy: {
        kind: 'text',
        argument: 'policy',
        label: 'policy',
        hint: '/Channel/Application/Writers',
        help: "The policy, for example '/Channel/Application/Writers'.",
        offer: 'policies',
        isOpen: true,
      },
    },
    load: async () => {
      const { setAcl } = await import('../acl.js');
      return (config, { resource, policy }) => setAcl(config, resource, policy);
    },
  }),
  defineEdit({
    name: 'acl remove',
    title: 'Remove an ACL',
    help: 'Removes the policy of a resource.',
    example: 'acl remove config_block.pb peer/Propose -o u.pb',
    fields: { resource: { ...RESOURCE, offer: 'acls' } },
    load: async () => {
      const { removeAcl } = await import('../acl.js');
      return (config, { resource }) => removeAcl(config, resource);
    },
  }),
  defineEdit({
    name: 'policy set',
    title: 'Set a policy',
    help: 'Sets a policy.',
    example: "policy set block.pb Application/Admins 'ANY Admins' -o u.pb",
    fields: {
      path: { ...POLICY_PATH, isOpen: true },
      rule: {
        kind: 'text',
        argument: 'rule',
        label: 'rule',
        hint: "MAJORITY Admins, or OR('Org1MSP.admin')",
        help: `The rule: 'MAJORITY Admins', or "OR('Org1MSP.admin')".`,
      },
    },
    load: async () => {
      const { setPolicy } = await import('../policy.js');
      return (config, { path, rule }) => setPolicy(config, path, rule);
    },
  }),
  defineEdit({
    name: 'policy remove',
    title: 'Remove a policy',
    help: 'Removes a policy.',
    example: 'policy remove config_block.pb Application/Endorsement -o u.pb',
    fields: { path: POLICY_PATH },
    load: async () => {
      const { removePolicy } = await import('../policy.js');
      return (config, { path }) => removePolicy(config, path);
    },
  }),
  defineEdit({
    name: 'mod-policy set',
    title: 'Set a mod_policy',
    help: 'Sets the mod_policy of an element, which decides who may change it.',
    example: 'mod-policy set block.pb Orderer/BatchSize Admins -o u.pb',
    fields: {
      path: {
        kind: 'text',
        argument: 'path',
        label: 'element',
        hint: '/Channel/Orderer/BatchSize',
        help: "The path of the group, value or policy, for example 'Orderer/BatchSize'.",
      },
      policy: {
        kind: 'text',
        argument: 'policy',
        label: 'policy',
        hint: 'Admins',
        help: "The policy, for example 'Admins' or '/Channel/Orderer/Admins'.",
        offer: 'policies',
        isOpen: true,
      },
    },
    load: async () => {
      const { setModPolicy } = await import('../policy.js');
      return (config, { path, policy }) => setModPolicy(config, path, policy);
    },
  }),
] as const;
