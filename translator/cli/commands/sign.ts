// `sign`: shows a config update and signs it.

import { argument, defineCommand, flag, switchFlag, type Values } from '../command.js';
import { CommandError, UsageError, withMessage, withPrefix, type Failure } from '../errors.js';
import { ALLOW, envelopeOutput, NETWORK } from '../flags.js';
import type { Io } from '../io.js';
import { source, text } from '../kinds.js';
import { isNetworkAddress, withChannel } from '../network-address.js';
import type { Replacement } from '../replace.js';
import type { NamedBlock, NamedUpdate } from '../sign-update.js';

const FLAGS = {
  block: flag(
    source,
    'The newest config block of the channel, or its ledger or network: the update is reviewed before it is signed, and the MSP of the certificate is looked up or checked. With a folder and a network, each update is reviewed against its own channel.',
  ),
  expect: flag(
    text,
    'The fingerprint that a review printed; an update with another fingerprint is not signed.',
  ),
  allow: ALLOW,
  quiet: switchFlag('Do not show the update.'),
  output: envelopeOutput('envelope'),
  network: NETWORK,
};

/** The command. */
export const sign = defineCommand({
  name: 'sign',
  help: "Signs a config update as 'peer channel signconfigtx' does: adds a signature and writes an envelope. Shows the update on standard error; with --block, an update that orderers would refuse or that is dangerous is not signed.",
  flags: FLAGS,
  arguments: {
    file: argument(
      text,
      'The envelope with the config update, or the config update itself. Or a folder of them, which are signed in place: all of them, or none if one cannot be signed.',
    ),
  },
  async run({ file: path, ...values }, io) {
    const { isDirectory } = await import('../inputs.js');
    const { readEnvelopeFile } = await import('../updates.js');
    const { writerOf } = await import('../replace.js');
    const { block, output } = values;
    if (isDirectory(path)) return signFolder(path, values, io);
    const update = readEnvelopeFile(path, io);
    const write = writerOf(output, [update.file], io);
    return write(await signFile(update, async () => readBlock(block, values, io), values, io));
  },
});

type SignValues = Values<typeof FLAGS> & { readonly output: string };

/** Signs the updates of a folder in place. @throws CommandError that names the signed files, if any */
async function signFolder(path: string, values: SignValues, io: Io): Promise<void> {
  const { readEnvelopeFile, updatesIn } = await import('../updates.js');
  const { PartlyReplaced, replaceAll } = await import('../replace.js');
  const { block, output } = values;
  if (output !== '/dev/stdout')
    throw new UsageError('the files of a folder are signed in place, without --output');
  const blocks = new Map<string | undefined, NamedBlock | undefined>();
  const blockOf = async (channel: string): Promise<NamedBlock | undefined> => {
    const from = block !== undefined && isNetworkAddress(block) ? withChannel(block, channel) : block;
    if (!blocks.has(from)) blocks.set(from, await readBlock(from, values, io));
    return blocks.get(from);
  };
  const outcome = (error: Failure): string =>
    error instanceof PartlyReplaced
      ? `${error.message}; of the files of ${path}, these are signed: ${error.replaced.join(', ')}`
      : `${error.message}; no file of ${path} was signed`;
  await withMessage(outcome, async () => {
    const signed: Replacement[] = [];
    for (const found of updatesIn(path, io)) {
      const { file, ...update } = readEnvelopeFile(found.path, io, found.target);
      signed.push({ file: file!, bytes: await signFile(update, blockOf, values, io) });
    }
    replaceAll(signed, io);
  });
}

/** @param blockOf gets the config block of a channel @returns a serialized envelope @throws CommandError */
async function signFile(
  update: NamedUpdate,
  blockOf: (channel: string) => Promise<NamedBlock | undefined>,
  { allow, expect, network, quiet }: SignValues,
  io: Io,
): Promise<Uint8Array> {
  const { fingerprintOf } = await import('../../channel/index.js');
  const { requireSignable } = await import('../../sign/index.js');
  const { signUpdate } = await import('../sign-update.js');
  const { path, channel = '' } = update;
  withPrefix(path, () => requireSignable(update));
  const fingerprint = expect === undefined ? undefined : fingerprintOf(update.update.bytes);
  if (fingerprint !== expect?.trim().toLowerCase())
    throw new CommandError(`${path} has the fingerprint ${fingerprint}, not ${expect}: it was not signed`);
  const options = { block: await blockOf(channel), allowed: new Set(allow), isShown: !quiet };
  return signUpdate(update, options, network, io);
}

/** The config block of the channel, if there is a source. */
async function readBlock(
  from: string | undefined,
  { network }: SignValues,
  io: Io,
): Promise<NamedBlock | undefined> {
  if (from === undefined) return undefined;
  const { readConfigFile } = await import('../../channel/index.js');
  const { readChannelInput } = await import('../inputs.js');
  return { path: from, ...(await readChannelInput(from, network, io, readConfigFile)) };
}
