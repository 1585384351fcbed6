// What a review finds in a config update.

import type { Config, ConfigUpdate } from '../config/element.js';
import type { Applied } from '../config/apply.js';
import type { FabricVersion } from '../config/capabilities.js';

/** refused: the orderer refuses the update. unsigned: signatures are missing. danger: accepted, with damage. warning: look at it. */
export type Severity = 'refused' | 'unsigned' | 'danger' | 'warning';

/** A finding about a config update. */
export interface Finding {
  /** The kind of finding, for programs and for the table in the documentation. */
  readonly id: string;
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

/** What the stages of a review look at. */
export interface Proposal {
  /** The name of the channel. */
  readonly channel: string;
  /** The current config. */
  readonly before: Config;
  readonly update: ConfigUpdate;
  readonly applied: Applied;
  /** The version of the orderers. */
  readonly fabric: FabricVersion;
  /** The number of consenters that are alive; undefined for all of them. */
  readonly active?: number | undefined;
}

/** What a stage says about a refusal, before the prefix of the stage. */
export interface Refusal {
  readonly id: string;
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
