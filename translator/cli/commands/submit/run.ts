// `submit`: submits a config update to a running channel.

import { PLAIN } from '../../../describe/style.js';
import type { Review } from '../../../review/report/result.js';
import { reviewText } from '../../../review/report/text.js';
import { isNetworkAddress, withChannel } from '../../../source/network/address.js';
import type { Orderer } from '../../../source/network/orderer.js';
import type { Delivered } from '../../../submit/await-block.js';
import { submit, type Channel, type Submitted } from '../../../submit/submit.js';
import { Waiting } from '../../../submit/waiting.js';
import { TranslateError } from '../../../../proto/errors.js';
import { allowedOf } from '../../allowed.js';
import type { Context, Process } from '../../context.js';
import { asCommandError, CommandError, UsageError } from '../../errors.js';
import { fabricOf } from '../../fabric.js';
import { contactOf } from '../../network.js';
import { printError, printNote, printText } from '../../output.js';
import { networkOfProfile } from '../../profile.js';
import { refusalOf } from '../../refusal.js';
import { secondsOf } from '../../time.js';
import { updatesIn } from '../../proposals.js';
import { isDirectory } from '../../source.js';
import { readUpdateFile, type UpdateFile } from '../../update-file.js';
import { requiredArgument, type Values } from '../../values.js';

/** @returns the exit status: that of the first update that is not sent @throws CommandError */
export async function run(values: Values, { process }: Context): Promise<number> {
  const path = requiredArgument(values, 0, 'file');
  const options = {
    allowed: allowedOf(values),
    fabric: fabricOf(values.one('fabric')),
  };
  const newWaiting = waitingOf(secondsOf('wait', values.one('wait')), process);
  const isMany = isDirectory(path);
  const files = (isMany ? updatesIn(path, process) : [path]).map((each) => readUpdateFile(each, process));
  const to = values.optional('to') ?? (await networkOfProfile(values, 'to'));
  if (!isNetworkAddress(to))
    throw new UsageError(`--to ${to} is no network: grpcs://HOST:PORT/CHANNEL is needed`);
  for (const file of files) {
    const network = isMany ? withChannel(to, file.content.channelId) : to;
    const status = await submitFile(file, network, { ...options, waiting: newWaiting() }, values, process);
    if (status !== 0) return status;
  }
  return 0;
}

type Options = Omit<Parameters<typeof submit>[2], 'onReview'> & { readonly allowed: ReadonlySet<string> };

async function submitFile(
  { path, bytes }: UpdateFile,
  to: string,
  options: Options,
  values: Values,
  process: Process,
): Promise<number> {
  const { address, asking, open } = await contactOf(to, values, process);
  const given: Orderer[] = [];
  for (const each of address.orderers) given.push(await asCommandError(() => open(each)));
  const channel: Channel = {
    given,
    asking,
    open: (each, cas) => open(each, address.isTls ? cas : undefined),
  };
  const isShown = !values.isSet('quiet');
  const onReview = (review: Review): void => {
    if (isShown) process.error(reviewText(review, PLAIN));
  };
  try {
    return report(path, options.allowed, await submit(bytes, channel, { ...options, onReview }), process);
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    const more =
      error.code === 'NOT_SEEN'
        ? `; it may still be accepted, ask again with: configtxlator verify ${path} --block ${to}`
        : '';
    throw new CommandError(`${path}: ${error.message}${more}`, { cause: error });
  } finally {
    for (const orderer of given) orderer.close();
  }
}

function report(path: string, allowed: ReadonlySet<string>, submitted: Submitted, process: Process): number {
  if (submitted.kind === 'known') {
    printText(`${path}: nothing is sent, the config of block ${submitted.block} has this update\n`, process);
    return 0;
  }
  if (submitted.kind === 'not sent') {
    printError(
      `${path} was not sent: ${refusalOf(submitted.review, allowed) ?? 'signatures are missing'}`,
      process,
    );
    return submitted.status;
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

/** Each update has the whole time. The first signal ends the waiting, the second one the process. */
function waitingOf(seconds: number, process: Process): () => Waiting {
  const controller = new AbortController();
  process.onStop(() => controller.abort());
  return () => new Waiting(seconds, controller.signal, (text) => printNote(text, process));
}
