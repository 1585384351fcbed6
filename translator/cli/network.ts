// Opens the network that an argument names.

import { createHash } from 'node:crypto';
import { readCertificates, readKeyPair, type KeyPair } from '../../core/common/certificates/tls-files.js';
import { readConfigFile, type ConfigFile } from '../config/file.js';
import { dayText, nameText } from '../describe/certificate.js';
import type { SigningIdentity } from '../sign/signing-identity.js';
import { parseNetworkAddress, type NetworkAddress } from '../source/network/address.js';
import type { OrdererProgress } from '../review/facts/orderers.js';
import { lackingText } from '../source/network/heights.js';
import { Network, type Asking } from '../source/network/network.js';
import { openOrderer, type Orderer } from '../source/network/orderer.js';
import { blockBytes } from '../source/stored-block.js';
import type { Process } from './context.js';
import { asCommandError, CommandError, UsageError } from './errors.js';
import type { Flag } from './flag.js';
import { readMspDirectory, signingIdentityOf } from './msp-directory.js';
import { CLIENT_CERT, CLIENT_KEY, MSP, MSP_ID, TIMEOUT, TLS_CA, TLS_SERVER_NAME } from './network-flags.js';
import { printNote } from './output.js';
import { noteProfile, readProfile, sharedValue } from './profile.js';
import { secondsOf } from './time.js';
import type { Values } from './values.js';

/** A network that can be asked. */
export interface Contact {
  readonly address: NetworkAddress;
  readonly asking: Asking & { readonly signer: SigningIdentity };
  /** @param cas of its TLS certificate, in PEM; those of `--tls-ca` if they are not given */
  readonly open: (orderer: string, cas?: Uint8Array) => Promise<Orderer>;
}

/** Reads what the flags and the profile name. @throws CommandError */
export async function contactOf(text: string, values: Values, process: Process): Promise<Contact> {
  return asCommandError(async () => {
    const address = parseNetworkAddress(text);
    const profile = await readProfile(values);
    noteProfile(values, profile, process);
    const valueOf = (flag: Flag): string | undefined => sharedValue(values, profile, flag);
    const cas = address.isTls ? readCas(valueOf(TLS_CA)) : undefined;
    const client = address.isTls ? readClient(valueOf(CLIENT_CERT), valueOf(CLIENT_KEY)) : undefined;
    const signer = await signerOf(valueOf(MSP), valueOf(MSP_ID));
    const clientCertificateHash = client && createHash('sha256').update(client.certificates[0].raw).digest();
    const serverName = valueOf(TLS_SERVER_NAME);
    const timeout = 1000 * secondsOf('timeout', valueOf(TIMEOUT) ?? '10s');
    return {
      address,
      asking: { channel: address.channel, signer, clientCertificateHash },
      open: (orderer, own = cas) =>
        openOrderer({
          address: orderer,
          cas: own,
          serverName: own === cas ? serverName : undefined,
          client: client && { certificate: Buffer.from(client.cert), key: Buffer.from(client.key) },
          timeout,
        }),
    };
  });
}

/** Opens a network for a call. @throws CommandError */
export async function withNetwork<Result>(
  text: string,
  values: Values,
  process: Process,
  call: (network: Network) => Promise<Result>,
): Promise<Result> {
  const { address, asking, open } = await contactOf(text, values, process);
  return asCommandError(async () => {
    const given = await Promise.all(address.orderers.map((each) => open(each)));
    const network = new Network(given, asking, async (each, cas) =>
      open(each, address.isTls ? cas : undefined),
    );
    try {
      const result = await call(network);
      const lacking = network.heights && lackingText(network.heights);
      if (lacking !== undefined) printNote(lacking, process);
      return result;
    } finally {
      network.close();
    }
  });
}

/** The newest config, and how far each orderer of the channel is. @throws CommandError */
export const newestIn = async (
  text: string,
  values: Values,
  process: Process,
): Promise<ConfigFile & { readonly orderers: readonly OrdererProgress[] }> =>
  withNetwork(text, values, process, async (network) => ({
    ...readConfigFile(blockBytes(await network.newestConfig())),
    orderers: network.progress,
  }));

function readCas(file: string | undefined): Uint8Array {
  if (file === undefined)
    throw new UsageError('the CA of the TLS certificate of the orderer is needed: --tls-ca FILE');
  return onFile(() => Buffer.from(readCertificates(file, '--tls-ca').pem));
}

function readClient(cert: string | undefined, key: string | undefined): KeyPair | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('a client certificate needs its private key: --client-cert FILE --client-key FILE');
  return onFile(() => readKeyPair({ cert, key }, { cert: '--client-cert', key: '--client-key' }));
}

async function signerOf(msp: string | undefined, mspid: string | undefined): Promise<SigningIdentity> {
  if (msp === undefined || mspid === undefined)
    throw new UsageError('orderers respond to members of the channel only: --msp DIR --mspid ID');
  const signer = await signingIdentityOf(readMspDirectory(msp), mspid);
  const { notAfter, subject } = signer.certificate;
  if (notAfter < new Date())
    throw new CommandError(
      `${msp}: ${nameText(subject)} expired on ${dayText(notAfter)}: orderers do not respond to it`,
    );
  return signer;
}

/** @throws CommandError */
function onFile<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new CommandError((error as Error).message, { cause: error });
  }
}
