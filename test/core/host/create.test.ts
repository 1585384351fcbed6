// What `create` of a plugin must return.

import test from 'ava';
import type { PluginKind } from '../../../core/contract/plugin.js';
import { memberProblem } from '../../../core/host/create.js';

const call = (): void => undefined;
const MAX = 2_147_483_647;
const INTERVAL = `push.interval is not a number of milliseconds from 1 to ${MAX}`;

const CASES: readonly (readonly [kind: PluginKind, plugin: unknown, problem: string | undefined])[] = [
  ['source', null, 'it returned null'],
  ['source', undefined, 'it returned undefined'],
  ['source', call, 'it returned function'],
  [
    'source',
    Promise.resolve({ read: call }),
    'it returned a promise; create has no I/O: open files and connections in start',
  ],
  ['source', {}, 'read is not a function'],
  ['source', { read: call }, undefined],
  ['checker', {}, 'check is not a function'],
  ['checker', { check: call }, undefined],
  ['checker', { check: call, onTimeout: 'warning' }, undefined],
  ['checker', { check: call, kind: 'files' }, undefined],
  ['checker', { check: call, kind: 'file' }, "kind is not 'files'"],
  ['checker', { check: call, onTimeout: 'info' }, "onTimeout is neither 'critical' nor 'warning'"],
  ['logging', { spec: call, activate: call }, 'logger is not a function'],
  ['logging', { activate: call, logger: call }, 'spec is not a function'],
  ['logging', { spec: call, activate: call, logger: call }, undefined],
  ['checker', { check: call, stopp: call }, 'unknown member stopp; did you mean stop?'],
  ['checker', { check: call, stop: call, stopped: call, name: 'x', starts: 3 }, undefined],
  ['notifier', { notify: call, schedul: {} }, 'unknown member schedul; did you mean schedule?'],
  [
    'notifier',
    { notify: call, schedule: { groupfor: 5 } },
    'schedule has the unknown member groupfor; did you mean groupFor?',
  ],
  [
    'sink',
    { push: { flush: call, interval: 1, reject: call, maxTiming: 5 } },
    'push has the unknown member maxTiming; did you mean maxTimings?',
  ],
  ['notifier', {}, 'notify is not a function'],
  ['notifier', { notify: call }, undefined],
  ['notifier', { notify: call, schedule: { groupFor: 0, repeat: MAX, events: 'none' } }, undefined],
  [
    'notifier',
    { notify: call, schedule: { repeat: -1 } },
    `schedule.repeat is not a number of milliseconds from 0 to ${MAX}`,
  ],
  [
    'notifier',
    { notify: call, schedule: { heartbeat: MAX + 1 } },
    `schedule.heartbeat is not a number of milliseconds from 0 to ${MAX}`,
  ],
  [
    'notifier',
    { notify: call, schedule: { groupFor: '1s' } },
    `schedule.groupFor is not a number of milliseconds from 0 to ${MAX}`,
  ],
  [
    'notifier',
    { notify: call, schedule: { events: 'some' } },
    "schedule.events is none of 'all', 'critical' and 'none'",
  ],
  ['sink', {}, 'it has neither route nor push'],
  ['sink', { route: null, push: null }, 'it has neither route nor push'],
  ['sink', { route: { handle: call } }, 'route.path is not a string'],
  ['sink', { route: { path: '/a' } }, 'route.handle is not a function'],
  ['sink', { route: { path: '/a', handle: call } }, undefined],
  ['sink', { push: { interval: 1 } }, 'push.flush is not a function'],
  ['sink', { push: { flush: call } }, INTERVAL],
  ['sink', { push: { flush: call, interval: 0.5 } }, INTERVAL],
  ['sink', { push: { flush: call, interval: NaN } }, INTERVAL],
  ['sink', { push: { flush: call, interval: MAX + 1 } }, INTERVAL],
  ['sink', { push: { flush: call, interval: MAX } }, undefined],
  ['sink', { push: { flush: call, interval: 1, values: 'totals', maxTimings: 0 } }, undefined],
  [
    'sink',
    { push: { flush: call, interval: 1, values: 'sums' } },
    "push.values is neither 'growth' nor 'totals'",
  ],
  [
    'sink',
    { push: { flush: call, interval: 1, maxTimings: -1 } },
    'push.maxTimings is not a non-negative integer',
  ],
  [
    'sink',
    { push: { flush: call, interval: 1, maxTimings: 1.5 } },
    'push.maxTimings is not a non-negative integer',
  ],
];
for (const [index, [kind, plugin, problem]] of CASES.entries())
  test(`plugin ${index + 1}, of the kind ${kind}, is ${problem === undefined ? 'valid' : `refused: ${problem}`}`, (t) => {
    t.is(memberProblem(kind, plugin), problem);
  });
