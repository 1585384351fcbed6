// The identity of `--msp`, and the MSP of a certificate in a channel.

import { statSync } from 'node:fs';
import { attempt } from '../../proto/errors.js';
import type { Config } from '../channel/index.js';
import { readSignerFiles, type SignerFiles } from '../msp-folder.js';
import { setupChannelMsps, membershipProblem, mspIdsOf } from '../msp/index.js';
import {
  findSigningIdentity,
  isEncryptedKey,
  isPkcs12,
  readPkcs12,
  readSigner,
  signatureOf,
  type SigningIdentity,
} from '../sign/index.js';
import { CommandError, withPrefix } from './errors.js';
import { readInput } from './files.js';
import type { Io } from './io.js';

/** The content of `--msp`, as PEM: an MSP directory, or a file with an identity. */
export type MspDirectory = SignerFiles & {
  readonly path: string;
  /** The id of the MSP, in an identity of a wallet. */
  readonly mspid?: string | undefined;
  readonly password?: string | undefined;
};

/** A key in hardware has no file. */
const ELSEWHERE =
  'if the private key is in hardware, sign with --sign-with COMMAND, or with --digest and --signature';

/**
 * Reads the MSP directory, the PKCS #12 file, the identity of a wallet, or the PEM file with certificate and key of a person.
 *
 * @param passwordFile the path of the file with the password of an encrypted key; undefined: the password is asked for on the terminal
 * @param needsKeys whether a missing key is an error
 * @throws CommandError if a certificate or all keys are missing
 */
export async function readMspDirectory(
  path: string,
  passwordFile: string | undefined,
  process: Io,
  needsKeys = true,
): Promise<MspDirectory> {
  if (path.startsWith('pkcs11:'))
    throw new CommandError(`--msp ${path}: configtxlator reads keys from files; ${ELSEWHERE}`);
  const given = passwordFile === undefined ? undefined : readPassword(passwordFile, process);
  const askPassword = async (what: string): Promise<string> => {
    if (process.askPassword === undefined)
      throw new CommandError(`--msp ${path}: ${what}: --password-file FILE`);
    return process.askPassword(`Password of --msp ${path}: `);
  };
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const bytes = isFile ? readInput(path, process) : undefined;
  let password = given;
  if (bytes !== undefined && isPkcs12(bytes))
    password ??= await askPassword('the password of the PKCS #12 file is needed');
  const found =
    bytes === undefined
      ? ofFlag(() => readSignerFiles(path, false))
      : await withPrefix(`--msp ${path}`, async () => identityIn(bytes, password ?? '', needsKeys));
  if (needsKeys && found.keys.length === 0)
    throw new CommandError(
      isFile
        ? `--msp ${path} contains no private key; ${ELSEWHERE}`
        : `--msp ${path}: keystore contains no private key; ${ELSEWHERE}`,
    );
  if (needsKeys && found.keys.every((key) => isEncryptedKey(key.bytes)))
    password ??= await askPassword('the private key is encrypted, its password is needed');
  return { path, password, ...found };
}

/** The first line of a file. */
const readPassword = (path: string, process: Io): string =>
  /^[^\r\n]*/.exec(readInput(path, process).toString())![0];

/** The identity in a file. @throws CommandError, TranslateError */
async function identityIn(
  bytes: Uint8Array,
  password: string,
  needsKeys: boolean,
): Promise<SignerFiles & { readonly mspid?: string | undefined }> {
  if (isPkcs12(bytes)) return readPkcs12(bytes, password);
  const { readIdentities } = await import('../identity/index.js');
  const [found, ...others] = readIdentities(bytes);
  if (found === undefined || found.signed !== undefined || others.length > 0)
    throw new CommandError(
      'an MSP directory, a PKCS #12 file, an identity of a wallet (JSON), or a PEM file with certificate and key is needed',
    );
  const { certificate, keys = [], mspid } = found;
  return { certificate, keys: needsKeys ? keys : [], cas: [], mspid };
}

/** Prefixes errors about an MSP directory with the flag. Other errors name a file in it. @throws CommandError */
export const ofFlag = <Result>(call: () => Result): Result =>
  attempt(call, (error): never => {
    throw error.code === 'BAD_MSP_FOLDER'
      ? new CommandError(`--msp ${error.message}`, { cause: error })
      : error;
  });

/** The signing identity with the key of the certificate. @throws CommandError if no key matches */
export const signingIdentityOf = async (
  { path, ...files }: MspDirectory,
  mspid: string,
): Promise<SigningIdentity> =>
  withPrefix(`--msp ${path}`, async () => findSigningIdentity({ ...files, mspid }));

/** The signing identity of a certificate whose key is used by a command. @throws CommandError for a certificate that cannot sign */
export async function commandIdentityOf(
  { path, ...files }: MspDirectory,
  mspid: string,
  command: string,
  process: Io,
): Promise<SigningIdentity> {
  const { signingCommand } = await import('./signing-command.js');
  const signer = await withPrefix(`--msp ${path}`, async () => readSigner({ ...files, mspid }));
  const isWhole = signer.certificate.publicKey.type === 'Ed25519';
  const sign = signingCommand(command, isWhole, process);
  return {
    ...signer,
    sign: oneByOne(async (message) =>
      withPrefix('--sign-with', async () => signatureOf({ ...signer, sign }, message)),
    ),
  };
}

/**
 * Signs one message after the other: a person types one PIN at a time. After an error nothing more is signed, because a wrong PIN locks a
 * device after some attempts.
 */
function oneByOne(sign: SigningIdentity['sign']): SigningIdentity['sign'] {
  let last: Promise<unknown> = Promise.resolve();
  return (message) => {
    const signature = last.then(() => sign(message));
    last = signature;
    return signature;
  };
}

/** A channel config and its source. */
export interface NamedConfig {
  readonly path: string;
  readonly config: Config;
}

/** The id of the MSP that issued a certificate in PEM. @throws CommandError if there is none, or more than one */
export async function mspIdIn({ path, config }: NamedConfig, certificate: Uint8Array): Promise<string> {
  const { manager } = await setupChannelMsps(config);
  const found = await mspIdsOf(manager, certificate);
  const [id, ...others] = found;
  if (id !== undefined && others.length === 0) return id;
  const all = [...manager.msps.keys()].join(', ');
  throw new CommandError(
    id === undefined
      ? `the certificate belongs to no MSP in ${path} (${all}): give its id with --mspid`
      : `the certificate belongs to several MSPs in ${path} (${found.join(', ')}): choose one with --mspid`,
  );
}

/** Checks that a certificate in PEM belongs to an MSP of the channel. @throws CommandError if the block disproves it */
export async function checkMspId(
  { path, config }: NamedConfig,
  mspId: string,
  certificate: Uint8Array,
): Promise<void> {
  const { manager } = await setupChannelMsps(config);
  const msp = manager.msps.get(mspId);
  const problem =
    msp === undefined ? 'the channel has no such MSP' : await membershipProblem(msp, certificate);
  if (problem === undefined) return;
  throw new CommandError(
    `--mspid ${mspId} is wrong for ${path}: ${problem}; the MSPs of the channel are ${[...manager.msps.keys()].join(', ')}`,
  );
}
