// The answers about channels that have stopped or are at risk. Runs in browsers.

import { groupBy } from '../../common/group-by.js';
import type { ChannelStatus, ConsenterStatus, Problem, StatusDocument } from '../document.js';
import type { AnswerStep, Core, Details } from './answer.js';
import { channelOf, MAINTENANCE, missingIn, type Cause } from './causes.js';
import { clueOf, stillWorking } from './clues.js';
import { capitalised } from '../../common/text/capitalised.js';
import { MOST_NAMES } from './headlines.js';
import { listText } from './words.js';

/** The answer about a channel, and others that miss the same consenters. */
export function channelAnswer(channel: ChannelStatus, cause: Cause, document: StatusDocument): Core {
  const channels = [channel, ...cause.same.flatMap((each) => channelOf(each, document) ?? [])];
  const names =
    channels.length > 2 ? `${channels.length} channels` : listText(channels.map(({ name }) => name));
  const missing = missingIn(channel);
  const others = stillWorking(document, channels);
  if (channel.verdict === MAINTENANCE)
    return maintenanceAnswer(names, channels.length === 1, channel, cause, others);
  return channel.verdict === 'stopped'
    ? stoppedAnswer({ names, isOne: channels.length === 1, missing, others }, channel, cause, document)
    : riskAnswer({ names, isOne: channels.length === 1, missing, others }, channel, cause, document);
}

interface Named {
  /** The names of the channels. */
  readonly names: string;
  readonly isOne: boolean;
  readonly missing: readonly ConsenterStatus[];
  /** A sentence about the other channels. */
  readonly others: string;
}

/** The answer about a channel in maintenance mode. */
function maintenanceAnswer(
  names: string,
  isOne: boolean,
  { reason = '' }: ChannelStatus,
  { problem }: Cause,
  others: string,
): Core {
  return {
    state: 'risk',
    sentence: `${names} ${isOne ? 'is' : 'are'} in maintenance: no transaction is accepted`,
    meaning: sentencesOf(
      reason === '' ? '' : `${capitalised(reason)}.`,
      `Peers get no blocks of ${isOne ? 'it' : 'them'}.`,
      others,
    ),
    steps: [...problem.steps, { text: 'What to check …', opens: runbookOf(problem) }],
  };
}

function stoppedAnswer(
  { names, isOne, missing, others }: Named,
  channel: ChannelStatus,
  cause: Cause,
  document: StatusDocument,
): Core {
  const tooFew = missing.length > 0 && missing.length > channel.consenters.length - (channel.needed ?? 0);
  const why = tooFew ? `: ${outageText(missing)}` : idleText(channel);
  const peers = document.nodes.filter(({ kind }) => kind === 'peer');
  const queries = peers.length > 0 && peers.every(({ up }) => !up) ? '' : 'Peers still answer queries.';
  const after =
    missing.length === 1
      ? `If ${missing[0]!.name} does not start`
      : missing.length === 2
        ? 'If neither starts'
        : 'If they do not start';
  return {
    state: 'stopped',
    sentence: `${names} ${isOne ? 'has' : 'have'} stopped${why}`,
    meaning: sentencesOf(
      'No transaction is accepted.',
      why === '' ? reasonOf(channel) : otherOutages(missing, tooFew),
      queries,
      others,
    ),
    steps: [
      ...stepsWithClues(cause.problem, missing, document),
      ...(tooFew
        ? [{ text: `${after} …`, opens: runbookOf(cause.problem) }]
        : [
            {
              text: 'Check that the orderers reach each other: addresses, ports and TLS certificates …',
              opens: runbookOf(cause.problem),
            },
          ]),
    ],
  };
}

function riskAnswer(
  { names, isOne, missing, others }: Named,
  channel: ChannelStatus,
  cause: Cause,
  document: StatusDocument,
): Core {
  const { reason = '', needed, consenters } = channel;
  const quorum = needed === undefined ? '' : `${needed} of ${consenters.length} orderers are needed.`;
  const running = consenters
    .filter(({ state }) => state === 'active' || state === 'electing')
    .map(({ name }) => name);
  const isIdle = ordersNothing(channel);
  // The sentence has the leader.
  const named = isIdle ? missing.filter(({ leader }) => !leader) : missing;
  const why = named.length > 0 ? `${outagesOf(named).join(', ')}.` : isIdle ? '' : `${reason}.`;
  return {
    state: 'risk',
    sentence: isIdle
      ? `${names} ${isOne ? 'orders' : 'order'} nothing${idleText(channel)}`
      : `${names} ${isOne ? 'works' : 'work'}, but one more failure stops ${isOne ? 'it' : 'them'}`,
    meaning: sentencesOf(why, quorum, others),
    steps: [
      ...stepsWithClues(cause.problem, missing, document),
      ...(running.length === 0 || missing.length === 0
        ? [{ text: 'What to check …', opens: runbookOf(cause.problem) }]
        : [{ text: `Until then, do not restart or upgrade ${listText(running.slice(0, 4), 'or')}.` }]),
    ],
  };
}

const sentencesOf = (...sentences: readonly string[]): string =>
  sentences.filter((each) => each !== '').join(' ');

/** The leader of BFT that does not participate, although the other consenters have not changed the view. */
const lostLeaderOf = (channel: ChannelStatus): ConsenterStatus | undefined =>
  missingIn(channel).find(({ leader }) => leader);

/** Returns true if the leader is lost. A block after the verdict is proof that it participates, although it does not respond to the agent. */
const ordersNothing = (channel: ChannelStatus): boolean =>
  lostLeaderOf(channel) !== undefined &&
  !(Date.parse(channel.last_block_at ?? '') > Date.parse(channel.since ?? ''));

/** Why a channel orders nothing although enough consenters run, after its name; empty: its reason is too long for a headline. */
function idleText(channel: ChannelStatus): string {
  const leader = lostLeaderOf(channel);
  if (leader !== undefined) return `: its leader ${outageText([leader])}`;
  return channel.consenters.some(({ state }) => state === 'electing')
    ? ': its orderers agree on no leader'
    : '';
}

const reasonOf = ({ reason = 'the reason is unknown' }: ChannelStatus): string => `${capitalised(reason)}.`;

const runbookOf = ({ component }: Problem): Details => ({ of: 'cause', component });

/** By their states: `orderer2 is down`, `orderer3 does not respond`. */
const outagesOf = (missing: readonly ConsenterStatus[]): string[] =>
  [...groupBy(missing, ({ state }) => state)].map(
    ([state, same]) =>
      `${listText(same.map(({ name }) => name))} ${OUTAGES[state]?.[same.length === 1 ? 0 : 1] ?? ''}`,
  );

/** In a headline: `orderer2 and orderer3 are down`; consenters in different states do not participate. */
function outageText(missing: readonly ConsenterStatus[]): string {
  const states = new Set(missing.map(({ state }) => state));
  const [one, many] = OUTAGES[states.size === 1 ? [...states][0]! : 'absent'] ?? ['', ''];
  const names = missing.map(({ name }) => name);
  const who = names.length > MOST_NAMES ? `${names.length} orderers` : listText(names);
  return `${who} ${missing.length === 1 ? one : many}`;
}

/** The outages that a headline does not have: those in different states, or of more consenters than it names. */
function otherOutages(missing: readonly ConsenterStatus[], isInHeadline: boolean): string {
  const outages = outagesOf(missing);
  return isInHeadline && (outages.length > 1 || missing.length > MOST_NAMES) ? `${outages.join(', ')}.` : '';
}

const OUTAGES: Readonly<Record<string, readonly [string, string]>> = {
  down: ['is down', 'are down'],
  silent: ['does not respond', 'do not respond'],
  absent: ['does not participate', 'do not participate'],
};

/** The steps of a problem; the first one with what is known about the nodes. */
function stepsWithClues(
  { steps }: Problem,
  missing: readonly ConsenterStatus[],
  document: StatusDocument,
): AnswerStep[] {
  const [first, ...rest] = steps;
  if (first === undefined) return [];
  return [
    {
      ...first,
      clues: missing.map(({ name, node, outage }) => ({
        node: name,
        text: clueOf(node, document) ?? outage ?? '',
      })),
    },
    ...rest,
  ];
}
