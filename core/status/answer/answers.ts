// The answer: does it work, what does it mean, and what is to do. The page and the command `status` begin with it. Runs in browsers.

import type { ChannelStatus, Problem, StatusDocument } from '../document.js';
import type { Answer, Answers, ViewTime } from './answer.js';
import { causesOf, channelOf, isLag, isOfNode, missingIn, type Cause } from './causes.js';
import { certificateAnswer } from './certificates.js';
import { channelAnswer } from './channel-answers.js';
import { hostAnswers } from './host-answers.js';
import { lagAnswer, nodeAnswer, notUpAnswer, otherAnswer } from './node-answers.js';
import { isPlanned, plannedAnswers } from './planned.js';
import { capitalised } from '../../common/text/capitalised.js';
import { countText, listText, secondsText, sinceText } from './words.js';

const none = { meaning: '', steps: [], follows: [] };

/** The answers for a document; undefined before the first one. */
export function answersOf(document: StatusDocument | undefined, time: ViewTime): Answers {
  if (time.lostAt !== undefined) return { first: lostAnswer(document, time), others: [] };
  if (document === undefined)
    return { first: { ...none, state: 'unknown', sentence: 'Waiting for the agent' }, others: [] };
  const causes = causesOf(document);
  const ofHosts = hostAnswers(document);
  const ofCauses = causes.map((cause) => causeAnswer(cause, document, time));
  const covered = ofCauses.filter(isPlanned);
  const planned = plannedAnswers(document, covered, fineAnswer(document, time), time);
  const answers = withHosts(
    // Without planned work the documents of other agents may have silenced failures, too.
    planned.length === 0 ? ofCauses : ofCauses.filter((answer) => !covered.includes(answer)),
    ofHosts,
  );
  // The first step of an agent without a node is to give it one, also on a host without a Docker engine.
  if (
    document.nodes.length === 0 &&
    ofHosts.length === 0 &&
    causes.every(({ problem }) => problem.severity !== 'critical')
  )
    return { first: withoutNodes(document), others: answers };
  const [first = fineAnswer(document, time), ...others] = [...answers, ...planned];
  return { first, others };
}

/** The answers with those about other hosts: what has stopped there comes before what only is at risk here. */
function withHosts(own: readonly Answer[], ofHosts: readonly Answer[]): readonly Answer[] {
  const isWorst = ({ state }: Answer): boolean => state === 'stopped' || state === 'silent';
  const before = own.findIndex((answer) => !isWorst(answer));
  const index = before === -1 ? own.length : before;
  return [
    ...own.slice(0, index),
    ...ofHosts.filter(isWorst),
    ...own.slice(index),
    ...ofHosts.filter((answer) => !isWorst(answer)),
  ];
}

/** The agent does not respond: nothing on the page is certain. */
function lostAnswer(document: StatusDocument | undefined, { lostAt = 0, zone }: ViewTime): Answer {
  const last = Date.parse(document?.time ?? '');
  const host = document?.agent.host;
  return {
    ...none,
    state: 'stale',
    sentence: 'The agent does not respond',
    meaning: Number.isNaN(last)
      ? 'It has not answered since this page was opened.'
      : `What you see is old. At ${secondsText(last, zone)} the agent reported: “${answersOf(document, { now: last, zone }).first.sentence}”.`,
    since: new Date(lostAt).toISOString(),
    steps: [
      {
        text: `Check whether the agent runs${host === undefined ? '' : ` on ${host}`}. This page connects again by itself.`,
        command: 'systemctl status fabric-ops-agent',
      },
    ],
  };
}

/** Files that most hosts of a peer and of an orderer have. */
const USUAL = ['/etc/hyperledger/fabric/core.yaml', '/etc/hyperledger/fabric/orderer.yaml'] as const;

/** The configuration files of nodes on the host of the agent; the usual paths if it has found none. */
export const filesOf = ({ found }: StatusDocument['agent']): readonly string[] =>
  found.length === 0 ? USUAL : found;

function withoutNodes({ agent, plugins }: StatusDocument): Answer {
  const [first = USUAL[0], ...more] = agent.found;
  const isStarting = plugins.length > 0;
  return {
    ...none,
    state: 'unknown',
    sentence: 'This agent monitors no node yet',
    meaning: 'With a node, the agent reports whether its channels work, and what to do if not.',
    steps: [
      agent.running > 0
        ? {
            text: `${countText(agent.running, 'node')} of Fabric ${agent.running === 1 ? 'runs' : 'run'} on this host. Write a configuration for ${agent.running === 1 ? 'it' : 'them'}, and start the agent with that:`,
            command: `${agent.program} nodes --write fabric-nodes && ${agent.program} start --config fabric-nodes/agent.yaml`,
          }
        : {
            text:
              agent.found.length === 0
                ? 'Start the agent again with the file of a peer (core.yaml) or an orderer (orderer.yaml):'
                : 'Start the agent again beside the node of this host:',
            command: startCommand(agent, [first]),
          },
      ...(agent.running > 0 || more.length > 0 || agent.found.length === 0
        ? [
            {
              text:
                agent.running > 0
                  ? 'Or name the files of nodes'
                  : more.length > 0
                    ? `Or beside all ${agent.found.length} nodes of this host`
                    : 'Or for several nodes',
              opens: { of: 'nodes' } as const,
              isAlternative: true,
            },
          ]
        : []),
      ...(isStarting
        ? [
            {
              text: `${countText(plugins.length, 'plugin')} ${plugins.length === 1 ? 'has' : 'have'} not started yet`,
              opens: { of: 'agent' } as const,
            },
          ]
        : []),
    ],
  };
}

/** The command that monitors the nodes of files. */
export const startCommand = ({ program }: StatusDocument['agent'], files: readonly string[]): string =>
  `${program} start ${files.map((file) => `--node ${quoted(file)}`).join(' ')}`;

/** A path as one word of a shell. */
const quoted = (path: string): string =>
  /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** Nothing is wrong. */
function fineAnswer(document: StatusDocument, { now }: ViewTime): Answer {
  const { channels, nodes, plugins, unchecked = [] } = document;
  const notUp = notUpAnswer(document);
  if (plugins.length === 0 && unchecked.length > 0) return firstChecksAnswer(document, unchecked);
  if (plugins.length === 0 && notUp !== undefined) return { ...none, ...notUp };
  const working = channels.filter(({ verdict }) => verdict === 'working');
  const unclear = channels.filter((each) => !working.includes(each));
  if (plugins.length > 0)
    return {
      ...none,
      state: 'unknown',
      sentence: 'The agent is starting',
      meaning: `${countText(plugins.length, 'plugin')} ${plugins.length === 1 ? 'has' : 'have'} not started yet: ${listText(plugins.map(({ name }) => name))}.`,
      steps: [],
    };
  const sentence =
    working.length === 0
      ? `${countText(nodes.length, 'node')} ${nodes.length === 1 ? 'is' : 'are'} up`
      : working.length === 1
        ? `${working[0]!.name} works`
        : `${working.length} channels work`;
  const facts = [
    ...(working.length === 1 ? quorumFacts(working[0]!) : []),
    ...blockFacts(working, now),
    ...peerFacts(document),
  ];
  const doubt =
    unclear.length === 0
      ? ''
      : ` Whether ${listText(
          unclear.map(({ name }) => name),
          'or',
        )} ${unclear.length === 1 ? 'works' : 'work'} is unknown: ${unclear[0]!.reason ?? 'its consenters are unknown'}.`;
  const text = facts.length === 0 ? '' : `${capitalised(facts.join('; '))}.`;
  return {
    ...none,
    state: working.length === 0 && channels.length > 0 ? 'unknown' : 'works',
    sentence,
    meaning: channels.length === 0 ? 'No node has a channel yet.' : `${text}${doubt}`.trim(),
  };
}

/** Nothing is known to be wrong, and not all is known. */
const firstChecksAnswer = ({ checks }: StatusDocument, unchecked: readonly string[]): Answer => ({
  ...none,
  state: 'unknown',
  sentence: 'The first checks still run',
  meaning: `${unchecked.length} of ${countText(checks.length, 'check')} ${unchecked.length === 1 ? 'has' : 'have'} no result yet: ${listText(unchecked)}. No failure has been found so far.`,
});

function quorumFacts({ consenters, may_fail: mayFail }: ChannelStatus): string[] {
  const running = consenters.filter(({ state }) => state === 'active' || state === 'electing').length;
  if (consenters.length === 0 || running === 0) return [];
  const rest =
    mayFail === undefined
      ? ''
      : mayFail === 0
        ? ', none may fail'
        : mayFail === 1
          ? ', any one may fail'
          : `, any ${mayFail} may fail`;
  return [`${running} of ${countText(consenters.length, 'orderer')}${consenters.length === 1 ? '' : rest}`];
}

function blockFacts(channels: readonly ChannelStatus[], now: number): string[] {
  const last = channels.map(({ last_block_at: at = '' }) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (last.length === 0) return [];
  const age = sinceText(new Date(Math.max(...last)).toISOString(), now);
  return [`newest block ${age === '' ? 'just now' : `${age} ago`}`];
}

function peerFacts({ channels }: StatusDocument): string[] {
  const behind = channels.flatMap(({ height = 0, nodes }) =>
    nodes
      .filter(({ kind }) => kind === 'peer')
      .map((each) => ({ name: each.node, lag: height - (each.height ?? height) })),
  );
  if (behind.length === 0) return [];
  const late = [...new Set(behind.filter(({ lag }) => lag > 1).map(({ name }) => name))];
  return [late.length === 0 ? 'peers up to date' : `${listText(late)} behind`];
}

/** The answer about a failure: about its cause, or about the failure alone if another one explains it; undefined: it has ended. */
export function answerFor(component: string, document: StatusDocument, time: ViewTime): Answer | undefined {
  const isIt = (problem: Problem): boolean => problem.component === component;
  const own = causesOf(document).find(({ problem, same }) => [problem, ...same].some(isIt));
  const problem = document.problems.find(isIt);
  const cause = own ?? (problem && { problem, same: [], follows: [] });
  return cause && causeAnswer(cause, document, time);
}

/** The answer about a cause. */
function causeAnswer(cause: Cause, document: StatusDocument, time: ViewTime): Answer {
  const { problem } = cause;
  const channel = channelOf(problem, document);
  const common = {
    since: sinceOf(cause),
    runbook: runbookOf(problem),
    cause,
    follows: cause.follows.filter((each) => !isShown(each, cause, document)),
  };
  if (channel !== undefined) return { ...common, ...channelAnswer(channel, cause, document) };
  if (isOfNode(problem)) return { ...common, ...nodeAnswer(cause, document) };
  // When these warnings began proves nothing: the time that was lost counts, and the end of a certificate.
  if (isLag(problem)) return { ...common, ...lagAnswer(document), since: undefined };
  const certificate = certificateAnswer(cause, document, time);
  if (certificate !== undefined) return { ...common, ...certificate, since: undefined };
  return { ...common, ...otherAnswer(cause, document) };
}

/** Longest time between the failure of a node and the verdict about its channel that follows from it, in milliseconds. */
const SAME_TIME = 10_000;

/** When a cause began. The row of a node has the time of its failure; one event has one time. */
function sinceOf({ problem, follows }: Cause): string {
  const distanceOf = ({ since }: Problem): number => Math.abs(Date.parse(since) - Date.parse(problem.since));
  const [nearest] = follows
    .filter((each) => isOfNode(each) && distanceOf(each) < SAME_TIME)
    .toSorted((left, right) => distanceOf(left) - distanceOf(right));
  return (nearest ?? problem).since;
}

/** Sections about any check, which say only where its reason is: the answer has the reason. */
const GENERAL = new Set(['FabricHealthCheckFailing', 'FabricHealthCheckWarning']);

/** The section of the runbook about a failure; undefined: it has none of its own. */
const runbookOf = ({ runbook = '' }: Problem): string | undefined =>
  runbook === '' || GENERAL.has(runbook) ? undefined : runbook;

/** Returns true if the clues of a cause already name a failure, because it is the failure of a consenter that is down. */
const isShown = (problem: Problem, { problem: first }: Cause, document: StatusDocument): boolean =>
  isOfNode(problem) && missingIn(channelOf(first, document)).some(({ node }) => node === problem.node);
