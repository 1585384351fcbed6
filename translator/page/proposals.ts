// The updates that are on the page: reviewed, with the signatures of all copies.

import type { ConfigFile } from 'fabric-ops-agent/translator/config';
import {
  exitStatusOf,
  reviewProposals,
  signatureOrderFor,
  type Conflict,
  type ProposalFile,
  type Review,
} from 'fabric-ops-agent/translator/review';
import { mergeEnvelopes } from 'fabric-ops-agent/translator/sign';

/** An update that was reviewed, or why that failed. */
export interface Proposal {
  /** The files that contain it. */
  readonly names: readonly string[];
  /** An envelope with the signatures of all files. */
  readonly bytes: Uint8Array;
  readonly review: Review | undefined;
  readonly error: string | undefined;
}

/** All updates, the worst first, and which of them conflict. */
export interface Proposals {
  readonly proposals: readonly Proposal[];
  readonly conflicts: readonly Conflict[];
}

/** Reviews updates. One that cannot be reviewed does not prevent the review of the others. */
export async function reviewAll(
  files: readonly ProposalFile[],
  base: ConfigFile,
  now: Date,
): Promise<Proposals> {
  const failed: Proposal[] = [];
  const good: ProposalFile[] = [];
  for (const file of files) {
    const error = await errorOf(file, base, now);
    if (error === undefined) good.push(file);
    else failed.push({ names: [file.name], bytes: file.bytes, review: undefined, error });
  }
  const { proposals, conflicts } = await reviewProposals(good, base, { now });
  const reviewed = await Promise.all(
    proposals.map(async ({ files: names, review }) => {
      const copies = good.filter(({ name }) => names.includes(name)).map(({ bytes }) => bytes);
      return { names, bytes: await merged(copies, base), review, error: undefined };
    }),
  );
  return { proposals: [...failed, ...reviewed].toSorted(worstFirst), conflicts };
}

async function errorOf(file: ProposalFile, base: ConfigFile, now: Date): Promise<string | undefined> {
  try {
    await reviewProposals([file], base, { now });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function merged(copies: readonly Uint8Array[], base: ConfigFile): Promise<Uint8Array> {
  if (copies.length === 1) return copies[0]!;
  return (await mergeEnvelopes(copies, signatureOrderFor(base))).envelope;
}

/** What is refused or dangerous is shown first. */
const worstFirst = (left: Proposal, right: Proposal): number => rankOf(left) - rankOf(right);

const RANKS: Readonly<Record<number, number>> = { 2: 1, 4: 2, 3: 3, 0: 4 };
const rankOf = ({ review }: Proposal): number =>
  review === undefined ? 0 : (RANKS[exitStatusOf(review)] ?? 0);
