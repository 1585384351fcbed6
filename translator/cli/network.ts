// Opens the network that an argument names.

import { readCertificates, readKeyPair, type KeyPair } from '../../core/common/certificates/tls-files.js';
import { readConfigFile, type ConfigFile } from '../channel/index.js';
import { dayText } from '../documents/index.js';
import { nameText } from '../msp/index.js';
import { blockBytes } from '../ledger/index.js';
import {
  anchoredText,
  lackingText,
  Network,
  trustedBlock,
  type Anchored,
  type Heights,
  type Trusted,
} from '../orderer/index.js';
import type { OrdererProgress } from '../review/index.js';
import type { SigningIdentity } from '../sign/index.js';
import { asCommandError, CommandError, UsageError, withPrefix } from './errors.js';
import { printNote, printWarning, readInput } from './files.js';
import type { NetworkFlags } from './flags.js';
import type { Io } from './io.js';
import { duration, isHash } from './kinds.js';
import { commandIdentityOf, readMspDirectory, signingIdentityOf } from './msp.js';
import { parseNetworkAddress } from './network-address.js';
import { noteProfile, readProfile } from './profile.js';

/** Advice if an orderer and the address differ in TLS. */
const SCHEME = {
  'no-tls': 'write grpc:// in place of grpcs://',
  'needs-tls': 'write grpcs:// in place of grpc://',
} as const;

/** Advice if the flags do not match the certificate of an orderer. Other orderers are verified with the CAs and names in the channel. */
const FLAGS = {
  'other-ca': 'give its CA with --tls-ca',
  'other-name': '--tls-server-name names it',
} as const;

/** Opens a network as the flags and the profile say. @throws CommandError */
export async function connectTo(text: string, network: NetworkFlags, process: Io): Promise<Network> {
  const { channel, orderers, isTls } = parseNetworkAddress(text);
  const profile = await readProfile(network);
  noteProfile(network, profile, process);
  const valueOf = (name: Exclude<keyof NetworkFlags, 'timeout'>): string | undefined =>
    network[name] ?? profile.get(name);
  const cas = isTls ? readCas(valueOf('tls-ca')) : undefined;
  const client = isTls ? readClient(valueOf('client-cert'), valueOf('client-key')) : undefined;
  const identity = { msp: valueOf('msp'), mspid: valueOf('mspid'), passwordFile: valueOf('password-file') };
  const signer = await signerOf({ ...identity, command: network['sign-with'] }, process);
  const serverName = valueOf('tls-server-name');
  const trusted = readTrusted(valueOf('trust'), channel, process);
  const seconds = network.timeout ?? duration.parse(profile.get('timeout') ?? '10s', 'timeout', process);
  return Network.connect({
    channel,
    orderers,
    signer,
    ...(cas !== undefined && {
      tls: {
        cas,
        serverName,
        client: client && { certificate: Buffer.from(client.cert), key: Buffer.from(client.key) },
      },
    }),
    trusted,
    timeout: 1000 * seconds,
    advice: (isGiven) => (isGiven ? { ...SCHEME, ...FLAGS } : SCHEME),
  });
}

/** Opens a network for a call. @throws CommandError */
export async function withNetwork<Result>(
  text: string,
  flags: NetworkFlags,
  process: Io,
  call: (network: Network) => Promise<Result>,
): Promise<Result> {
  const network = await connectTo(text, flags, process);
  try {
    const result = await call(network);
    if (network.heights !== undefined) printHeights(network.heights, process);
    return result;
  } finally {
    network.close();
  }
}

/** Notes how the newest config block is anchored, and which orderers do not have the block that is used. */
export function printHeights(heights: Heights, process: Io): void {
  const print = heights.anchored === 'no' ? printWarning : printNote;
  print(anchoredText(heights), process);
  const lacking = lackingText(heights);
  if (lacking !== undefined) printNote(lacking, process);
}

/** A config from a network. */
interface NetworkConfig {
  /** The serialized block. */
  readonly input: Uint8Array;
  /** The progress of each orderer of the channel. */
  readonly orderers: readonly OrdererProgress[];
  readonly anchored: Anchored;
}

/** The newest config of a network. @throws CommandError */
export const newestIn = async (
  text: string,
  flags: NetworkFlags,
  process: Io,
): Promise<ConfigFile & NetworkConfig> =>
  withNetwork(text, flags, process, async (network) => {
    const block = await network.newestConfig();
    const input = blockBytes(block);
    return {
      ...readConfigFile(input),
      input,
      orderers: network.progress,
      anchored: network.anchoredAt(block.number),
    };
  });

/** @throws CommandError if the file is not a config block of the channel */
function readTrusted(given: string | undefined, channel: string, process: Io): Trusted | undefined {
  if (given === undefined) return undefined;
  if (isHash(given)) return { hash: given.toLowerCase() };
  return withPrefix(`--trust ${given}`, () => trustedBlock(readInput(given, process), channel));
}

function readCas(file: string | undefined): Uint8Array {
  if (file === undefined)
    throw new UsageError('the CA of the TLS certificate of the orderer is needed: --tls-ca FILE');
  return asCommandError(() => Buffer.from(readCertificates(file, '--tls-ca').pem));
}

function readClient(cert: string | undefined, key: string | undefined): KeyPair | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('a client certificate needs its private key: --client-cert FILE --client-key FILE');
  return asCommandError(() => readKeyPair({ cert, key }, { cert: '--client-cert', key: '--client-key' }));
}

async function signerOf(
  {
    msp,
    mspid,
    passwordFile,
    command,
  }: Readonly<Record<'msp' | 'mspid' | 'passwordFile' | 'command', string | undefined>>,
  process: Io,
): Promise<SigningIdentity> {
  const needed = 'orderers respond to members of the channel only: --msp DIR --mspid ID';
  if (msp === undefined) throw new UsageError(needed);
  const directory = await readMspDirectory(msp, passwordFile, process, command === undefined);
  const id = mspid ?? directory.mspid;
  if (id === undefined) throw new UsageError(needed);
  const signer =
    command === undefined
      ? await signingIdentityOf(directory, id)
      : await commandIdentityOf(directory, id, command, process);
  const { notAfter, subject } = signer.certificate;
  if (notAfter < new Date())
    throw new CommandError(
      `${msp}: ${nameText(subject)} expired on ${dayText(notAfter)}: orderers do not respond to it`,
    );
  return signer;
}
