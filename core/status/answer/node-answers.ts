// The answers about nodes and their checks. Runs in browsers.

import type { LevelStatus, NodeStatus, Problem, StatusDocument } from '../document.js';
import type { AnswerStep, Core } from './answer.js';
import { isClock, type Cause } from './causes.js';
import { headlineOf, leftLevelOf, namesText } from './headlines.js';
import { capitalised } from '../../common/text/capitalised.js';
import { clueOf, lastWorking, stillWorking, withoutUrl } from './clues.js';
import { ageText, listText } from './words.js';

/** The answer about nodes that are not up. */
export function nodeAnswer({ problem, same }: Cause, document: StatusDocument): Core {
  const names = [problem, ...same].map(({ node, component }) => node ?? component);
  const nodes = document.nodes.filter(({ name }) => names.includes(name));
  const kind = problem.kind ?? '';
  const [one, many] = VERBS[kind] ?? DOWN;
  const works = stillWorking(document);
  const isAlone = works === '' && document.nodes.every(({ up }) => !up);
  return {
    state: isAlone ? (kind === 'silent' ? 'silent' : 'stopped') : 'risk',
    sentence: `${namesText(names)} ${names.length === 1 ? one : many}`,
    meaning: isAlone ? 'No other node is up.' : [works, consequence(kind, names)].join(' ').trim(),
    steps: nodeSteps(problem, names, nodes, document),
  };
}

/** The answer about nodes that are not up without a failure: not confirmed yet, or the agent reports none; undefined: all are up. */
export function notUpAnswer(document: StatusDocument): Core | undefined {
  const nodes = document.nodes.filter(({ up }) => !up);
  const [first] = nodes;
  if (first === undefined) return undefined;
  const same = nodes.filter(({ state }) => state === first.state);
  const [one, many] = VERBS[first.state] ?? ['is not up', 'are not up'];
  return {
    state: nodes.every(({ state }) => state === 'unknown') ? 'unknown' : 'risk',
    sentence: `${namesText(same.map(({ name }) => name))} ${same.length === 1 ? one : many}`,
    meaning: stillWorking(document),
    steps: [{ text: `Open ${first.name}`, opens: { of: 'node', name: first.name } }],
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
  const [first = whatToCheck(problem), ...more] =
    names.length === 1
      ? steps
      : [{ text: `${kind === 'down' ? 'Start' : 'Check the hosts of'} ${listText(names)}.` }];
  return [kind === 'silent' ? first : { ...first, clues }, ...more];
}

/** The step for a failure without steps: it opens what the agent knows. */
const whatToCheck = ({ component, node, kind }: Problem): AnswerStep =>
  node === undefined
    ? { text: `Open the checks of ${component}`, opens: { of: 'cause', component } }
    : kind === 'unreadable'
      ? { text: `What to check on ${node} …`, opens: { of: 'cause', component } }
      : { text: `Open the checks and the log of ${node}`, opens: { of: 'node', name: node } };

const DOWN = ['is down', 'are down'] as const;

const VERBS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  down: DOWN,
  silent: ['does not respond', 'do not respond'],
  unreadable: ['responds, but the agent cannot read it', 'respond, but the agent cannot read them'],
  changed: [
    'does not respond; its configuration was changed',
    'do not respond; their configurations were changed',
  ],
  unresolved: [
    'has an address that the agent cannot resolve',
    'have addresses that the agent cannot resolve',
  ],
  unknown: ['was not read yet', 'were not read yet'],
};

/** The consequence of the failure of nodes for their clients. */
function consequence(kind: string, names: readonly string[]): string {
  const them = listText(names);
  if (kind === 'down') return `Applications that use ${them} fail.`;
  return kind === 'silent' ? `Applications that use ${them} wait.` : '';
}

/** The answer while the agent lags. */
export function lagAnswer(document: StatusDocument): Core {
  const { lag } = document.agent;
  return {
    state: 'unknown',
    sentence: `The agent was late${lag === undefined ? '' : ` by ${ageText(1000 * lag)}`} in the last minute`,
    meaning: `Its host gave it too little CPU, or its disk did not respond. ${lastWorking(document)}`.trim(),
    steps: [{ text: 'Check the load of the host:', command: 'uptime' }],
  };
}

/** The answer about any other check. */
export function otherAnswer({ problem, same }: Cause, document: StatusDocument): Core {
  const { component, reason, steps, state } = problem;
  const works = stillWorking(document);
  const level = leftLevelOf(component, document);
  return {
    state: works === '' && state === 'failed' ? 'stopped' : 'risk',
    sentence: isClock(problem) ? 'The clock of this host is wrong' : headlineOf([problem, ...same], document),
    meaning: `${capitalised(withoutUrl(reason))}. ${works}`.trim(),
    steps: level !== undefined ? [backStep(level)] : steps.length > 0 ? steps : [whatToCheck(problem)],
  };
}

/** The step for a log level that does not end by itself. */
function backStep({ name, configured = 'info' }: LevelStatus): AnswerStep {
  const spec = configured === '' ? 'info' : configured;
  return { text: `Set the log level of ${name} back to ${spec}.`, level: { node: name, spec } };
}
