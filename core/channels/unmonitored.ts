// The consenters of a channel that no node of this agent is: from the agents of other hosts, and from the responses of orderers to monitored
// peers.

import type { ChannelConsenters, OrdererResponse } from '../contract/internal/index.js';
import type { Consenter } from '../fabric/channel.js';
import type { ConsenterStatus } from '../status/index.js';
import { stateOf } from './observation.js';
import { SILENT, type VerdictFacts } from './verdict.js';

/** The leader of a channel. */
export interface Leader {
  /** Identifies the leader: with BFT the consenter id, because its name may become known later. */
  readonly key: string | number;
  readonly name: string;
}

/** Consenters known from monitored nodes. */
interface MonitoredFacts extends Pick<VerdictFacts, 'type' | 'size' | 'reached'> {
  readonly config: ChannelConsenters | undefined;
  readonly monitored: readonly Consenter[];
}

/** Sources of consenters that are not monitored. */
interface UnmonitoredSources {
  readonly responses: readonly OrdererResponse[];
  readonly elsewhere: readonly ConsenterStatus[];
  /** The names of the nodes of this agent. */
  readonly names: readonly string[];
}

/** The consenters that are not monitored: all addresses, those with a known state, and those of them that count. */
export function unmonitoredIn(
  { config, monitored, type, size, reached }: MonitoredFacts,
  { responses, elsewhere, names }: UnmonitoredSources,
): {
  readonly others: readonly string[];
  readonly asked: readonly Consenter[];
  readonly counted: readonly Consenter[];
} {
  const own = new Set(monitored.map(({ address }) => address));
  const others = (config?.consenters ?? [])
    .map(({ address }) => address)
    .filter((address) => !own.has(address));
  // Without the address of each node, or with an outdated config, a consenter could count twice.
  if (own.has(undefined) || size !== config?.consenters.length) return { others, asked: [], counted: [] };
  const found = others.flatMap((address) => {
    const reported = observedElsewhere(address, elsewhere, names);
    const consenter = reported ?? askedOf(address, responses, type);
    return consenter === undefined ? [] : [{ consenter, isReported: reported !== undefined }];
  });
  return {
    others,
    asked: found.map(({ consenter }) => consenter),
    // The number of consenters that the Raft leader reaches is newer than responses to peers, and takes precedence.
    counted: found.flatMap(({ consenter, isReported }) =>
      reached === undefined || isReported ? [consenter] : [],
    ),
  };
}

/**
 * The state of a consenter according to the agent that monitors it; undefined: there is none.
 *
 * @param names the names of the nodes of this agent: a consenter with such a name has its address as name
 */
function observedElsewhere(
  address: string,
  elsewhere: readonly ConsenterStatus[],
  names: readonly string[],
): Consenter | undefined {
  const same = elsewhere.filter((each) => each.address === address);
  // Two agents may monitor it, of which one does not reach it.
  const found = same.find(({ outage }) => outage === undefined) ?? same[0];
  if (found === undefined) return undefined;
  const isAmbiguous =
    names.includes(found.name) ||
    elsewhere.some((each) => each.name === found.name && each.address !== address);
  const name = isAmbiguous ? address : found.name;
  const { state } = found;
  if (state === 'active' || state === 'electing') return { name, address, state };
  const outage = found.outage ?? 'does not participate';
  return { name, address, state: stateOf(outage, false), outage };
}

/** The leader according to other agents; undefined: unknown, or they disagree. @param asked the consenters that this agent does not monitor */
export function leaderElsewhere(
  asked: readonly Consenter[],
  elsewhere: readonly ConsenterStatus[],
): Leader | undefined {
  const reported = new Set(elsewhere.flatMap(({ address, leader }) => (leader ? [address] : [])));
  const [leader, ...others] = asked.filter(
    ({ address, outage }) => reported.has(address) && outage === undefined,
  );
  return leader === undefined || others.length > 0 ? undefined : { key: leader.name, name: leader.name };
}

/** States in a response, the best first: one peer may reach an orderer that another peer does not reach. */
const STATES = ['alive', 'unavailable', 'no-channel', 'silent'] as const satisfies OrdererResponse['state'][];

/** The state of a consenter that is not monitored, from its responses to peers; undefined: unknown. */
function askedOf(
  address: string,
  responses: readonly OrdererResponse[],
  type: VerdictFacts['type'],
): Consenter | undefined {
  const own = responses.filter(({ consenter }) => consenter === address);
  const found = STATES.find((state) => own.some((each) => each.state === state));
  if (found === undefined) return undefined;
  // With three or more consenters, a Raft orderer serves no blocks while it knows no leader; a BFT orderer does (`Errored` of their chains).
  const isElecting = found === 'unavailable' && type !== 'BFT';
  const outage = found === 'alive' || isElecting ? undefined : OUTAGES[found];
  return { name: address, address, state: stateOf(outage, isElecting), outage };
}

const OUTAGES = {
  unavailable: 'does not serve the channel',
  'no-channel': 'has not joined the channel, or only follows it',
  silent: SILENT,
};
