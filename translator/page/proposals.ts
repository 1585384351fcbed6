// The updates on the page: reviewed, with the signatures of all copies.

import type { ConfigFile } from '#translator/channel/index.js';
import {
  PROPOSALS_ORDER,
  reviewProposals,
  signatureOrderFor,
  type Conflict,
  type ProposalFile,
  type Review,
  type ReviewOptions as AllOptions,
  type Verdict,
  verdictOf,
} from '#translator/review/index.js';
import { mergeEnvelopes } from '#translator/sign/index.js';

/** An update and its review, or the reason that the review failed. */
export interface ShownProposal {
  /** The files that contain it. */
  readonly names: readonly string[];
  /** An envelope with the signatures of all files. */
  readonly bytes: Uint8Array;
  readonly review: Review | undefined;
  readonly error: string | undefined;
}

/** All updates, the dangerous ones first, then those with conflicts, and the refused ones last, and the conflicts between them. */
export interface Proposals {
  readonly proposals: readonly ShownProposal[];
  readonly conflicts: readonly Conflict[];
}

/** The options of reviews on the page. */
export type ReviewOptions = Pick<AllOptions, 'now' | 'fabric'>;

/** The options of the reviews, where they are made. */
type RunOptions = Pick<AllOptions, 'now' | 'fabric' | 'onProgress' | 'msps'>;

/** Reviews updates against a block. */
export type ReviewUpdates = (files: readonly ProposalFile[], base: ConfigFile) => Promise<Proposals>;

/** Reviews updates. An update that cannot be reviewed does not prevent the review of the others. */
export async function reviewAll(
  files: readonly ProposalFile[],
  base: ConfigFile,
  options: RunOptions,
): Promise<Proposals> {
  try {
    const { proposals, conflicts } = await reviewProposals(files, base, options);
    const reviewed = await Promise.all(
      proposals.map(async ({ files: names, review }) => {
        const copies = files.filter(({ name }) => names.includes(name)).map(({ bytes }) => bytes);
        return { names, bytes: await merged(copies, base), review, error: undefined };
      }),
    );
    return { proposals: byUrgency(reviewed, conflicts), conflicts };
  } catch (error) {
    return withoutFailed(files, base, { ...options, error: error as Error });
  }
}

/** Reviews the updates one by one to find the failures, then the others together. */
async function withoutFailed(
  files: readonly ProposalFile[],
  base: ConfigFile,
  { error, ...options }: RunOptions & { readonly error: Error },
): Promise<Proposals> {
  const failure = ({ name, bytes }: ProposalFile, { message }: Error): ShownProposal => ({
    names: [name],
    bytes,
    review: undefined,
    error: message,
  });
  const [only, second] = files;
  if (only !== undefined && second === undefined) return { proposals: [failure(only, error)], conflicts: [] };
  const failed: ShownProposal[] = [];
  const good: ProposalFile[] = [];
  for (const file of files) {
    const { proposals } = await reviewAll([file], base, options);
    if (proposals[0]?.review === undefined) failed.push(...proposals);
    else good.push(file);
  }
  // Updates that fail only together, such as copies that cannot be merged, are shown one by one.
  if (failed.length === 0) return { proposals: files.map((file) => failure(file, error)), conflicts: [] };
  const { proposals, conflicts } = await reviewAll(good, base, options);
  return { proposals: byUrgency([...failed, ...proposals], conflicts), conflicts };
}

async function merged(copies: readonly Uint8Array[], base: ConfigFile): Promise<Uint8Array> {
  if (copies.length === 1) return copies[0]!;
  return (await mergeEnvelopes(copies, signatureOrderFor(base))).envelope;
}

const [FIRST, ...OTHERS] = PROPOSALS_ORDER;
/** Undefined stands for updates that cannot be reviewed, which may be dangerous. */
const ORDER: readonly (Verdict | undefined)[] = [FIRST, undefined, ...OTHERS];

const byUrgency = (
  proposals: readonly ShownProposal[],
  conflicts: readonly Conflict[],
): readonly ShownProposal[] =>
  proposals.toSorted((left, right) => placeOf(left, conflicts) - placeOf(right, conflicts));

/** Conflicts come behind what may be dangerous. */
const placeOf = (proposal: ShownProposal, conflicts: readonly Conflict[]): number => {
  const place = ORDER.indexOf(proposal.review && verdictOf(proposal.review));
  return place > 1 && rivalsOf(proposal, conflicts).length > 0 ? 1.5 : place;
};

/** The files of the other updates that conflict with an update. */
export const rivalsOf = ({ names }: ShownProposal, conflicts: readonly Conflict[]): readonly string[] => {
  const isOwn = (file: string): boolean => names.includes(file);
  return conflicts.flatMap(({ files }) => (files.some(isOwn) ? files.filter((file) => !isOwn(file)) : []));
};
