// `consenter add`, `consenter remove` and `consenter rotate`: their flags and arguments.

import { argument, type Command } from '../../command.js';
import type { Flag } from '../../flag.js';
import { editCommand } from '../edit-command.js';

const CONSENTER = argument('host:port', 'The address of the consenter.');

const CERTIFICATES: readonly Flag[] = [
  {
    name: 'tls-cert',
    kind: 'input',
    help: 'The TLS certificate of the consenter (PEM), as client and server.',
  },
  { name: 'server-tls-cert', kind: 'input', help: 'Its server certificate (PEM), if that is another one.' },
  { name: 'identity', kind: 'input', help: 'Its signing certificate (PEM); only for BFT.' },
];

const ENDPOINT: Flag = {
  name: 'endpoint',
  kind: 'string',
  help: 'The address HOST:PORT for peers and clients, if that is another one.',
};

/** The commands for consenters. */
export const CONSENTER_COMMANDS: readonly Command[] = [
  editCommand('consenter add', 'Adds a consenter and its endpoint; with BFT, BlockValidation as well.', {
    more: [CONSENTER],
    flags: [
      ...CERTIFICATES,
      {
        name: 'org',
        kind: 'string',
        help: 'The organisation of the consenter, if the orderers have several.',
      },
      ENDPOINT,
      { name: 'id', kind: 'string', help: 'The id of a BFT consenter; the next one if it is not given.' },
    ],
    load: async () => ({ run: (await import('./run.js')).add }),
  }),
  editCommand(
    'consenter remove',
    'Removes a consenter and its endpoint; with BFT, BlockValidation as well.',
    {
      more: [CONSENTER],
      flags: [ENDPOINT],
      load: async () => ({ run: (await import('./run.js')).remove }),
    },
  ),
  editCommand(
    'consenter rotate',
    'Replaces certificates of a consenter; with BFT, BlockValidation as well.',
    {
      more: [CONSENTER],
      flags: CERTIFICATES,
      load: async () => ({ run: (await import('./run.js')).rotate }),
    },
  ),
];
