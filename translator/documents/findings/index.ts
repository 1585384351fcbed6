// The findings of reviews and checks: their ids and data, and their texts, each made of the data for the terminal, the page and JSON alike.

import { CHANNEL } from './channel.js';
import { JOIN } from './join.js';
import { ORDERERS } from './orderers.js';
import { ORGANIZATIONS } from './organizations.js';
import { SERVICE_FINDINGS, lossText, type Losing } from './services.js';
import { UPDATE } from './update.js';
import type { FindingWords } from './words.js';

const TEXTS = { ...UPDATE, ...JOIN, ...ORDERERS, ...CHANNEL, ...ORGANIZATIONS, ...SERVICE_FINDINGS };

/** The id of a finding. */
export type FindingId = keyof typeof TEXTS;

type DataOf<Text> = Text extends () => unknown
  ? Readonly<Record<string, never>>
  : Text extends (data: infer Data) => unknown
    ? Data
    : never;

/** The data of a finding: values of JSON, of which its text is made. Times are in ISO 8601, 64-bit numbers are decimal texts. */
export type FindingData<Id extends FindingId = FindingId> = DataOf<(typeof TEXTS)[Id]> & Losing;

/** refused: orderers refuse the update. unsigned: signatures are missing. danger: accepted, although harmful. warning: look at it. */
export type Severity = 'refused' | 'unsigned' | 'danger' | 'warning';

/** A finding about a config update or a config. */
export interface Finding {
  /** The kind of finding, for programs and for the table in the documentation. */
  readonly id: FindingId;
  readonly severity: Severity;
  /** One plain sentence without a period. */
  readonly text: string;
  /** The orderer's text, after the status. `…` at its end stands for a dump of messages or certificates. */
  readonly orderer?: string;
  /** The element, for example `/Channel/Orderer/BatchSize`; empty if the finding is not about one. */
  readonly path: string;
  /** What to do, without a period. */
  readonly todo: string;
  /** What `text` and `todo` are made of. */
  readonly data: FindingData;
}

/** The text of a finding, and what to do. */
export function describeFinding<Id extends FindingId>(id: Id, data: FindingData<Id>): FindingWords {
  const { text, todo } = (TEXTS[id] as (data: FindingData<Id>) => FindingWords)(data);
  return { text: `${text}${lossText(data)}`, todo };
}
