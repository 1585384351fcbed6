// Rehearses a case from its blocks and envelopes alone, and compares what was lost there with what its own network lost.

import { readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import type { Loss } from '../../translator/rehearse/losses.js';
import { rehearse, type Rehearsal } from '../../translator/rehearse/index.js';

/** An update of a case. */
interface Submitted {
  readonly network: 'accepted' | 'refused' | 'unserved';
  /** The config block and the envelope, base64; an empty envelope was not submitted. */
  readonly block: string;
  readonly envelope: string;
}

/** What differs between a rehearsal and the network of a case. */
export interface Rehearsed {
  /** What became of the updates in the rehearsal, if it differs. */
  readonly outcomes: readonly string[];
  /** Losses of the network that the rehearsal does not have, as `phase probe who`. */
  readonly notRehearsed: readonly string[];
  /** Losses of the rehearsal that the network does not have. */
  readonly onlyRehearsed: readonly string[];
  readonly seconds: number;
}

/** Whether a rehearsal differs. */
export const isDifferent = ({ outcomes, notRehearsed, onlyRehearsed }: Rehearsed): boolean =>
  outcomes.length + notRehearsed.length + onlyRehearsed.length > 0;

/** @param programs the directory of Fabric's programs */
export async function rehearseAgain(
  acceptance: readonly Submitted[],
  losses: readonly Loss[],
  programs: string,
): Promise<Rehearsed> {
  const submitted = acceptance.filter(({ envelope }) => envelope !== '');
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  const updates = submitted.map(({ envelope }, index) => ({
    name: `update ${index + 1}`,
    update: readUpdateFile(bytes(envelope)),
  }));
  const result = await rehearse(updates, readConfigFile(bytes(submitted[0]!.block)), { programs });
  // A rehearsal numbers the peers of changed organisations first.
  const peers = new Map(
    result.nodes.filter(({ kind }) => kind === 'peer').map(({ name, mspId }) => [name, mspId]),
  );
  const own = new Set(
    losses.map((loss) => keyOf(loss, (who) => who.replace(/^peer(\d)$/, 'peer of Org$1MSP'))),
  );
  const others = new Set(
    allLosses(result).map((loss) =>
      keyOf(loss, (who) => (peers.has(who) ? `peer of ${peers.get(who)}` : who)),
    ),
  );
  return {
    outcomes: result.updates.flatMap(({ name, outcome, reason }, index) =>
      sameOutcome(outcome, submitted[index]!.network) ? [] : [`${name}: ${outcome} ${reason}`],
    ),
    notRehearsed: [...own].filter((each) => !others.has(each)),
    onlyRehearsed: [...others].filter((each) => !own.has(each)),
    seconds: result.seconds,
  };
}

/** An orderer that is stopped is not part of a case. */
const allLosses = ({ failedBefore, updates, restarted }: Rehearsal): Loss[] => [
  ...failedBefore,
  ...updates.flatMap(({ losses }) => losses),
  ...(restarted?.losses ?? []),
];

const keyOf = ({ phase, probe, who }: Loss, nameOf: (who: string) => string): string =>
  `${phase} ${probe} ${nameOf(who)}`;

const sameOutcome = (
  outcome: Rehearsal['updates'][number]['outcome'],
  network: Submitted['network'],
): boolean => (outcome === 'unordered' ? 'accepted' : outcome) === network;
