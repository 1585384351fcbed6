// The commands and their flags, as data: used to parse arguments and to generate help.

import type { Command } from '../command.js';
import { EDIT_COMMANDS } from './edit-command.js';
import type { Flag } from '../flag.js';

/** The description of the program. */
export const PROGRAM_HELP = 'Translates Hyperledger Fabric channel configuration between protobuf and JSON.';

const type = (purpose: string): Flag => ({
  name: 'type',
  kind: 'string',
  isRequired: true,
  help: `The full name of the message type ${purpose}, for example 'common.Config'.`,
});
const input = (help: string): Flag => ({ name: 'input', kind: 'input', fallback: '/dev/stdin', help });
const output = (help: string): Flag => ({ name: 'output', kind: 'output', fallback: '/dev/stdout', help });

const ENVELOPE_OUTPUT: Flag = {
  ...output('The file to write the envelope to; standard output must not be a terminal.'),
  short: 'o',
};

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'help',
    kind: 'boolean',
    help: 'Show help for the program or the command (also try --help-long and --help-man).',
  },
];

/** Flags that the help does not list. */
export const HIDDEN_FLAGS: readonly Flag[] = [
  { name: 'help-long', kind: 'boolean', help: 'Show help for all commands.' },
  { name: 'help-man', kind: 'boolean', help: 'Write a manual page.' },
];

const START_FLAGS: readonly Flag[] = [
  {
    name: 'hostname',
    kind: 'string',
    fallback: '0.0.0.0',
    help: 'The address to listen on; empty: all addresses.',
  },
  { name: 'port', kind: 'port', fallback: '7059', help: 'The port to listen on; 0: any free port.' },
  {
    name: 'CORS',
    kind: 'string',
    isRepeatable: true,
    help: "An origin whose pages may call the service, or '*' for all origins (may be repeated).",
  },
  { name: 'max-body', kind: 'size', fallback: '100MB', help: 'The maximum size of a request body.' },
  {
    name: 'max-output',
    kind: 'size',
    help: 'The maximum size of the JSON that a request can be decoded to; by default four times --max-body.',
  },
  {
    name: 'tls-cert',
    kind: 'input',
    help: 'The server certificate (PEM). The service then accepts only TLS connections.',
  },
  { name: 'tls-key', kind: 'input', help: 'The private key of the server certificate (PEM).' },
  {
    name: 'tls-client-ca',
    kind: 'input',
    isRepeatable: true,
    help: 'A CA certificate (PEM). Clients must then present a certificate issued by one of these CAs (may be repeated).',
  },
];

const REVIEW_FLAGS: readonly Flag[] = [
  { name: 'block', kind: 'input', isRequired: true, help: 'The newest config block of the channel.' },
  { name: 'active', kind: 'string', help: 'The number of consenters that are alive; by default all.' },
  {
    name: 'fabric',
    kind: 'string',
    fallback: '3.0',
    help: 'The version of the orderers, 2.5 or 3.0.',
  },
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
  { name: 'json', kind: 'boolean', help: 'Write JSON, which lists everything.' },
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'help',
    help: 'Show help.',
    flags: [],
    argument: { name: 'command', help: 'The command to show help for.', isRepeatable: true },
  },
  {
    name: 'start',
    help: 'Serve the translator over HTTP.',
    flags: START_FLAGS,
    load: () => import('./start/run.js'),
  },
  {
    name: 'proto_encode',
    help: 'Converts a JSON document to a serialized message.',
    flags: [
      type('to encode to'),
      input('The file with the JSON document.'),
      output('The file to write the message to.'),
    ],
    load: () => import('./proto-encode/run.js'),
  },
  {
    name: 'proto_decode',
    help: 'Converts a serialized message to a JSON document.',
    flags: [
      type('to decode from'),
      input('The file with the message.'),
      output('The file to write the JSON document to.'),
    ],
    load: () => import('./proto-decode/run.js'),
  },
  {
    name: 'compute_update',
    help: "Computes the config update between two serialized messages of type 'common.Config'.",
    flags: [
      { name: 'original', kind: 'input', help: 'The current config.' },
      { name: 'updated', kind: 'input', help: 'The desired config.' },
      { name: 'channel_id', kind: 'string', isRequired: true, help: 'The name of the channel.' },
      output("The file to write the update to, a serialized 'common.ConfigUpdate'."),
    ],
    load: () => import('./compute-update/run.js'),
  },
  ...EDIT_COMMANDS,
  {
    name: 'show',
    help: 'Shows a channel, or a config update, on one screen.',
    flags: [{ name: 'json', kind: 'boolean', help: 'Write JSON, which lists everything.' }],
    argument: {
      name: 'file',
      help: 'A config block, a config, an envelope with a config update, or a config update; serialized or as JSON.',
      isRepeatable: false,
    },
    load: () => import('./show/run.js'),
  },
  {
    name: 'review',
    help: 'Reviews a config update: what it changes, who must sign, what orderers would refuse, and what they would accept with damage. The exit status is 0 if all is well, 2 if orderers would refuse it, 3 if signatures are missing, 4 if it is dangerous, 1 on any error.',
    flags: REVIEW_FLAGS,
    argument: {
      name: 'file',
      help: 'The envelope with the config update, or the config update itself; serialized or as JSON.',
      isRepeatable: false,
    },
    load: () => import('./review/run.js'),
  },
  {
    name: 'verify',
    help: 'Says whether a config update is in a config block. The exit status is 0 if it is, 3 if it is not, 1 on any error.',
    flags: [
      {
        name: 'block',
        kind: 'input',
        isRequired: true,
        help: 'A config block that is newer than the update.',
      },
    ],
    argument: {
      name: 'file',
      help: 'The envelope with the config update, or the config update itself.',
      isRepeatable: false,
    },
    load: () => import('./verify/run.js'),
  },
  {
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
      ENVELOPE_OUTPUT,
    ],
    argument: {
      name: 'file',
      help: 'The envelope with the config update, or the config update itself.',
      isRepeatable: false,
    },
    load: () => import('./sign/run.js'),
  },
  {
    name: 'merge',
    help: 'Merges the signatures of several people on the same config update into one envelope.',
    flags: [
      {
        name: 'block',
        kind: 'input',
        help: 'The newest config block of the channel: signatures are put into an order that satisfies its policies, where there is one.',
      },
      ENVELOPE_OUTPUT,
    ],
    argument: { name: 'file', help: 'The signed envelopes.', isRepeatable: true },
    load: () => import('./merge/run.js'),
  },
  {
    name: 'types',
    help: 'Lists the message types.',
    flags: [],
    argument: {
      name: 'pattern',
      help: "List only the types whose name contains this text, or matches it if it has a '*' or '?'. Upper and lower case are equal.",
      isRepeatable: false,
    },
    load: () => import('./types/run.js'),
  },
  { name: 'version', help: 'Show the version.', flags: [], load: () => import('./version/run.js') },
];
