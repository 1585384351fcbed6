// `review`: the changes of a config update, the required signatures, and the verdict of orderers.

import { capitalised } from '../../../core/common/text/capitalised.js';
import type { Config } from '../../channel/index.js';
import type { Display } from '../../documents/index.js';
import type { Active, ProposalFile, ProposalsReview, Review, Verdict } from '../../review/index.js';
import { argument, defineCommand, flag, flagOr, switchFlag } from '../command.js';
import { CommandError, UsageError, withMessage } from '../errors.js';
import { EXIT_STATUS } from '../exit-status.js';
import { jsonText, printText, readInput } from '../files.js';
import { ALLOW, BLOCK, FABRIC, NETWORK, NOW } from '../flags.js';
import type { Io } from '../io.js';
import { format, inputPath, text, type Format } from '../kinds.js';
import type { NamedConfig } from '../msp.js';
import { isNetworkAddress } from '../network-address.js';
import { networkOfProfile, versionsOf } from '../profile.js';
import type { FoundFile } from '../updates.js';

/** The command. */
export const review = defineCommand({
  name: 'review',
  help: 'Reviews a config update: its changes, the required signatures, faults for which orderers would refuse it, and dangers that they would accept. The worst finding decides the exit status: 2 if orderers would refuse it, 4 if it is dangerous, 3 if signatures are missing, 0 if none of these, 1 on any error.',
  example: 'review update.pb --block config_block.pb',
  flags: {
    block: BLOCK,
    active: flag(
      text,
      'The active consenters: their number, or their addresses HOST:PORT,HOST:PORT; by default all, or with a network those that respond.',
    ),
    fabric: FABRIC,
    now: NOW,
    submitter: flag(
      inputPath,
      "The certificate (PEM) of the party that will submit the file with 'peer channel update', which adds a signature.",
    ),
    allow: ALLOW,
    format: flagOr('text', format, 'text, json, which lists everything, or markdown for a pull request.'),
    json: switchFlag('The same as --format json.'),
    network: NETWORK,
  },
  arguments: {
    file: argument(
      text,
      'The envelope with the config update, or the config update itself; serialized or as JSON. Or a folder of such files, also in folders in it.',
    ),
  },
  async run({ file: path, now = new Date(), fabric, allow, network, ...values }, io) {
    const { readUpdateFile } = await import('../../channel/index.js');
    const { reviewProposals, review: reviewUpdate } = await import('../../review/index.js');
    const { isDirectory, readChannelInput, readConfigInput } = await import('../inputs.js');
    const block = values.block ?? (await networkOfProfile(network, 'block'));
    const found = isDirectory(path) ? (await import('../updates.js')).updatesIn(path, io, DEPTH) : undefined;
    const update =
      found === undefined ? await readChannelInput(path, network, io, readUpdateFile) : undefined;
    const { orderers, anchored, ...config } = await readConfigInput(block, network, io);
    const active = await activeOf(values.active, config.config);
    const submitter = await submitterOf(values.submitter, { path: block, config: config.config }, io);
    const versions = await versionsOf(fabric, network, io);
    const options = { now, fabric: versions, active, orderers, submitter, isNewest: isNetworkAddress(block) };
    const files = found === undefined ? [] : await proposalFiles(found, io);
    const reviewed = await withMessage(
      (error) => `${'code' in error && error.code === 'TOO_LARGE' ? path : block}: ${error.message}`,
      async () =>
        update === undefined
          ? reviewProposals(files, config, options)
          : reviewUpdate(update, config, options),
    );
    const anchoredReview = { ...reviewed, ...(anchored !== undefined && { anchored }) };
    const allowed = new Set(allow);
    printText(await textOf(anchoredReview, allowed, values.json ? 'json' : values.format, io.display), io);
    return EXIT_STATUS[await worstOf(reviewed, allowed)];
  },
});

/** How many levels of folders in a folder of proposals are searched: a proposal can be a folder with the file of each signer. */
const DEPTH = 3;

async function proposalFiles(found: readonly FoundFile[], process: Io): Promise<readonly ProposalFile[]> {
  const { readEnvelopeFile } = await import('../updates.js');
  return found.map(({ path, target }) => ({
    name: path,
    bytes: readEnvelopeFile(path, process, target).bytes,
  }));
}

type Reviewed = Review | ProposalsReview;

async function textOf(
  reviewed: Reviewed,
  allowed: ReadonlySet<string>,
  chosen: Format,
  display: Display,
): Promise<string> {
  const { reviewDocument, withVerdict, VERDICT_TITLES } = await import('../../review/index.js');
  if (chosen === 'json') return jsonText(withVerdict(reviewed, allowed));
  if ('proposals' in reviewed) {
    const { proposalsMarkdown, proposalsText } = await import('../proposals.js');
    return chosen === 'text'
      ? proposalsText(reviewed, allowed, display)
      : proposalsMarkdown(reviewed, allowed);
  }
  const { documentsMarkdown, documentText } = await import('../../documents/index.js');
  const document = reviewDocument(reviewed, allowed);
  return chosen === 'text'
    ? documentText(document, display)
    : documentsMarkdown(capitalised(VERDICT_TITLES[await worstOf(reviewed, allowed)]), [document]);
}

/** The worst verdict of several reviews. */
async function worstOf(reviewed: Reviewed, allowed: ReadonlySet<string>): Promise<Verdict> {
  const { VERDICTS, verdictOf } = await import('../../review/index.js');
  const reviews = 'proposals' in reviewed ? reviewed.proposals.map((each) => each.review) : [reviewed];
  const found = new Set(reviews.map((each) => verdictOf(each, allowed)));
  return VERDICTS.find((verdict) => found.has(verdict)) ?? 'harmless';
}

/** The active consenters: a number, or their addresses. @throws UsageError */
async function activeOf(given: string | undefined, config: Config): Promise<Active | undefined> {
  if (given === undefined) return undefined;
  const { addressText } = await import('../../channel/index.js');
  const { channelOf, consentersOf } = await import('../../channel/index.js');
  const consenters = consentersOf(channelOf(config)).map(addressText);
  const all = `the channel has ${consenters.length} consenters (${consenters.join(', ')})`;
  if (/^\d{1,6}$/.test(given)) {
    if (Number(given) <= consenters.length) return Number(given);
    throw new UsageError(`flag 'active' is ${given}, but ${all}`);
  }
  return new Set(
    given.split(',').map((address) => {
      const index = consenters.indexOf(address.trim());
      if (index !== -1) return index;
      throw new UsageError(
        `flag 'active' must be a number of consenters or their addresses, found ${JSON.stringify(address)}; ${all}`,
      );
    }),
  );
}

/** The serialized identity of the submitter. @throws CommandError */
async function submitterOf(
  path: string | undefined,
  block: NamedConfig,
  process: Io,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const { decodePem, writeSerializedIdentity } = await import('../../msp/index.js');
  const { mspIdIn } = await import('../msp.js');
  const pem = readInput(path, process);
  const certificate = decodePem(pem);
  if (certificate?.label !== 'CERTIFICATE')
    throw new CommandError(
      `${path} is ${certificate === undefined ? 'not PEM' : `a PEM file (${certificate.label})`}, a certificate is needed`,
    );
  return writeSerializedIdentity(await mspIdIn(block, pem), certificate.bytes);
}
