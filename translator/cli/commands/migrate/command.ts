// `migrate bft` and `migrate status`: their flags and arguments.

import { ALLOW } from '../../allowed.js';
import { list, type Command } from '../../command.js';
import { JSON_FLAG } from '../../format.js';
import { withNetworkFlags } from '../../network-flags.js';

const SOURCES = list(
  'channel',
  'The newest config block of each channel, or its ledger or network, as for fetch.',
);

/** The commands for migrations. */
export const MIGRATE_COMMANDS: readonly Command[] = [
  {
    name: 'migrate bft',
    help: 'Writes the config updates that move channels from Raft to BFT, a folder for each step, and prints what to do between them. It changes nothing by itself.',
    flags: withNetworkFlags([
      {
        name: 'identity',
        kind: 'string',
        isRepeatable: true,
        help: 'CONSENTER=FILE: the certificate (PEM) that the orderer of a consenter signs with. The consenter is its HOST:PORT or its position in the list (may be repeated).',
      },
      {
        name: 'sign',
        kind: 'boolean',
        help: 'Sign each update, with the identity of --msp or the profile.',
      },
      ALLOW,
      {
        name: 'output',
        kind: 'string',
        short: 'o',
        isRequired: true,
        help: 'The folder to write to; it is created.',
      },
    ]),
    argument: SOURCES,
    load: async () => ({ run: (await import('./run.js')).bft }),
  },
  {
    name: 'migrate status',
    help: 'Says for each channel, and for each of its orderers, how far the migration to BFT is, and what is next.',
    flags: withNetworkFlags([JSON_FLAG]),
    argument: SOURCES,
    load: async () => ({ run: (await import('./run.js')).status }),
  },
];
