// `sign`: its flags and arguments.

import { ALLOW } from '../../allowed.js';
import { argument, type Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';
import { MSP, MSP_ID, withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const sign: Command = {
  name: 'sign',
  help: "Signs a config update as 'peer channel signconfigtx' does: adds a signature and writes an envelope. Shows what is signed on standard error; with --block, an update that orderers would refuse or that is dangerous is not signed.",
  flags: withNetworkFlags([
    MSP,
    MSP_ID,
    {
      name: 'block',
      kind: 'source',
      help: 'The newest config block of the channel, or its ledger or network: the update is reviewed before it is signed, and the MSP of the certificate is looked up or checked. With a folder and a network, each update is reviewed against the channel that it names.',
    },
    {
      name: 'expect',
      kind: 'string',
      help: 'The fingerprint that a review printed; another update is not signed.',
    },
    ALLOW,
    { name: 'quiet', kind: 'boolean', help: 'Do not show what is signed.' },
    envelopeOutput('envelope'),
  ]),
  argument: argument(
    'file',
    'The envelope with the config update, or the config update itself. Or a folder of them, which are signed in place: all of them, or none if one cannot be signed.',
  ),
  load: () => import('./run.js'),
};
