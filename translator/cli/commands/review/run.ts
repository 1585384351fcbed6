// `review`: what a config update changes, who must sign it, and what orderers would say.

import { addressText } from '../../../config/address.js';
import type { Config } from '../../../config/element.js';
import { readUpdateFile } from '../../../config/file.js';
import { TranslateError } from '../../../../proto/errors.js';
import { consentersOf } from '../../../review/facts/consenters.js';
import type { Active } from '../../../review/facts/proposal.js';
import { PLAIN, type Style } from '../../../describe/style.js';
import { reviewProposals, type ProposalFile, type ProposalsReview } from '../../../review/proposals.js';
import { asMarkdown, proposalsText } from '../../../review/report/proposals-text.js';
import { exitStatusOf, type Review } from '../../../review/report/result.js';
import { review } from '../../../review/review.js';
import { isNetworkAddress } from '../../../source/network/address.js';
import { reviewText } from '../../../review/report/text.js';
import { decodePem } from '../../../../core/common/certificates/pem.js';
import { writeSerializedIdentity } from '../../../msp/serialized-identity.js';
import { allowedOf } from '../../allowed.js';
import { readChannelInput, readConfigInput } from '../../channel-file.js';
import type { Context, Process } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { fabricOf } from '../../fabric.js';
import { readInput } from '../../files.js';
import { formatOf, jsonText, type Format } from '../../format.js';
import { updatesIn } from '../../proposals.js';
import { isDirectory } from '../../source.js';
import { readUpdateFile as readUpdateEnvelopeFile } from '../../update-file.js';
import { mspIdIn, type NamedConfig } from '../../msp-id-in-block.js';
import { printText } from '../../output.js';
import { networkOfProfile } from '../../profile.js';
import { clockOf } from '../../time.js';
import { requiredArgument, type Values } from '../../values.js';

/** @returns the exit status @throws CommandError */
export async function run(values: Values, context: Context): Promise<number> {
  const path = requiredArgument(values, 0, 'file');
  const [now, fabric] = [clockOf(values.optional('now')), fabricOf(values.one('fabric'))];
  const [allowed, format] = [allowedOf(values), formatOf(values)];
  const block = values.optional('block') ?? (await networkOfProfile(values, 'block'));
  const files = isDirectory(path) ? updatesIn(path, context.process) : undefined;
  const update =
    files === undefined ? await readChannelInput(path, values, context, readUpdateFile) : undefined;
  const { orderers, ...config } = await readConfigInput(block, values, context);
  const isNewest = isNetworkAddress(block);
  const active = activeOf(values.optional('active'), config.config);
  const named = { path: block, config: config.config };
  const submitter = await submitterOf(values.optional('submitter'), named, context.process);
  const options = { now, fabric, active, orderers, submitter, isNewest };
  try {
    const reviewed =
      update === undefined
        ? await reviewProposals(proposalsOf(files ?? [], context.process), config, options)
        : await review(update, config, options);
    printText(textOf(reviewed, format, context.process.style), context.process);
    return statusOf(reviewsIn(reviewed), allowed);
  } catch (error) {
    if (error instanceof TranslateError) {
      const file = error.code === 'TOO_LARGE' ? path : block;
      throw new CommandError(`${file}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

type Reviewed = Review | ProposalsReview;

const reviewsIn = (reviewed: Reviewed): readonly Review[] =>
  'proposals' in reviewed ? reviewed.proposals.map((each) => each.review) : [reviewed];

function textOf(reviewed: Reviewed, format: Format, style: Style): string {
  if (format === 'json') return jsonText(reviewed);
  const used = format === 'markdown' ? PLAIN : style;
  const text = 'proposals' in reviewed ? proposalsText(reviewed, used) : reviewText(reviewed, used);
  return format === 'text' ? text : asMarkdown(titleOf(reviewsIn(reviewed)), text);
}

/** The worst of several reviews, in the order of `exitStatusOf`. */
function statusOf(reviews: readonly Review[], allowed: ReadonlySet<string>): number {
  const statuses = new Set(reviews.map((each) => exitStatusOf(each, allowed)));
  return WORST_FIRST.find((status) => statuses.has(status)) ?? 0;
}

const WORST_FIRST = [2, 4, 3] as const;
const TITLES: Readonly<Record<number, string>> = {
  0: 'Orderers would accept it',
  2: 'Orderers would refuse it',
  3: 'Signatures are missing',
  4: 'Dangerous',
};
const titleOf = (reviews: readonly Review[]): string => TITLES[statusOf(reviews, new Set())]!;

const proposalsOf = (files: readonly string[], process: Process): ProposalFile[] =>
  files.map((name) => ({ name, bytes: readUpdateEnvelopeFile(name, process).bytes }));

/** The consenters that are alive: a number, or their addresses. */
function activeOf(text: string | undefined, config: Config): Active | undefined {
  if (text === undefined) return undefined;
  const consenters = consentersOf({ config }).list.map(addressText);
  const all = `the channel has ${consenters.length} consenters (${consenters.join(', ')})`;
  if (/^\d{1,6}$/.test(text)) {
    if (Number(text) <= consenters.length) return Number(text);
    throw new UsageError(`flag 'active' is ${text}, but ${all}`);
  }
  return new Set(
    text.split(',').map((address) => {
      const index = consenters.indexOf(address.trim());
      if (index !== -1) return index;
      throw new UsageError(
        `flag 'active' must be a number of consenters or their addresses, found ${JSON.stringify(address)}; ${all}`,
      );
    }),
  );
}

async function submitterOf(
  path: string | undefined,
  block: NamedConfig,
  process: Process,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const pem = readInput(path, process);
  const certificate = decodePem(pem);
  if (certificate?.label !== 'CERTIFICATE')
    throw new CommandError(
      `${path} is ${certificate === undefined ? 'not PEM' : `a PEM file (${certificate.label})`}, a certificate is needed`,
    );
  return writeSerializedIdentity(await mspIdIn(block, pem), certificate.bytes);
}
