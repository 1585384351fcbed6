// The answers about nodes and their checks. Works without a browser.

import type { NodeStatus, Problem, StatusDocument } from '../status/document.js';
import type { AnswerStep, Core } from './answer.js';
import type { Cause } from './causes.js';
import { clueOf, stillWorking, withoutUrl } from './clues.js';
import { listText } from './words.js';

/** The answer about nodes that are not up. */
export function nodeAnswer({ problem, same }: Cause, document: StatusDocument): Core {
  const names = [problem, ...same].map(({ node, component }) => node ?? component);
  const nodes = document.nodes.filter(({ name }) => names.includes(name));
  const kind = problem.kind ?? '';
  const [one, many] = VERBS[kind] ?? DOWN;
  const works = stillWorking(document, []).trim();
  const isAlone = works === '' && document.nodes.every(({ up }) => !up);
  return {
    state: isAlone ? (kind === 'silent' ? 'silent' : 'stopped') : 'risk',
    sentence: `${listText(names)} ${names.length === 1 ? one : many}`,
    meaning: isAlone ? 'No other node is up.' : [works, consequence(kind, names)].join(' ').trim(),
    steps: nodeSteps(problem, names, nodes, document),
  };
}

/** The steps of the failure of a node, with what is known about it; several nodes have one step. */
function nodeSteps(
  problem: Problem,
  names: readonly string[],
  nodes: readonly NodeStatus[],
  document: StatusDocument,
): AnswerStep[] {
  const { kind = '', steps } = problem;
  const clues = nodes.map((node) => ({ node: node.name, text: clueOf(node.name, document) ?? '' }));
  // The clue has what the log says.
  const own = steps.filter(({ text }) => kind !== 'down' || !text.startsWith('If it stops again'));
  const [first = whatToCheck(problem), ...more] =
    names.length === 1
      ? own
      : [{ text: `${kind === 'down' ? 'Start' : 'Look at the hosts of'} ${listText(names)}.` }];
  return [kind === 'silent' ? first : { ...first, clues }, ...more];
}

/** The step for a failure without steps: it opens what the agent knows. */
const whatToCheck = ({ component, node, kind }: Problem): AnswerStep =>
  node === undefined || kind === 'unreadable'
    ? { text: `What to check on ${node ?? component} …`, opens: { of: 'cause', component } }
    : { text: `Look at the checks and the log of ${node}`, opens: { of: 'node', name: node } };

const DOWN = ['is down', 'are down'] as const;

const VERBS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  down: DOWN,
  silent: ['does not respond', 'do not respond'],
  unreadable: ['responds, but the agent cannot read it', 'respond, but the agent cannot read them'],
  unknown: ['was not read yet', 'were not read yet'],
};

/** The consequence of the failure of nodes for their clients. */
function consequence(kind: string, names: readonly string[]): string {
  const them = listText(names);
  if (kind === 'down') return `Applications that use ${them} fail.`;
  return kind === 'silent' ? `Applications that use ${them} wait.` : '';
}

/** The answer while the agent lags. */
export function lagAnswer({ reason }: Problem): Core {
  const lost = /late by (\S+)/.exec(reason)?.[1];
  const time = lost === undefined ? '' : ` by ${lost.replaceAll(/(\d)([a-z]+)/g, '$1 $2 ').trim()}`;
  return {
    state: 'unknown',
    sentence: `The agent was late${time} in the last minute`,
    meaning:
      'Its host gave it too little CPU, or its disk did not respond. The states below are the last certain ones.',
    steps: [{ text: 'Look at the load of the host:', command: 'uptime' }],
  };
}

/** The answer about any other check. */
export function otherAnswer({ problem, same }: Cause, document: StatusDocument): Core {
  const { component, node, reason, steps, state } = problem;
  const all = [...new Set([problem, ...same].map((each) => each.node ?? each.component))];
  const name = all.length > 1 ? listText(all) : (node ?? component);
  const text = withoutUrl(reason);
  const works = stillWorking(document, []).trim();
  return {
    state: works === '' && state === 'failed' ? 'stopped' : 'risk',
    sentence: text.includes(name) ? text : `${name}: ${text}`,
    meaning: works,
    steps: steps.length > 0 ? steps : [whatToCheck(problem)],
  };
}
