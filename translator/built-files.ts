// What the build makes and the program reads: the channel page, and the explanations of findings.

import { readFileSync } from 'node:fs';
import type { Severity } from './rules/index.js';

/** The page: HTML in UTF-8. */
export const readPage = (): Buffer => readFileSync(new URL('../page/channel.html', import.meta.url));

/** A kind of finding with an example. A rule with two severities has two of them. */
export interface Explanation {
  readonly id: string;
  readonly severity: Severity;
  readonly meaning: string;
  /** What an orderer answers in the example; `…` stands for what differs. Omitted: orderers accept it. */
  readonly orderer?: string;
  /** The sentence of the example. */
  readonly text: string;
  /** What to do. */
  readonly todo: string;
  /** The values that `text` and `todo` of the example are made of. */
  readonly data: object;
}

/** The explanations of all findings, by severity and id. */
export const readExplanations = (): readonly Explanation[] =>
  JSON.parse(readFileSync(new URL('../findings.json', import.meta.url), 'utf8')) as readonly Explanation[];
