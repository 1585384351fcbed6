// `sign`: its flags and arguments.

import { argument, type Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';

/** The command. */
export const sign: Command = {
  name: 'sign',
  help: "Signs a config update as 'peer channel signconfigtx' does: adds a signature and writes an envelope.",
  flags: [
    {
      name: 'msp',
      kind: 'string',
      isRequired: true,
      help: 'The MSP directory of the signer, with signcerts and keystore.',
    },
    { name: 'mspid', kind: 'string', help: 'The id of the MSP, for example Org1MSP.' },
    {
      name: 'block',
      kind: 'input',
      help: 'A config block of the channel; without --mspid, the MSP is the one whose CA issued the certificate.',
    },
    envelopeOutput('envelope'),
  ],
  argument: argument('file', 'The envelope with the config update, or the config update itself.'),
  load: () => import('./run.js'),
};
