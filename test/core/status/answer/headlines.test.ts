// Headlines: at most 12 words and a verb, never a raw reason.

import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import type { Headlines } from '../../../../core/contract/plugin.js';
import { BUILT_IN } from '../../../../core/built-in.js';
import { answersOf } from '../../../../core/status/answer/index.js';
import type { Answers } from '../../../../core/status/answer/answer.js';
import type { Problem } from '../../../../core/status/document.js';
import { readStatus } from '../../../../core/status/read.js';
import { pageState, STATES } from '../../../helpers/page-states.js';

/** A verb of each headline. */
const VERB =
  /\b(?:is|are|was|were|has|have|had|works?|stops?|fails?|does|do|needs?|reports?|responds?|expires?|expired|ends?|orders?|logs?|cannot|serves?|refuses?|monitors|got|did|will)\b/;
/** Reasons are longer than any headline, and this word is in no headline. */
const REASON = `GET http://127.0.0.1:9443/x: RAW ${'and more '.repeat(20)}`;

/** Checks the headline of each answer. */
function checkHeadlines(t: ExecutionContext, { first, others }: Answers): void {
  for (const { sentence, planned } of [first, ...others]) {
    t.true(sentence.split(/\s+/).length <= 12, `${sentence.split(/\s+/).length} words: ${sentence}`);
    t.regex(sentence, planned === undefined ? VERB : /^Planned: /);
    t.notRegex(sentence, /RAW/);
  }
}

test('all states are recorded states', (t) => {
  t.deepEqual(
    readdirSync('test/core/page/states').toSorted(),
    STATES.map((name) => `${name}.json`).toSorted(),
  );
});

for (const name of STATES)
  test(`the headlines of the recorded state ${name} have at most 12 words and a verb`, (t) => {
    const { document, now } = pageState(name);
    checkHeadlines(t, answersOf(document, { now }));
    checkHeadlines(t, answersOf(document, { now, lostAt: now }));
  });

/** The problems of a check, of some nodes. */
const problemsOf = (
  kind: string,
  nodes: readonly string[],
  part: string,
  state: string,
): Partial<Problem>[] =>
  nodes.map((node) => ({
    component: `${node}/${kind}${part}`,
    node,
    kind,
    state,
    reason: REASON,
  }));

const CHECKERS = BUILT_IN.flatMap(({ kind, name }) => (kind === 'checker' ? [name] : []));
const NODES = ['peer1', 'peer2', 'peer3', 'peer4', 'peer5'];

/** The answers about problems, with the checks of all nodes. */
const answersAbout = (problems: readonly Partial<Problem>[], more: object = {}): Answers => {
  const checks = NODES.flatMap((node) => CHECKERS.map((name) => `${node}/${name}`));
  const nodes = NODES.map((name) => ({ name, kind: 'peer', up: true, state: 'up' }));
  return answersOf(readStatus(JSON.stringify({ checks, nodes, problems, ...more })), { now: 0, zone: 'UTC' });
};

/** The headlines in the definition of a built-in checker; undefined: it is another one. */
async function headlinesOf(kind: string): Promise<Headlines | undefined> {
  const url = BUILT_IN.find((each) => each.kind === 'checker' && each.name === kind)?.url;
  if (url === undefined) return undefined;
  const { default: definition } = (await import(url)) as { default: { headlines?: Headlines } };
  return definition.headlines;
}

for (const kind of [...CHECKERS, 'quota', 'a check with a long name'])
  test(`the check ${kind} that fails or warns, all of it and a part, of 1, 2 and 5 nodes, whatever its reason`, async (t) => {
    const headlines = await headlinesOf(kind);
    for (const state of ['failed', 'warning'] as const)
      for (const part of ['', '/ch1', '/a part with spaces'])
        for (const count of [1, 2, 5]) {
          const problems = problemsOf(kind, NODES.slice(0, count), part, state);
          const headline = headlines?.[state];
          checkHeadlines(t, answersAbout(problems.map((each) => ({ ...each, headline }))));
        }
  });

test('the headlines of a check name its part, its nodes, or the check if all of it fails', async (t) => {
  const { failed: headline } = (await headlinesOf('loaded-channels'))!;
  const said = (part: string): string =>
    answersAbout(
      problemsOf('loaded-channels', ['peer1'], part, 'failed').map((each) => ({ ...each, headline })),
    ).first.sentence;
  t.deepEqual(
    [said('/ch1'), said('')],
    ['ch1 is not loaded on peer1', 'The check loaded-channels of peer1 fails'],
  );
});

for (const kind of ['down', 'changed', 'silent', 'unreadable', 'unresolved', 'unknown', 'agent'])
  test(`nodes that are ${kind}, 1, 2 and 5 of them`, (t) => {
    for (const count of [1, 2, 5]) {
      const problems = NODES.slice(0, count).map((node) => ({
        component: node,
        node,
        kind,
        state: 'failed',
        reason: REASON,
      }));
      checkHeadlines(t, answersAbout(problems));
    }
  });

/** A channel of five consenters, in these states. */
const channelOf = (name: string, verdict: string, states: readonly string[], leader: number): object => ({
  name,
  verdict,
  needed: 3,
  reason: REASON,
  consenters: states.map((state, index) => ({ name: `orderer${index}`, state, leader: index === leader })),
});

for (const verdict of ['stopped', 'at-risk', 'maintenance'])
  for (const states of [
    ['down', 'down', 'down', 'active', 'active'],
    ['down', 'silent', 'absent', 'down', 'down'],
    ['electing', 'electing', 'electing', 'down', 'active'],
    ['active', 'active', 'active', 'active', 'active'],
  ])
    test(`channels that are ${verdict} with orderers that are ${states.join(', ')}`, (t) => {
      for (const count of [1, 2, 30])
        for (const leader of [-1, 0]) {
          const names = Array.from({ length: count }, (_, index) => `ch${index}`);
          const problems = names.map((name) => ({
            component: `channels/${name}`,
            kind: 'channel',
            state: verdict === 'stopped' ? 'failed' : 'warning',
            reason: REASON,
          }));
          const channels = names.map((name) => channelOf(name, verdict, states, leader));
          checkHeadlines(t, answersAbout(problems, { channels }));
        }
    });

for (const [component, sentence] of [
  ['slack (notifier)', 'The notifier slack does not deliver everything'],
  ['statsd (sink)', 'The sink statsd does not deliver everything'],
  ['tls (operations)', 'The TLS files of the agent need attention'],
  ['agents/host2', 'The agent of host2 cannot be read'],
  ['clock', 'The clock of this host is wrong'],
  ['mail', 'The check mail reports a warning'],
] as const)
  test(`the headline of ${component}: ${sentence}`, (t) => {
    const { first } = answersAbout([{ component, kind: 'agent', state: 'warning', reason: REASON }]);
    t.is(first.sentence, sentence);
  });

test('a log level that does not end by itself is named, and its step sets it back', (t) => {
  const { first } = answersAbout(
    [{ component: 'peer1/level', node: 'peer1', kind: 'agent', state: 'warning', reason: 'x' }],
    { levels: [{ name: 'peer1', spec: 'debug', configured: '' }] },
  );
  t.deepEqual(
    [first.sentence, first.steps],
    [
      'peer1 logs at debug',
      [{ text: 'Set the log level of peer1 back to info.', level: { node: 'peer1', spec: 'info' } }],
    ],
  );
});

test('a checker gives an exact headline, for all nodes with the same failure', (t) => {
  const problems = problemsOf('orderer-link', ['peer1', 'peer2'], '/ch1', 'failed').map((each) => ({
    ...each,
    headline: 'None of 3 orderers serves {node}',
  }));
  t.is(answersAbout(problems).first.sentence, 'None of 3 orderers serves peer1 and peer2');
});

test('an engine that is gone comes after a peer that is down', (t) => {
  const { first, others } = answersAbout([
    { component: 'docker', kind: 'docker', state: 'failed', reason: REASON },
    { component: 'peer1', node: 'peer1', kind: 'down', state: 'failed', reason: REASON },
  ]);
  t.deepEqual(
    [first, ...others].map(({ sentence }) => sentence),
    ['peer1 is down', 'The check docker fails'],
  );
});
