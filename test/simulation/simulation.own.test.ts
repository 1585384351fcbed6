// Short simulations with real agents. Longer ones, with stories that are drawn: `npm run simulate`.

import test from 'ava';
import type { Action } from './actions.js';
import { violationsOf, type Violation } from './invariants.js';
import { storyLines, testOf } from './print.js';
import { plainSetup } from './setup.js';
import { shrink } from './shrink.js';
import { simulate, type History } from './world.js';

const ONE_HOST = plainSetup(1, ['trade']);

/** What the receivers got: the time in whole seconds, the state and the component. */
const told = ({ receivers }: History): string[] =>
  receivers.flatMap(({ delivered }) =>
    delivered.map(({ at, event: { state, component } }) => `${Math.round(at / 1000)} ${state} ${component}`),
  );

const crashes = (history: History): Violation[] =>
  history.receivers.flatMap(({ delivered }) =>
    delivered.flatMap(({ at, event: { component, state, reason } }) =>
      state === 'failed' ? [{ invariant: 1, at, subject: component, text: reason }] : [],
    ),
  );

test.serial('two quiet days of one host: nothing is told, nothing is left', async (t) => {
  const actions: Action[] = [{ at: 172_800, what: 'restart the agent', whom: 'host1', for: 5 }];
  const history = await simulate(ONE_HOST, actions, 1);
  t.deepEqual(told(history), []);
  t.deepEqual(violationsOf(history), []);
  t.true(history.samples.length > 10);
});

test.serial(
  'a killed peer is told once, and its recovery; the same seed gives the same history',
  async (t) => {
    const actions: Action[] = [{ at: 100, what: 'kill', whom: 'peer1', for: 120 }];
    const history = await simulate(ONE_HOST, actions, 1, 330_000);
    t.deepEqual(
      told(history).map((line) => line.replace(/^\d+ /, '')),
      ['failed peer1', 'recovered peer1', 'info peer1'],
    );
    t.deepEqual(violationsOf(history), []);
    const again = await simulate(ONE_HOST, actions, 1, 330_000);
    t.deepEqual(
      again.receivers.map(({ delivered }) => delivered),
      history.receivers.map(({ delivered }) => delivered),
    );
    t.deepEqual(again.samples, history.samples);
  },
);

test.serial(
  'a story is shortened to the actions, hosts and channels that it needs, and printed with a test',
  async (t) => {
    const actions: Action[] = [
      { at: 110, what: 'kill', whom: 'peer1', for: 120 },
      { at: 120, what: 'fill the disk', whom: 'orderer2', for: 120 },
    ];
    const history = await simulate(plainSetup(2, ['trade', 'disk']), actions, 1, 150_000);
    const violation = crashes(history).find(({ subject }) => subject === 'peer1')!;
    const story = await shrink(history, 1, violation, crashes);
    t.deepEqual(story.actions, [{ at: 120, what: 'kill', whom: 'peer1', for: 120 }]);
    t.deepEqual([story.setup.hosts.map(({ name }) => name), story.setup.channels], [['host1'], ['disk']]);
    const lines = storyLines(story);
    t.deepEqual(lines.slice(0, 3), [
      'host1: pager (all); its peer needs 2s to listen',
      'channels disk',
      '00:02:00 kill peer1, for 120s',
    ]);
    t.regex(
      lines[3]!,
      /^00:02:\d\d {3}host1\/pager gets failed peer1: GET https:\/\/peer1:9443: connection refused$/,
    );
    t.true(testOf(story).includes('{"at":120,"what":"kill","whom":"peer1","for":120}'));
  },
);
