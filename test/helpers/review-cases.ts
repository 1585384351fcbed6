// Reads the recorded envelopes of test/vectors/channel, and reviews them.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** What the code of Fabric made of an envelope. */
export interface ReviewCase {
  readonly id: string;
  readonly note: string;
  readonly channel: string;
  /** The name of the config. */
  readonly config: string;
  readonly envelope: string;
  readonly active?: number;
  readonly accepted: boolean;
  readonly errors: readonly string[];
  /** Key, path of the policy, whether it is satisfied. */
  readonly elements: readonly (readonly [string, string | null, boolean])[];
  readonly propose: boolean;
  readonly sha256?: string;
}

/** What a real orderer said about an envelope. */
export interface RecordedVerdict {
  readonly name: string;
  readonly block: string;
  readonly envelope: string;
  readonly accepted: boolean;
  readonly text: string;
  /** In seconds since 1970. */
  readonly time: number;
  /** The index of the identity that submitted it and added a signature. */
  readonly submitter?: number;
}

interface Cases {
  readonly now: string;
  readonly configs: Readonly<Record<string, string>>;
  readonly cases: readonly ReviewCase[];
}

interface Verdicts {
  readonly blobs: Readonly<Record<string, string>>;
  readonly submitters: readonly string[];
  readonly verdicts: readonly RecordedVerdict[];
}

/** What a real network did with an update. */
export interface Outcome {
  /** The network and the update: `raft/add-one-unreachable`. */
  readonly name: string;
  /** The version of the orderers: `3.0`. */
  readonly fabric: string;
  /** In seconds since 1970. */
  readonly time: number;
  readonly block: string;
  readonly envelope: string;
  readonly accepted: boolean;
  readonly text: string;
  /** An orderer, a peer or the channel stopped afterwards. */
  readonly stopped: boolean;
  /** The number of consenters that were alive; all if it is absent. */
  readonly active?: number;
}

interface Outcomes {
  readonly blocks: Readonly<Record<string, string>>;
  readonly updates: readonly Outcome[];
}

const read = <Content>(name: string): Content =>
  JSON.parse(
    brotliDecompressSync(readFileSync(`test/vectors/channel/${name}.json.br`)).toString(),
  ) as Content;

export const readReviewCases = (): Cases => read('review-cases');
export const readVerdicts = (): Verdicts => read('verdicts');
export const readOutcomes = (): Outcomes => read('outcomes');

/** The length, in characters, that no headline of a recorded update exceeds. */
export const LONGEST_HEADLINE = 300;

/** Bytes are stored as strings of Latin-1 characters. */
export const bytesIn = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Whether two texts agree; `…` in one of them stands for any text. */
export function agree(left: string, right: string): boolean {
  const matches = (cut: string, whole: string): boolean =>
    cut.includes('…') && new RegExp(`^${cut.split('…').map(escaped).join('.*')}$`, 's').test(whole);
  return left === right || matches(left, right) || matches(right, left);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
