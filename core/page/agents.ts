// The agents of other hosts in one line. Works without a browser.

import type { OtherAgentStatus } from '../status/document.js';
import { countText } from '../status/answer/index.js';

/** The state of another agent: `fine`, `not fine` or `not reachable`. */
export const agentState = ({ reachable, healthy }: OtherAgentStatus): string =>
  reachable ? (healthy === true ? 'fine' : 'not fine') : 'not reachable';

/** The agents that are not fine, or their number; empty without agents: `host2 not reachable`, `2 other hosts are fine`. */
export function agentsText(agents: readonly OtherAgentStatus[]): string {
  if (agents.length === 0) return '';
  const others = agents.filter((agent) => agentState(agent) !== 'fine');
  if (others.length > 0) return others.map((agent) => `${agent.name} ${agentState(agent)}`).join(', ');
  return `${countText(agents.length, 'other host')} ${agents.length === 1 ? 'is' : 'are'} fine`;
}
