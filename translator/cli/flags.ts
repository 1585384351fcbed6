// Flags and arguments that several commands have.

import {
  argument,
  flag,
  flagList,
  flagOr,
  requiredFlag,
  switchFlag,
  type FlagGroup,
  type Flag,
  type NamedFlag,
  type Values,
} from './command.js';
import {
  danger,
  duration,
  fabricVersions,
  inputPath,
  outputPath,
  source,
  text,
  time,
  trust,
} from './kinds.js';

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly NamedFlag[] = [
  {
    ...switchFlag('Show help for the program or the command (also try --help-long and --help-man).'),
    name: 'help',
  },
];

/** Flags that the help does not list. */
export const HIDDEN_FLAGS: readonly NamedFlag[] = [
  { ...switchFlag('Show help for all commands.'), name: 'help-long' },
  { ...switchFlag('Write a manual page.'), name: 'help-man' },
];

/** How a network is asked, and who asks or signs; of every command that reads a config. */
export const NETWORK = {
  title: 'Identity and network, for commands that sign or ask orderers',
  flags: {
    msp: flag(text, 'The MSP directory of the person who asks or signs, with signcerts and keystore.'),
    mspid: flag(text, 'The id of the MSP, for example Org1MSP.'),
    'tls-ca': flag(inputPath, 'The CA of the TLS certificates of the orderers (PEM).'),
    'tls-server-name': flag(
      text,
      'The host name in the TLS certificate of the orderer, if it is not that of the address.',
    ),
    'client-cert': flag(inputPath, 'The TLS client certificate (PEM), for orderers that require one.'),
    'client-key': flag(inputPath, 'Its private key (PEM).'),
    trust: flag(
      trust,
      'A config block of the channel that you have from elsewhere, such as its genesis block, or the SHA-256 of its header in hexadecimal: config blocks of orderers are only used if they lead back to it.',
    ),
    timeout: flag(duration, 'How long a call to an orderer may take; 10s if it is not given.'),
    profile: flag(
      inputPath,
      'A file with the values of these flags; configtxlator.yaml in the working directory if it exists.',
    ),
  },
} as const satisfies FlagGroup;

/** The values of the flags for networks. */
export type NetworkFlags = Values<typeof NETWORK>;

/** The file that a command reads. */
export const input = (help: string): Flag<string> => flagOr('/dev/stdin', inputPath, help);

/** The file that a command writes. */
export const output = (help: string, more: { readonly short?: string } = {}): Flag<string> =>
  flagOr('/dev/stdout', outputPath, help, more);

/** The file for an envelope. */
export const envelopeOutput = (envelope: string): Flag<string> =>
  output(`The file to write the ${envelope} to; standard output must not be a terminal.`, { short: 'o' });

/** The name of the type of a message. */
export const messageType = (purpose: string): Flag<string> =>
  requiredFlag(text, `The full name of the message type ${purpose}, for example 'common.Config'.`);

/** A config block. */
export const BLOCK = flag(
  source,
  'The newest config block of the channel, or its ledger or network, as for fetch; the network of the profile if it is not given.',
);

/** Blocks of a channel. */
export const BLOCKS = argument(
  text,
  "The folder of the channel in a node's ledger, which has blockfile_000000, or grpcs://HOST:PORT/CHANNEL with an orderer.",
);

/** Known dangers. */
export const ALLOW = flagList(
  danger,
  'The id of a known danger, for example policy-weakened. May be given more than once.',
);

/** The versions of the nodes. */
export const FABRIC = flag(
  fabricVersions,
  'The version of the nodes, or the versions, for example 3.1.5, or 2.5.12,3.1.5; by default the one of the profile, otherwise all.',
);

/** The time of checks. */
export const NOW = flag(
  time,
  'The time to check certificates at, such as 2026-11-22T12:00:00Z, or seconds since 1970.',
);

/** Of commands that write text or JSON. */
export const JSON_FLAG = switchFlag('Write JSON, which lists everything.');
