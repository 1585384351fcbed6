// `submit`: submits a config update to a running channel.

import type { Delivered, SubmitProgress, Submitted } from '../../orderer/index.js';
import { argument, defineCommand, flag, flagOr, switchFlag, type Values } from '../command.js';
import { CommandError, UsageError, withMessage, withPrefix } from '../errors.js';
import { EXIT_STATUS } from '../exit-status.js';
import { printError, printNote, printText } from '../files.js';
import { ALLOW, FABRIC, NETWORK } from '../flags.js';
import type { Io } from '../io.js';
import { duration, source, text } from '../kinds.js';
import { isNetworkAddress, withChannel } from '../network-address.js';
import { networkOfProfile, versionsOf } from '../profile.js';
import type { EnvelopeFile } from '../updates.js';

const FLAGS = {
  to: flag(
    source,
    'The channel: grpcs://HOST:PORT/CHANNEL, with commas between several orderers; by default the network of the profile.',
  ),
  allow: ALLOW,
  fabric: FABRIC,
  wait: flagOr('60s', duration, 'The time to wait for the block with the update, such as 30s or 5m.'),
  quiet: switchFlag('Do not show the review of an update that is sent.'),
  network: NETWORK,
};

/** The command. */
export const submit = defineCommand({
  name: 'submit',
  help: 'Submits a signed config update to the orderers of a channel and waits until enough of them have it. The update is reviewed first, and not sent if orderers would refuse it (exit status 2), if signatures are missing (3) or if it is dangerous (4).',
  example: 'submit signed.pb --to grpcs://orderer1.example.com:7050/ch1',
  flags: FLAGS,
  arguments: {
    file: argument(
      text,
      'The envelope with the signed config update, or a folder of them: each is sent to its own channel.',
    ),
  },
  async run({ file: path, ...values }, io) {
    const { isDirectory } = await import('../inputs.js');
    const { requireSignable } = await import('../../sign/index.js');
    const { readEnvelopeFile, updatesIn } = await import('../updates.js');
    // The first signal ends the wait, the second one the process.
    const controller = new AbortController();
    io.onStop(() => controller.abort(new CommandError('interrupted, nothing was sent')));
    const isMany = isDirectory(path);
    const files = isMany
      ? updatesIn(path, io).map((found) => readEnvelopeFile(found.path, io, found.target))
      : [readEnvelopeFile(path, io)];
    for (const file of files) withPrefix(file.path, () => requireSignable(file));
    const to = values.to ?? (await networkOfProfile(values.network, 'to'));
    if (!isNetworkAddress(to))
      throw new UsageError(`--to ${to} is no network: grpcs://HOST:PORT/CHANNEL is needed`);
    for (const file of files) {
      const network = isMany ? withChannel(to, file.channel) : to;
      const status = await submitFile(file, network, controller.signal, values, io);
      if (status !== 0) return status;
    }
    return 0;
  },
});

/** Each update may take the whole time of `--wait`. @returns the exit status @throws CommandError */
async function submitFile(
  { path, bytes }: EnvelopeFile,
  to: string,
  signal: AbortSignal,
  { allow, fabric, wait, quiet, network }: Values<typeof FLAGS>,
  io: Io,
): Promise<number> {
  const { documentText } = await import('../../documents/index.js');
  const { reviewDocument } = await import('../../review/index.js');
  const { connectTo, printHeights } = await import('../network.js');
  const allowed = new Set(allow);
  const onProgress = (progress: SubmitProgress): void => {
    if (progress.kind === 'heights') printHeights(progress.heights, io);
    else if (progress.kind === 'step') printNote(progress.text, io);
    else if (!quiet) io.error(documentText(reviewDocument(progress.review, allowed)));
  };
  const connected = await connectTo(to, network, io);
  try {
    const versions = await versionsOf(fabric, network, io);
    const result = await withMessage(
      (error) => {
        const isUnknown = 'code' in error && error.code === 'NOT_SEEN';
        const more = `; it was sent and may be in a block, check with: configtxlator verify ${path} --block ${to}`;
        return `${path}: ${error.message}${isUnknown ? more : ''}`;
      },
      async () => connected.submit(bytes, { allowed, fabric: versions, seconds: wait, signal, onProgress }),
    );
    return await report(path, allowed, result, io);
  } finally {
    connected.close();
  }
}

async function report(
  path: string,
  allowed: ReadonlySet<string>,
  submitted: Submitted,
  process: Io,
): Promise<number> {
  if (submitted.kind === 'known') {
    const { appliedText } = await import('../../review/index.js');
    printText(`${path}: ${appliedText(submitted.in)}, nothing is sent\n`, process);
    return 0;
  }
  if (submitted.kind === 'not sent') {
    const { refusalOf } = await import('../sign-update.js');
    const { VERDICT_TITLES } = await import('../../review/index.js');
    const reason = refusalOf(submitted.review, allowed) ?? VERDICT_TITLES[submitted.verdict];
    printError(`${path} was not sent: ${reason}`, process);
    return EXIT_STATUS[submitted.verdict];
  }
  printText(deliveredText(submitted.delivered), process);
  return 0;
}

function deliveredText({ block, at, behind }: Delivered): string {
  const lines = [
    `the update is in block ${block}, on ${at.length} of ${at.length + behind.length} orderers`,
    ...behind.map(({ address, reason }) => `  not on ${address}: ${reason}`),
  ];
  return `${lines.join('\n')}\n`;
}
