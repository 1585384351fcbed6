// Makes findings.

import { describeFinding, type Finding, type FindingData, type FindingId } from '../documents/index.js';
import type { Proposal } from './facts/proposal.js';

/** What a stage says about a refusal, before the prefix of the stage. */
export type Refusal = {
  readonly [Id in FindingId]: {
    readonly id: Id;
    /** The orderer's text in this stage. */
    readonly orderer: string;
    readonly path: string;
    readonly data: FindingData<Id>;
  };
}[FindingId];

/** A finding with the orderer's text. */
export function refused(
  prefix: string,
  { id, orderer, path, data }: Refusal,
  severity: 'refused' | 'unsigned' = 'refused',
): Finding {
  // The compiler does not know that id and data belong together.
  const { text, todo } = describeFinding(id, data as never);
  return { id, severity, text, orderer: prefix + orderer, path, todo, data };
}

/** A finding without a text of the orderer. */
export function finding<Id extends FindingId>(
  severity: Finding['severity'],
  id: Id,
  path: string,
  data: FindingData<Id>,
): Finding {
  const { text, todo } = describeFinding(id, data);
  return { id, severity, text, path, todo, data };
}

/** The beginning of the orderer's text for a config that it cannot apply; empty for a config by itself. */
export const applying = ({ channel, update }: Proposal): string =>
  update === undefined ? '' : `error applying config update to existing channel '${channel}': `;

/** Whether all values of the config could be decoded. Later stages and dangers need them. */
export const isDecodable = (findings: readonly Finding[]): boolean =>
  !findings.some(({ id }) => id === 'value-undecodable');
