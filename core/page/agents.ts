// The agents of other hosts as rows. Works without a browser.

import type { OtherAgentStatus, StatusDocument } from '../status/document.js';
import {
  countText,
  hostFaults,
  listText,
  sinceText,
  type State,
  type ViewTime,
} from '../status/answer/index.js';

/** Another host. */
export interface HostRow {
  readonly name: string;
  readonly url: string;
  readonly state: State;
  /** Its faults; else what it has. */
  readonly words: string;
}

/** Most faults of a host in its row. */
const MOST_FAULTS = 3;

/** The other hosts, the worst first. */
export function hostRows({ agents, problems }: StatusDocument, time: ViewTime): readonly HostRow[] {
  const rows = agents.map((agent): HostRow => {
    const isWarned = problems.some(({ component }) => component === `agents/${agent.name}`);
    return { name: agent.name, url: agent.url, ...factsOf(agent, isWarned, time.now) };
  });
  return rows
    .toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
    .map((row) => (time.lostAt === undefined ? row : { ...row, state: 'stale' }));
}

const ORDER: readonly State[] = ['stopped', 'risk', 'unknown', 'works'];

/** @param isWarned whether the agent warns that it cannot read the other one */
function factsOf(agent: OtherAgentStatus, isWarned: boolean, now: number): Pick<HostRow, 'state' | 'words'> {
  const { reachable, since, reason = '', channels, nodes } = agent;
  if (!reachable) {
    const age = sinceText(since, now);
    return {
      state: isWarned ? 'risk' : 'unknown',
      words: reason === NOT_READ ? reason : `not reachable${age === '' ? '' : ` for ${age}`}: ${reason}`,
    };
  }
  const faults = hostFaults(agent).map(({ text }) => text);
  const more = faults.length - MOST_FAULTS;
  if (faults.length > 0)
    return {
      state: hostFaults(agent)[0]!.state,
      words: [...faults.slice(0, MOST_FAULTS), ...(more > 0 ? [`${more} more`] : [])].join(', '),
    };
  const names = channels.map(({ name }) => name);
  return {
    state: 'works',
    words: [...(names.length === 0 ? [] : [listText(names)]), countText(nodes.length, 'node')].join(' · '),
  };
}

/** The reason before the first request has ended (core/agents/agents.ts). */
const NOT_READ = 'not read yet';
