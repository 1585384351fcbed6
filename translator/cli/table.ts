// The commands and their flags, as data: arguments are read by it and help texts are made from it.

import type { Context } from './context.js';
import type { Values } from './values.js';

/** What a flag takes: nothing, any text, a file to read, a file to write, a port, or a size in bytes. */
export type FlagKind = 'switch' | 'text' | 'input' | 'output' | 'port' | 'size';

/** A flag, written `--name value` or `--name=value`. */
export interface Flag {
  readonly name: string;
  readonly kind: FlagKind;
  readonly help: string;
  /** Its value where it is not given. */
  readonly fallback?: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** An argument beside the flags. */
export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly isRepeatable: boolean;
}

/** A command. */
export interface Command {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly Flag[];
  readonly argument?: Argument;
  /** Imports what the command needs; absent for `help`, which needs only this table. */
  readonly load?: () => Promise<{ run: (values: Values, context: Context) => Promise<void> | void }>;
}

/** One line about the program. */
export const PROGRAM_HELP = 'Translates Hyperledger Fabric channel configuration between protobuf and JSON.';

const type = (what: string): Flag => ({
  name: 'type',
  kind: 'text',
  isRequired: true,
  help: `The full name of the message type ${what}, such as 'common.Config'.`,
});
const input = (what: string): Flag => ({ name: 'input', kind: 'input', fallback: '/dev/stdin', help: what });
const output = (what: string): Flag => ({
  name: 'output',
  kind: 'output',
  fallback: '/dev/stdout',
  help: what,
});

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'help',
    kind: 'switch',
    help: 'Show help for what stands before it (also try --help-long and --help-man).',
  },
];

/** Flags that are not shown. */
export const HIDDEN_FLAGS: readonly Flag[] = [
  { name: 'help-long', kind: 'switch', help: 'Show the help of all commands.' },
  { name: 'help-man', kind: 'switch', help: 'Write a manual page.' },
];

/** All commands, in the order in which help shows them. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'help',
    help: 'Show help.',
    flags: [],
    argument: { name: 'command', help: 'Show help of this command.', isRepeatable: true },
  },
  {
    name: 'start',
    help: 'Serve the translator over HTTP',
    flags: [
      {
        name: 'hostname',
        kind: 'text',
        fallback: '0.0.0.0',
        help: 'The address to listen on; empty: all of them.',
      },
      { name: 'port', kind: 'port', fallback: '7059', help: 'The port to listen on; 0: any that is free.' },
      {
        name: 'CORS',
        kind: 'text',
        isRepeatable: true,
        help: "An origin whose pages may use the service, or '*' for all; may be given several times.",
      },
      {
        name: 'max-body',
        kind: 'size',
        fallback: '100MB',
        help: 'The largest request body that is accepted.',
      },
      {
        name: 'tls-cert',
        kind: 'input',
        help: 'The certificate of the service, PEM; it then speaks only TLS.',
      },
      { name: 'tls-key', kind: 'input', help: 'The private key of the certificate, PEM.' },
      {
        name: 'tls-client-ca',
        kind: 'input',
        isRepeatable: true,
        help: 'An authority, PEM; every client must then show a certificate of one of them.',
      },
    ],
    load: () => import('./start.js'),
  },
  {
    name: 'proto_encode',
    help: 'Turns a JSON document into a serialized message.',
    flags: [
      type('to encode to'),
      input('A file with the JSON document.'),
      output('The file to write the message to.'),
    ],
    load: () => import('./encode.js'),
  },
  {
    name: 'proto_decode',
    help: 'Turns a serialized message into a JSON document.',
    flags: [
      type('to decode from'),
      input('A file with the message.'),
      output('The file to write the JSON document to.'),
    ],
    load: () => import('./decode.js'),
  },
  {
    name: 'compute_update',
    help: "Computes the update between two serialized messages of type 'common.Config'.",
    flags: [
      { name: 'original', kind: 'input', help: 'The configuration as it is.' },
      { name: 'updated', kind: 'input', help: 'The configuration as it shall be.' },
      { name: 'channel_id', kind: 'text', isRequired: true, help: 'The name of the channel of the update.' },
      output("The file to write the update to, a serialized 'common.ConfigUpdate'."),
    ],
    load: () => import('./compute.js'),
  },
  {
    name: 'types',
    help: 'Lists the message types.',
    flags: [],
    argument: {
      name: 'pattern',
      help: "Only types whose name contains this, or matches it where it holds '*' or '?'.",
      isRepeatable: false,
    },
    load: () => import('./types.js'),
  },
  { name: 'version', help: 'Shows the version.', flags: [], load: () => import('./version.js') },
];
