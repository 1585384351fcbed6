// `submit`: its flags and arguments.

import { ALLOW } from '../../allowed.js';
import { argument, type Command } from '../../command.js';
import { FABRIC } from '../../fabric.js';
import { withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const submit: Command = {
  name: 'submit',
  help: 'Submits a signed config update to the orderers of a channel and waits until enough of them have it. It is reviewed first, and not sent if orderers would refuse it (exit status 2), if signatures are missing (3) or if it is dangerous (4).',
  flags: withNetworkFlags([
    {
      name: 'to',
      kind: 'source',
      help: 'The channel: grpcs://HOST:PORT/CHANNEL, with commas between several orderers; the network of the profile if it is not given.',
    },
    ALLOW,
    FABRIC,
    {
      name: 'wait',
      kind: 'string',
      fallback: '60s',
      help: 'How long to wait for the block with the update, such as 30s or 5m.',
    },
    { name: 'quiet', kind: 'boolean', help: 'Do not show the review of an update that is sent.' },
  ]),
  argument: argument(
    'file',
    'The envelope with the signed config update, or a folder of them: each goes to the channel that it names.',
  ),
  load: () => import('./run.js'),
};
