// `review`: its flags and arguments.

import { ALLOW } from '../../allowed.js';
import { argument, type Command } from '../../command.js';
import { FABRIC } from '../../fabric.js';
import { FORMAT } from '../../format.js';
import { BLOCK, withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const review: Command = {
  name: 'review',
  help: 'Reviews a config update: what it changes, who must sign, what orderers would refuse, and what they would accept although it is harmful. The worst finding decides the exit status: 2 if orderers would refuse it, 4 if it is dangerous, 3 if signatures are missing, 0 if none of these, 1 on any error.',
  flags: withNetworkFlags([
    BLOCK,
    {
      name: 'active',
      kind: 'string',
      help: 'The consenters that are alive: their number, or their addresses HOST:PORT,HOST:PORT; by default all, or with a network those that respond.',
    },
    FABRIC,
    {
      name: 'now',
      kind: 'string',
      help: 'The time to check certificates at, such as 2026-11-22T12:00:00Z, or seconds since 1970.',
    },
    {
      name: 'submitter',
      kind: 'input',
      help: "The certificate (PEM) of the party that will submit the file with 'peer channel update', which adds a signature.",
    },
    ALLOW,
    FORMAT,
    { name: 'json', kind: 'boolean', help: 'The same as --format json.' },
  ]),
  argument: argument(
    'file',
    'The envelope with the config update, or the config update itself; serialized or as JSON. Or a folder of such files.',
  ),
  load: () => import('./run.js'),
};
