// The findings of preflight about a node before it starts. words.ts has the causes, their data and their words.

import { CAUSES, WARNINGS } from './words.js';

const ALL = { ...CAUSES, ...WARNINGS };

/** The ids in the tables of README.md. */
export type CauseId = keyof typeof ALL;

/** A cause that a node does not start. */
type CauseData<Id extends CauseId> =
  Parameters<(typeof ALL)[Id]> extends readonly [infer Data] ? Data : undefined;

/** A cause or a warning with its data. */
export type Finding = {
  readonly [Id in CauseId]: {
    readonly id: Id;
    /** The file and line with the key, the variable, or the path. */
    readonly where: string;
    readonly data: CauseData<Id>;
  };
}[CauseId];

/** Makes a finding. */
export const finding = <Id extends CauseId>(
  id: Id,
  where: string,
  ...[data]: CauseData<Id> extends undefined ? readonly [] : readonly [data: CauseData<Id>]
): Finding => ({ id, where, data }) as Finding;

/** A startup error, or a warning for the operator before the start, in words. */
export interface Cause {
  /** Its id in the table of README.md. */
  readonly id: CauseId;
  /** `cause`: the node would not start. `warning`: it would start, but not as intended. */
  readonly severity: 'cause' | 'warning';
  /** A part of the text that the program of the node prints; empty if it prints none. */
  readonly prints: string;
  /** The same in plain words. */
  readonly means: string;
  /** The file and line with the key, the variable, or the path. */
  readonly where: string;
  /** The remedy. */
  readonly todo: string;
}

/** A finding in words. */
export function causeOf({ id, where, data }: Finding): Cause {
  const words = ALL[id] as (given: typeof data) => Omit<Cause, 'id' | 'where' | 'severity'> & Partial<Cause>;
  const { severity = 'cause', prints, means, todo } = words(data);
  return { id, severity, prints, means, where, todo };
}
