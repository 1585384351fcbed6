// `sign`: shows a config update and signs it.

import { onOneLine } from '../../../core/common/text/one-line.js';
import { shellPath, shellWord } from '../../../core/common/text/shell-word.js';
import { argument, defineCommand, flag, switchFlag, type Values } from '../command.js';
import { CommandError, UsageError, withMessage, withPrefix, type Failure } from '../errors.js';
import { printText, readInput, writeBinary } from '../files.js';
import { ALLOW, envelopeOutput, NETWORK } from '../flags.js';
import type { Io } from '../io.js';
import { inputPath, source, text } from '../kinds.js';
import { isNetworkAddress, withChannel } from '../network-address.js';
import type { Replacement } from '../replace.js';
import type { KeyElsewhere, NamedBlock, NamedUpdate, SignOptions } from '../sign-update.js';

const FLAGS = {
  block: flag(
    source,
    'The newest config block of the channel, or its ledger or network; by default the network of the profile. The update is reviewed before it is signed, and the MSP of the certificate is looked up or checked. With a folder and a network, each update is reviewed against its own channel.',
  ),
  unreviewed: switchFlag('Sign without a review, without a config block or a network.'),
  expect: flag(
    text,
    'The fingerprint that a review printed; an update with another fingerprint is not signed.',
  ),
  allow: ALLOW,
  certificate: flag(
    inputPath,
    'The certificate (PEM) of the signer, for a key elsewhere; by default the certificate of --msp.',
  ),
  digest: switchFlag(
    'Do not sign: print the SHA-256 to sign, and how to add the signature. With --output, write its 32 bytes to the file.',
  ),
  signature: flag(
    text,
    'A signature that was made of --digest: a file, or hexadecimal. It is verified with the certificate.',
  ),
  bytes: switchFlag(
    'With --sign-with or --digest: the bytes to sign in place of their SHA-256, for Ed25519 and for devices that hash them.',
  ),
  quiet: switchFlag('Do not show the update.'),
  output: envelopeOutput('envelope'),
  network: NETWORK,
};

/** The command. */
export const sign = defineCommand({
  name: 'sign',
  help: "Signs a config update as 'peer channel signconfigtx' does: adds a signature and writes an envelope. The update is reviewed first, on standard error. It is not signed if orderers would refuse it (exit status 2), if it is dangerous (4), or if the signature would not count (3).",
  example: 'sign update.pb --block block.pb --msp admin/msp -o signed.pb',
  flags: FLAGS,
  arguments: {
    file: argument(
      text,
      'The envelope with the config update, or the config update itself. Or a folder of them, which are signed in place: all of them, or none if one cannot be signed.',
    ),
  },
  async run({ file: path, ...given }, io) {
    const values = withCommand(given);
    const { isDirectory } = await import('../inputs.js');
    const { readEnvelopeFile } = await import('../updates.js');
    const { writerOf } = await import('../replace.js');
    const { output } = values;
    checkFlags(values);
    if (isDirectory(path)) return signFolder(path, values, io);
    const update = readEnvelopeFile(path, io);
    if (values.digest) return writeDigest(update, values, io);
    const write = writerOf(output, [update.file], io);
    return write(await signFile(update, async () => blockFor(update, values, io), values, io));
  },
});

type Given = Values<typeof FLAGS> & { readonly output: string };

/** The flags, with the command of `--sign-with`. */
type SignValues = Given & { readonly command: string | undefined };

/** With `--certificate`, only the update is signed by the command: orderers are asked with the identity of --msp or of the profile. */
const withCommand = (values: Given): SignValues => ({
  ...values,
  command: values.network['sign-with'],
  network: values.certificate === undefined ? values.network : { ...values.network, 'sign-with': undefined },
});

/** @throws UsageError for flags that exclude each other */
function checkFlags({ digest, signature, command, certificate, bytes, block, unreviewed }: SignValues): void {
  if (unreviewed && block !== undefined) throw new UsageError('--block and --unreviewed exclude each other');
  const given = [
    digest ? '--digest' : undefined,
    signature === undefined ? undefined : '--signature',
    command === undefined ? undefined : '--sign-with',
  ].filter((each) => each !== undefined);
  if (given.length > 1) throw new UsageError(`${given.join(' and ')} exclude each other`);
  if (given.length === 0 && certificate !== undefined)
    throw new UsageError(
      '--certificate is for a key elsewhere: give --sign-with, --digest or --signature too',
    );
  if (bytes && !digest && command === undefined)
    throw new UsageError('--bytes needs --sign-with or --digest');
}

/** Prints what a key elsewhere has to sign, and writes it to the file of `--output`. @throws CommandError */
async function writeDigest(update: NamedUpdate, values: SignValues, io: Io): Promise<void> {
  const { certificate, bytes: isWhole, network, output, block, unreviewed } = values;
  const { messageFor } = await import('../sign-update.js');
  const { digest } = await import('../../crypto/index.js');
  const { fingerprintOf } = await import('../../channel/index.js');
  const { toHex } = await import('../../../proto/bytes.js');
  const isPrinted = output === '/dev/stdout';
  if (isWhole && isPrinted) throw new UsageError('--bytes with --digest needs a file: --output FILE');
  const options = await optionsOf(update, async () => blockFor(update, values, io), values);
  const { message, signer, mspId } = await messageFor(update, certificate, options, network, io);
  if (!isWhole && signer.certificate.publicKey.type === 'Ed25519')
    throw new UsageError('an Ed25519 key signs the bytes, not their SHA-256: give --bytes too');
  const hash = digest('SHA-256', [message]);
  if (!isPrinted) await writeBinary(output, isWhole ? message : hash, io);
  const key = certificate === undefined ? '' : ` --certificate ${shellPath(certificate)}`;
  const msp = network.msp === undefined ? '' : ` --msp ${shellPath(network.msp)}`;
  const review = unreviewed ? ' --unreviewed' : block === undefined ? '' : ` --block ${shellPath(block)}`;
  const lines = [
    `signer       ${signer.certificate.subject.text} of ${mspId}`,
    `update       ${fingerprintOf(update.update.bytes)}`,
    isWhole ? `to sign      ${message.length} bytes, in ${output}` : `to sign      ${toHex(hash)}`,
    `then         configtxlator sign ${shellPath(update.path)}${key}${msp} --mspid ${shellWord(mspId)}${review} --signature FILE -o signed.pb`,
  ];
  printText(lines.map((line) => `${onOneLine(line)}\n`).join(''), io);
}

/** Signs the updates of a folder in place. @throws CommandError that names the signed files, if any */
async function signFolder(path: string, values: SignValues, io: Io): Promise<void> {
  const { readEnvelopeFile, updatesIn } = await import('../updates.js');
  const { PartlyReplaced, replaceAll } = await import('../replace.js');
  const { releaseStaleLocks } = await import('../lock.js');
  const { output } = values;
  if (values.digest || values.signature !== undefined)
    throw new UsageError('--digest and --signature are for one file, not for a folder');
  if (output !== '/dev/stdout')
    throw new UsageError('the files of a folder are signed in place, without --output');
  const blocks = new Map<string | undefined, NamedBlock | undefined>();
  const blockOf = async ({ path: file, channel = '' }: NamedUpdate): Promise<NamedBlock | undefined> => {
    const block = await sourceOfReview(values, file);
    const from = block !== undefined && isNetworkAddress(block) ? withChannel(block, channel) : block;
    if (!blocks.has(from)) blocks.set(from, await readBlock(from, values, io));
    return blocks.get(from);
  };
  const outcome = (error: Failure): string =>
    error instanceof PartlyReplaced
      ? `${error.message}; of the files of ${path}, these are signed: ${error.replaced.join(', ')}`
      : `${error.message}; no file of ${path} was signed`;
  await withMessage(outcome, async () => {
    releaseStaleLocks(path);
    const signed: Replacement[] = [];
    for (const found of updatesIn(path, io)) {
      const { file, ...update } = readEnvelopeFile(found.path, io, found.target);
      signed.push({ file: file!, bytes: await signFile(update, blockOf, values, io) });
    }
    replaceAll(signed, io);
  });
}

/** @param blockOf gets the config block for an update @returns a serialized envelope @throws CommandError */
async function signFile(
  update: NamedUpdate,
  blockOf: (update: NamedUpdate) => Promise<NamedBlock | undefined>,
  values: SignValues,
  io: Io,
): Promise<Uint8Array> {
  const { signElsewhere, signUpdate } = await import('../sign-update.js');
  const options = await optionsOf(update, blockOf, values);
  const key = keyElsewhere(values, io);
  return key === undefined
    ? signUpdate(update, options, values.network, io)
    : signElsewhere(update, key, options, values.network, io);
}

/** Checks the fingerprint of an update, and reads the config block of its channel. @throws CommandError */
async function optionsOf(
  update: NamedUpdate,
  blockOf: (update: NamedUpdate) => Promise<NamedBlock | undefined>,
  { allow, expect, quiet }: SignValues,
): Promise<SignOptions> {
  const { fingerprintOf } = await import('../../channel/index.js');
  const { requireSignable } = await import('../../sign/index.js');
  const { path } = update;
  withPrefix(path, () => requireSignable(update));
  const fingerprint = expect === undefined ? undefined : fingerprintOf(update.update.bytes);
  if (fingerprint !== expect?.trim().toLowerCase())
    throw new CommandError(`${path} has the fingerprint ${fingerprint}, not ${expect}: it was not signed`);
  return { block: await blockOf(update), allowed: new Set(allow), isShown: !quiet };
}

/** The key of `--sign-with` or `--signature`. */
function keyElsewhere(
  { certificate, command, signature, bytes }: SignValues,
  io: Io,
): KeyElsewhere | undefined {
  if (command !== undefined)
    return {
      certificate,
      name: '--sign-with',
      async sign(message) {
        const { signingCommand } = await import('../signing-command.js');
        return signingCommand(command, bytes, io)(message);
      },
    };
  if (signature === undefined) return undefined;
  return {
    certificate,
    name: '--signature',
    sign: async () => (HEX.test(signature) ? Buffer.from(signature) : readInput(signature, io)),
  };
}

/** Hexadecimal of a signature, which has at least 16 bytes; a shorter text is a path. */
const HEX = /^(?:[0-9a-f]{2}){16,}$/i;

/** The config block for the update of a file. */
const blockFor = async ({ path }: NamedUpdate, values: SignValues, io: Io): Promise<NamedBlock | undefined> =>
  readBlock(await sourceOfReview(values, path), values, io);

/** The source of the config block: the flag, or the network of the profile. @returns undefined if the update is signed without a review */
async function sourceOfReview(
  { block, unreviewed, network }: SignValues,
  path: string,
): Promise<string | undefined> {
  if (block !== undefined || unreviewed) return block;
  const { readProfile, ADDRESS } = await import('../profile.js');
  const found = (await readProfile(network)).get(ADDRESS);
  if (found !== undefined) return found;
  throw new CommandError(
    `${path} was not signed, it is not reviewed: give --block, or --unreviewed to sign without a review`,
  );
}

/** The config block of the channel, if there is a source. */
async function readBlock(
  from: string | undefined,
  { network, certificate }: SignValues,
  io: Io,
): Promise<NamedBlock | undefined> {
  if (from === undefined) return undefined;
  const { readConfigInput } = await import('../inputs.js');
  // With --certificate, --mspid is of the signer; who asks orderers is in the profile.
  const isOfSigner = certificate !== undefined && network.msp === undefined;
  const asking = isOfSigner ? { ...network, mspid: undefined } : network;
  return { path: from, ...(await readConfigInput(from, asking, io)) };
}
