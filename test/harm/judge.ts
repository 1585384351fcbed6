// Compares what a review said with what a network lost: losses that no finding names, dangers that did not happen.

import { compareLosses, isForetold, type Membership } from '../../translator/rehearse/foretold.js';
import type { Loss } from '../../translator/rehearse/losses.js';
import type { Finding } from '../../translator/review/index.js';

const APPLICATION = { section: 'Application', kind: 'peer' } as const;
const ORDERERS = { section: 'Orderer', kind: 'orderer' } as const;

const organization = (
  { section }: typeof APPLICATION | typeof ORDERERS,
  name: string,
  mspId = name,
): Membership['organizations'][number] => ({ name, path: `/Channel/${section}/${name}`, section, mspId });

/** The members of all networks of the laboratory. Some updates rename an organisation. */
const MEMBERS: Membership = {
  organizations: [
    organization(APPLICATION, 'Org1MSP'),
    organization(APPLICATION, 'Org2MSP'),
    organization(APPLICATION, 'Renamed'),
    organization(ORDERERS, 'OrdererOrg', 'OrdererMSP'),
  ],
  nodes: [
    ...[1, 2, 3, 4].map((number) => ({
      name: `orderer${number}`,
      kind: ORDERERS.kind,
      mspId: 'OrdererMSP',
    })),
    ...[1, 2].map((number) => ({ name: `peer${number}`, kind: APPLICATION.kind, mspId: `Org${number}MSP` })),
  ],
};

/** The verdict about what a network did. */
export interface Verdict {
  /** Losses that no finding names. */
  readonly notNamed: readonly Loss[];
  /** Dangers that did not happen. */
  readonly falseDangers: readonly Finding[];
  /** Dangers that this laboratory cannot see. */
  readonly notSeen: readonly Finding[];
}

/** Findings, and what was lost when their updates were in blocks. */
export interface Step {
  readonly findings: readonly Finding[];
  readonly losses: readonly Loss[];
}

/** Whether the findings of the last step name a loss, or it was there before that step. */
export const isNamed = (steps: readonly Step[], loss: Loss): boolean =>
  isForetold(steps.at(-1)?.findings ?? [], loss, MEMBERS) ||
  steps
    .slice(0, -1)
    .some(({ losses }) => losses.some(({ probe, who }) => probe === loss.probe && who === loss.who));

/** Judges the findings of updates that a network accepted. */
export function judge(steps: readonly Step[]): Verdict {
  const { notSeen, notTried } = compareLosses(
    steps.flatMap(({ findings }) => findings),
    steps.flatMap(({ losses }) => losses),
    MEMBERS,
  );
  return {
    notNamed: steps.flatMap((step, index) =>
      step.losses.filter((loss) => !isNamed(steps.slice(0, index + 1), loss)),
    ),
    falseDangers: notSeen,
    notSeen: notTried,
  };
}
