// `org add`, `org remove` and `org set-msp`: their flags and arguments.

import type { Command } from '../../command.js';
import type { Flag } from '../../flag.js';
import { editCommand, ORGANIZATION } from '../edit-command.js';

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

/** The commands for organisations. */
export const ORGANIZATION_COMMANDS: readonly Command[] = [
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
    load: async () => ({ run: (await import('./run.js')).add }),
  }),
  editCommand('org remove', 'Removes an organisation.', {
    more: [ORGANIZATION],
    flags: [GROUP],
    load: async () => ({ run: (await import('./run.js')).remove }),
  }),
  editCommand('org set-msp', 'Replaces the MSP of an organisation, for example with new CA certificates.', {
    more: [ORGANIZATION],
    flags: [...MSP_FLAGS, GROUP],
    load: async () => ({ run: (await import('./run.js')).setMspOf }),
  }),
];
