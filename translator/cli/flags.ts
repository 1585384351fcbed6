// Flags and arguments of several commands.

import {
  flag,
  flagList,
  flagOr,
  optionalArgument,
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

/** The network, and the identity that asks or signs; for every command that reads a config. */
export const NETWORK = {
  title: 'Identity and network, for commands that sign or ask orderers',
  help: 'A config block can be read from a file, from the folder of the channel in the ledger of a node, or from orderers: grpcs://HOST:PORT/CHANNEL, with commas between several HOST:PORT. Orderers respond only to members of the channel. The file configtxlator.yaml can contain the values of these flags, the address as network, and the versions of the nodes as fabric.',
  flags: {
    msp: flag(
      text,
      'The MSP directory of the user who asks or signs, with signcerts and keystore; or a PKCS #12 file, an identity of a wallet of the SDKs (JSON), or a PEM file with certificate and key.',
    ),
    mspid: flag(text, 'The id of the MSP, for example Org1MSP; an identity of a wallet contains it.'),
    'password-file': flag(
      inputPath,
      'A file with the password of an encrypted key, on its first line; /dev/stdin and <(…) are allowed. Without it, the password is asked for on the terminal.',
    ),
    'sign-with': flag(
      text,
      'A command that signs in place of a key of --msp, for example with a key in hardware. It gets the SHA-256 to sign on standard input, and prints the signature: DER, or r and s; as bytes, hexadecimal or base64.',
    ),
    'tls-ca': flag(inputPath, 'The CA of the TLS certificates of the orderers (PEM).'),
    'tls-server-name': flag(
      text,
      'The host name in the TLS certificate of the orderer, if it differs from the address.',
    ),
    'client-cert': flag(inputPath, 'The TLS client certificate (PEM), for orderers that require one.'),
    'client-key': flag(inputPath, 'The private key of the TLS client certificate (PEM).'),
    trust: flag(
      trust,
      'A config block of the channel from another source, such as its genesis block, or the SHA-256 of its header in hexadecimal: config blocks of orderers are only used if their chain leads back to it, and those of files only if they continue it.',
    ),
    timeout: flag(duration, 'The timeout of a call to an orderer; by default 10s.'),
    profile: flag(
      inputPath,
      'A file with the values of these flags; by default configtxlator.yaml in the working directory, if it exists.',
    ),
  },
} as const satisfies FlagGroup;

/** The values of the flags for networks. */
export type NetworkFlags = Values<typeof NETWORK>;

/** The input file of a command. */
export const input = (help: string): Flag<string> => flagOr('/dev/stdin', inputPath, help);

/** The output file of a command. */
export const output = (help: string, more: { readonly short?: string } = {}): Flag<string> =>
  flagOr('/dev/stdout', outputPath, help, more);

/** The output file for an envelope. */
export const envelopeOutput = (envelope: string): Flag<string> =>
  output(`The file to write the ${envelope} to; standard output must not be a terminal.`, { short: 'o' });

/** The name of a message type. */
export const messageType = (purpose: string): Flag<string> =>
  requiredFlag(text, `The full name of the message type ${purpose}, for example 'common.Config'.`);

/** A config block. */
export const BLOCK = flag(
  source,
  'The newest config block of the channel, or its ledger or network, as for fetch; by default the network of the profile.',
);

/** Blocks of a channel. */
export const BLOCKS = optionalArgument(
  text,
  "The folder of the channel in a node's ledger, which has blockfile_000000, or grpcs://HOST:PORT/CHANNEL with an orderer; by default the network of the profile.",
);

/** Accepted dangers. */
export const ALLOW = flagList(
  danger,
  'The id of a known danger, for example policy-weakened. May be given more than once.',
);

/** The versions of the nodes. */
export const FABRIC = flag(
  fabricVersions,
  'The version or versions of the nodes, for example 3.1.5, or 2.5.12,3.1.5; by default the versions in the profile, otherwise all.',
);

/** The time of checks. */
export const NOW = flag(
  time,
  'The time for which certificates are checked, such as 2026-11-22T12:00:00Z, or seconds since 1970.',
);

/** For commands that write text or JSON. */
export const JSON_FLAG = switchFlag('Write JSON, which lists everything.');
