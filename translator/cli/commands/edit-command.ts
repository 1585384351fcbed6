// The commands that edit a channel config, as data.

import type { Argument, Command } from '../command.js';
import type { Flag } from '../flag.js';

const BLOCK: Argument = {
  name: 'block',
  help: 'The newest config block of the channel.',
  isRepeatable: false,
};
const argument = (name: string, help: string): Argument => ({ name, help, isRepeatable: false });
const list = (name: string, help: string): Argument => ({ name, help, isRepeatable: true });
const ORGANIZATION = argument('org', 'The name of the group of the organisation, or its MSP id.');
const ADDRESSES = list('host:port', 'The addresses.');
const CONSENTER = argument('host:port', 'The address of the consenter.');

const GROUP: Flag = {
  name: 'group',
  kind: 'string',
  help: "The group of the organisation: 'application' or 'orderer'.",
};
const MSP_FLAGS: readonly Flag[] = [
  {
    name: 'msp',
    kind: 'string',
    help: 'The MSP directory of the organisation, with cacerts, tlscacerts and config.yaml.',
  },
  { name: 'json', kind: 'input', help: "The organisation as JSON, the output of 'configtxgen -printOrg'." },
];
const CERTIFICATES: readonly Flag[] = [
  {
    name: 'tls-cert',
    kind: 'input',
    help: 'The TLS certificate of the consenter (PEM), as client and server.',
  },
  { name: 'server-tls-cert', kind: 'input', help: 'Its server certificate (PEM), if that is another one.' },
  { name: 'identity', kind: 'input', help: 'Its signing certificate (PEM); only for BFT.' },
];

/** A command whose output is an envelope. */
function editCommand(
  name: string,
  help: string,
  parts: {
    readonly more?: readonly Argument[];
    readonly flags?: readonly Flag[];
    readonly load: NonNullable<Command['load']>;
  },
): Command {
  const { more = [], flags = [], load } = parts;
  return {
    name,
    help,
    flags: [
      ...flags,
      {
        name: 'onto',
        kind: 'input',
        help: 'An unsigned config update for the same block; the output has its changes, too.',
      },
      {
        name: 'channel_id',
        kind: 'string',
        help: 'The name of the channel, if the block is a config without a header.',
      },
      {
        name: 'output',
        short: 'o',
        kind: 'output',
        fallback: '/dev/stdout',
        help: 'The file to write the unsigned envelope to; standard output must not be a terminal.',
      },
    ],
    argument: BLOCK,
    moreArguments: more,
    load,
  };
}

const EDIT = editCommand('edit', 'Edits the config of a channel and writes the unsigned config update.', {
  flags: [
    {
      name: 'set',
      kind: 'string',
      isRepeatable: true,
      help: "An edit PATH=VALUE, for example 'orderer.batchSize.maxMessageCount=50'; the path may be that of jq (may be repeated).",
    },
    {
      name: 'with',
      kind: 'input',
      help: 'The edited config: the JSON of the config or of the block, or the message.',
    },
  ],
  load: async () => ({ run: (await import('./edit/run.js')).edit }),
});

const ORGANIZATION_COMMANDS: readonly Command[] = [
  editCommand('org add', 'Adds an organisation.', {
    flags: [
      ...MSP_FLAGS,
      { name: 'mspid', kind: 'string', help: 'The id of the MSP; required with --msp.' },
      { name: 'name', kind: 'string', help: 'The name of the group; the id of the MSP if it is not given.' },
      GROUP,
      {
        name: 'endpoint',
        kind: 'string',
        isRepeatable: true,
        help: 'The address HOST:PORT of an orderer of the organisation (may be repeated).',
      },
    ],
    load: async () => ({ run: (await import('./org/run.js')).add }),
  }),
  editCommand('org remove', 'Removes an organisation.', {
    more: [ORGANIZATION],
    flags: [GROUP],
    load: async () => ({ run: (await import('./org/run.js')).remove }),
  }),
  editCommand('org set-msp', 'Replaces the MSP of an organisation, for example with new CA certificates.', {
    more: [ORGANIZATION],
    flags: [...MSP_FLAGS, GROUP],
    load: async () => ({ run: (await import('./org/run.js')).setMspOf }),
  }),
];

const ADDRESS_COMMANDS: readonly Command[] = [
  editCommand('anchor-peers set', 'Sets the anchor peers of an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./addresses/run.js')).anchorPeers('set') }),
  }),
  editCommand('anchor-peers add', 'Adds anchor peers to an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./addresses/run.js')).anchorPeers('add') }),
  }),
  editCommand('anchor-peers remove', 'Removes anchor peers of an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./addresses/run.js')).anchorPeers('remove') }),
  }),
  editCommand('endpoints set', 'Sets the addresses of the orderers of an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./addresses/run.js')).endpoints }),
  }),
];

const CONSENTER_COMMANDS: readonly Command[] = [
  editCommand('consenter add', 'Adds a consenter and its endpoint; with BFT, BlockValidation as well.', {
    more: [CONSENTER],
    flags: [
      ...CERTIFICATES,
      {
        name: 'org',
        kind: 'string',
        help: 'The organisation of the consenter, if the orderers have several.',
      },
      {
        name: 'endpoint',
        kind: 'string',
        help: 'The address HOST:PORT for peers and clients, if that is another one.',
      },
      { name: 'id', kind: 'string', help: 'The id of a BFT consenter; the next one if it is not given.' },
    ],
    load: async () => ({ run: (await import('./consenter/run.js')).add }),
  }),
  editCommand(
    'consenter remove',
    'Removes a consenter and its endpoint; with BFT, BlockValidation as well.',
    {
      more: [CONSENTER],
      flags: [
        {
          name: 'endpoint',
          kind: 'string',
          help: 'The address HOST:PORT for peers and clients, if that is another one.',
        },
      ],
      load: async () => ({ run: (await import('./consenter/run.js')).remove }),
    },
  ),
  editCommand(
    'consenter rotate',
    'Replaces certificates of a consenter; with BFT, BlockValidation as well.',
    {
      more: [CONSENTER],
      flags: CERTIFICATES,
      load: async () => ({ run: (await import('./consenter/run.js')).rotate }),
    },
  ),
];

const POLICY_PATH = argument('path', "The path of the policy, for example 'Application/Endorsement'.");
const RESOURCE = argument('resource', "The resource, for example 'peer/Propose'.");

const RULE_COMMANDS: readonly Command[] = [
  editCommand(
    'capabilities set',
    'Replaces the capabilities of the channel, the orderers or the application.',
    {
      more: [
        argument('level', "'channel', 'orderer' or 'application'."),
        list('capability', "The capability, for example 'V3_0'."),
      ],
      load: async () => ({ run: (await import('./rules/run.js')).capabilitiesSet }),
    },
  ),
  editCommand('acl set', 'Sets the policy that a resource of the peers requires.', {
    more: [RESOURCE, argument('policy', "The policy, for example '/Channel/Application/Writers'.")],
    load: async () => ({ run: (await import('./rules/run.js')).aclSet }),
  }),
  editCommand('acl remove', 'Removes the policy of a resource.', {
    more: [RESOURCE],
    load: async () => ({ run: (await import('./rules/run.js')).aclRemove }),
  }),
  editCommand('policy set', 'Sets a policy.', {
    more: [POLICY_PATH, argument('rule', `The rule: 'MAJORITY Admins', or "OR('Org1MSP.admin')".`)],
    load: async () => ({ run: (await import('./rules/run.js')).policySet }),
  }),
  editCommand('policy remove', 'Removes a policy.', {
    more: [POLICY_PATH],
    load: async () => ({ run: (await import('./rules/run.js')).policyRemove }),
  }),
  editCommand('mod-policy set', 'Sets the mod_policy of an element: who may change it.', {
    more: [
      argument('path', "The path of the group, value or policy, for example 'Orderer/BatchSize'."),
      argument('policy', "The policy, for example 'Admins' or '/Channel/Orderer/Admins'."),
    ],
    load: async () => ({ run: (await import('./rules/run.js')).modPolicySet }),
  }),
];

/** The commands that edit a channel config. */
export const EDIT_COMMANDS: readonly Command[] = [
  EDIT,
  ...ORGANIZATION_COMMANDS,
  ...ADDRESS_COMMANDS,
  ...CONSENTER_COMMANDS,
  ...RULE_COMMANDS,
];
