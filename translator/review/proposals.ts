// Reviews several proposals: copies of one update are reviewed together, and updates that change the same element are named.

import { is, requireTypes } from '../../proto/arguments.js';
import { groupBy } from '../../core/common/group-by.js';
import {
  applyUpdate,
  type Config,
  fingerprintOf,
  type Envelope,
  readUpdateFile,
  type ConfigFile,
  resultTypes,
} from '../channel/index.js';
import { attempt } from '../../proto/errors.js';
import type { CallOptions } from '../long-call.js';
import { MspCache } from '../msp/index.js';
import { mergeEnvelopes } from '../sign/index.js';
import type { ReviewOptions } from '../rules/index.js';
import type { Conflict, ProposalsReview, ReviewedProposal } from './result.js';
import { review } from './review.js';
import { signatureOrderFor } from './signature-order.js';
import { verdictOf } from './verdict.js';

/** A file with a config update. */
export interface ProposalFile {
  readonly name: string;
  /** A serialized envelope. */
  readonly bytes: Uint8Array;
}

/** Reviews several files. @throws TranslateError as `review` and `mergeEnvelopes`; the reason of `signal` if it aborts */
export async function reviewProposals(
  files: readonly ProposalFile[],
  block: ConfigFile,
  options: ReviewOptions = {},
): Promise<ProposalsReview> {
  requireTypes(
    { files, block, options },
    {
      files: is.list(is.record({ name: is.text, bytes: is.bytes })),
      block: resultTypes.configFile,
      options: is.record({}),
    },
  );
  const copies = byUpdate(files);
  const { now = new Date(), msps = new MspCache() } = options;
  const proposals: ReviewedProposal[] = [];
  const updates: Envelope[] = [];
  for (const [index, same] of copies.entries()) {
    const update = await withAllSignatures(same, block, { signal: options.signal });
    updates.push(update);
    proposals.push({
      files: same.map(({ name }) => name),
      review: await review(update, block, {
        ...options,
        ...partOf(options, index, copies.length),
        now,
        msps,
      }),
    });
  }
  return { proposals, conflicts: conflictsOf(proposals, updates, block.config) };
}

/** The progress of one of several reviews, which have equal parts of it. */
const partOf = ({ onProgress }: CallOptions, index: number, count: number): CallOptions =>
  onProgress === undefined
    ? {}
    : {
        onProgress: ({ done, total, what }) =>
          onProgress({ done: index * total + done, total: count * total, what }),
      };

const byUpdate = (files: readonly ProposalFile[]): readonly (readonly ProposalFile[])[] => [
  ...groupBy(files, ({ bytes }) => fingerprintOf(readUpdateFile(bytes).update.bytes)).values(),
];

/** A file that is alone keeps its submitter. */
async function withAllSignatures(
  same: readonly ProposalFile[],
  block: ConfigFile,
  options: CallOptions,
): Promise<Envelope> {
  const envelopes = same.map(({ bytes }) => bytes);
  if (envelopes.length === 1) return readUpdateFile(envelopes[0]!);
  return attempt(
    async () => readUpdateFile((await mergeEnvelopes(envelopes, signatureOrderFor(block, options))).envelope),
    (error) => {
      // The review contains the reason not to sign it.
      if (error.code === 'NOT_UNDERSTOOD' || error.code === 'WRONG_CHANNEL')
        return readUpdateFile(envelopes[0]!);
      throw error;
    },
  );
}

/** The conflicts. Updates that orderers would refuse have none: they are never accepted. Nor have updates that the channel has. */
function conflictsOf(
  proposals: readonly ReviewedProposal[],
  updates: readonly Envelope[],
  config: Config,
): Conflict[] {
  const changed = updates.map(({ update }, index) => {
    const verdict = verdictOf(proposals[index]!.review);
    if (verdict === 'refused' || verdict === 'applied') return new Set<string>();
    const { changes, removed } = applyUpdate(config, update);
    return new Set([...changes, ...removed].map(({ path }) => path));
  });
  return proposals.flatMap(({ files: [one] }, index) =>
    proposals.slice(index + 1).flatMap(({ files: [other] }, distance) => {
      const elements = [...changed[index]!].filter((path) => changed[index + 1 + distance]!.has(path));
      return elements.length === 0 ? [] : [{ files: [one!, other!] as const, elements }];
    }),
  );
}
