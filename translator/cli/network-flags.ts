// Flags of every command that reads a config: how a network is asked, and who asks.

import { argument } from './command.js';
import type { Flag } from './flag.js';

export const TLS_CA: Flag = {
  name: 'tls-ca',
  kind: 'input',
  help: 'The CA of the TLS certificates of the orderers (PEM).',
};
export const TLS_SERVER_NAME: Flag = {
  name: 'tls-server-name',
  kind: 'string',
  help: 'The host name in the TLS certificate of the orderer, if it is not that of the address.',
};
export const MSP: Flag = {
  name: 'msp',
  kind: 'string',
  help: 'The MSP directory of the person who asks or signs, with signcerts and keystore.',
};
export const MSP_ID: Flag = {
  name: 'mspid',
  kind: 'string',
  help: 'The id of the MSP, for example Org1MSP.',
};
export const CLIENT_CERT: Flag = {
  name: 'client-cert',
  kind: 'input',
  help: 'The TLS client certificate (PEM), for orderers that require one.',
};
export const CLIENT_KEY: Flag = { name: 'client-key', kind: 'input', help: 'Its private key (PEM).' };
export const PROFILE: Flag = {
  name: 'profile',
  kind: 'input',
  help: 'A file with the values of these flags; configtxlator.yaml in the working directory if it exists.',
};

export const TIMEOUT: Flag = {
  name: 'timeout',
  kind: 'string',
  help: 'How long a call to an orderer may take; 10s if it is not given.',
};

/** In the order of the help. */
export const NETWORK_FLAGS: readonly Flag[] = [
  MSP,
  MSP_ID,
  TLS_CA,
  TLS_SERVER_NAME,
  CLIENT_CERT,
  CLIENT_KEY,
  TIMEOUT,
  PROFILE,
];

/** The flags of a command, and those for a network that have other names. */
export const withNetworkFlags = (flags: readonly Flag[]): readonly Flag[] => [
  ...flags,
  ...NETWORK_FLAGS.filter(({ name }) => !flags.some((flag) => flag.name === name)),
];

/** Blocks of a channel. */
export const BLOCKS = argument(
  'source',
  "The folder of the channel in a node's ledger, which has blockfile_000000, or grpcs://HOST:PORT/CHANNEL with an orderer.",
);

/** A config block. */
export const BLOCK: Flag = {
  name: 'block',
  kind: 'source',
  help: 'The newest config block of the channel, or its ledger or network, as for fetch; the network of the profile if it is not given.',
};
