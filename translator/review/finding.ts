// What a review finds in a config update.

import type { FindingId, Severity } from './finding-ids.js';

/** A finding about a config update. */
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
}

/** What a stage says about a refusal, before the prefix of the stage. */
export interface Refusal {
  readonly id: FindingId;
  /** The orderer's text in this stage. */
  readonly orderer: string;
  readonly path: string;
  readonly text: string;
  readonly todo: string;
}

/** Makes a finding of a refusal. */
export const refused = (prefix: string, { id, orderer, path, text, todo }: Refusal): Finding => ({
  id,
  severity: 'refused',
  text,
  orderer: prefix + orderer,
  path,
  todo,
});

/** The beginning of the orderer's text for a config that it cannot apply. */
export const applyingTo = (channel: string): string =>
  `error applying config update to existing channel '${channel}': `;

/** A finding of something that is accepted. */
export const hazard = (
  severity: 'danger' | 'warning',
  id: FindingId,
  path: string,
  text: string,
  todo: string,
): Finding => ({ id, severity, path, text, todo });

/** Whether all values of the config could be decoded. Later stages and hazards need them. */
export const isDecodable = (findings: readonly Finding[]): boolean =>
  !findings.some(({ id }) => id === 'value-undecodable');
