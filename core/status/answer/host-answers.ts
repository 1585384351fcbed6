// What the agents of other hosts report, beyond the channels and nodes that this agent knows. Runs in browsers.

import type { ChannelStatus, OtherAgentStatus, StatusDocument } from '../document.js';
import type { Answer, State } from './answer.js';
import { MAINTENANCE, missingIn } from './causes.js';

/** A fault of another host: `ch2 has stopped`. */
interface HostFault {
  readonly state: Extract<State, 'stopped' | 'risk'>;
  readonly text: string;
}

const CHANNEL_FAULTS: ReadonlyMap<string, readonly [state: HostFault['state'], text: string]> = new Map([
  ['stopped', ['stopped', 'has stopped']],
  ['at-risk', ['risk', 'is at risk']],
  [MAINTENANCE, ['risk', 'is in maintenance']],
]);

const NODE_FAULTS: ReadonlyMap<string, string> = new Map([
  ['ailing', 'fails a check'],
  ['down', 'is down'],
  ['silent', 'does not respond'],
  ['unreadable', 'cannot be read'],
]);

/** The faults that the agent of a host reports, the worst first; empty: none, or it is not reachable. */
export function hostFaults({ channels, nodes, healthy }: OtherAgentStatus): readonly HostFault[] {
  const found = [
    ...channels.flatMap(({ name, verdict = '' }) => {
      const [state, text = ''] = CHANNEL_FAULTS.get(verdict) ?? [];
      return state === undefined ? [] : [{ state, text: `${name} ${text}` }];
    }),
    ...nodes.flatMap(({ name, state }) => {
      const text = NODE_FAULTS.get(state);
      return text === undefined ? [] : [{ state: 'risk' as const, text: `${name} ${text}` }];
    }),
  ].toSorted((left, right) => Number(left.state === 'risk') - Number(right.state === 'risk'));
  return found.length === 0 && healthy === false ? [{ state: 'risk', text: 'a check fails' }] : found;
}

/**
 * One answer for each host with faults. The verdict of this agent about a channel counts, because it is over all hosts, unless the channel has
 * stopped for the other agent only; consenters that it names are not repeated.
 */
export function hostAnswers(document: StatusDocument): readonly Answer[] {
  const { agents, channels: own } = document;
  const verdicts = new Map(own.map(({ name, verdict = 'unknown' }) => [name, verdict]));
  const isSaid = ({ name, verdict }: Pick<ChannelStatus, 'name' | 'verdict'>): boolean => {
    const here = verdicts.get(name) ?? 'unknown';
    return here === verdict || (here !== 'unknown' && verdict !== 'stopped');
  };
  const missing = new Set(own.flatMap((channel) => missingIn(channel).map(({ name }) => name)));
  return agents.flatMap((agent): Answer[] => {
    const { name, url } = agent;
    const channels = agent.channels.filter((each) => !isSaid(each));
    const nodes = agent.nodes.filter((each) => !missing.has(each.name));
    const isReduced = channels.length < agent.channels.length || nodes.length < agent.nodes.length;
    // Its health may be about what was left out.
    const healthy = isReduced && hostFaults(agent).length > 0 ? undefined : agent.healthy;
    const [first, ...others] = hostFaults({ ...agent, channels, nodes, healthy });
    if (first === undefined) return [];
    return [
      {
        state: first.state,
        sentence: first.text === 'a check fails' ? `A check on ${name} fails` : `${first.text} on ${name}`,
        meaning: others.length === 0 ? '' : `Also there: ${others.map(({ text }) => text).join('; ')}.`,
        steps: [{ text: `Open the page of ${name}:`, command: url }],
        follows: [],
        host: name,
      },
    ];
  });
}
