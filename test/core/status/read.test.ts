// Reads the document of an agent of another version, or of another service.

import test from 'ava';
import { readEvent, readStatus } from '../../../core/status/read.js';

const EMPTY = {
  time: '',
  agent: { started_at: '', uptime: 0, healthy: false, notes: [], found: [], running: 0, program: '' },
  problems: [],
  checks: [],
  unchecked: [],
  unconfirmed: [],
  nodes: [],
  warnings: [],
  channels: [],
  certificates: [],
  engines: [],
  levels: [],
  plugins: [],
  sinks: [],
  notifiers: [],
  silences: [],
  agents: [],
};

/** Without members that are undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

for (const json of ['{}', '[]', 'null', '7', '"x"', '[{"time":"x"}]'])
  test(`the document ${json} has no members`, (t) => {
    t.deepEqual(plain(readStatus(json)), EMPTY);
  });

test('members of the wrong type count as missing', (t) => {
  const document = {
    time: 7,
    agent: { version: 7, uptime: '7', healthy: 'true', notes: 'x', lag: '1', found: { length: 1 } },
    nodes: [
      7,
      {
        name: 'a',
        up: 1,
        refused: false,
        restarts_last_hour: null,
        log: { lines: ['x'] },
        channels: [{ height: '3', consensus: { is_leader: true }, removed: 1, stale: 'true' }],
      },
    ],
    agents: [{ healthy: 0, reachable: 1 }],
  };
  const node = { name: '', kind: '', up: false, state: '', healthy: false, restarts_last_hour: 0 };
  const lists = { failed_checks: [], warnings: [], channels: [], past: [] };
  t.deepEqual(plain(readStatus(JSON.stringify(document))), {
    ...EMPTY,
    nodes: [
      { ...node, ...lists },
      { ...node, ...lists, name: 'a', channels: [{ name: '' }] },
    ],
    agents: [{ name: '', url: '', reachable: false, since: '', nodes: [], channels: [] }],
  });
});

test('members of the right type are read, also false and 0', (t) => {
  const channel = {
    height: 0,
    consensus: {
      type: 'BFT',
      is_leader: false,
      leader_id: 0,
      view_change: true,
      cluster_size: 4,
      active_nodes: 0,
    },
    relation: 'consenter',
    status: 'active',
    removed: true,
    stale: true,
  };
  const document = {
    ...EMPTY,
    agent: { ...EMPTY.agent, healthy: true, lag: 0, notes: ['n'], found: ['f'], running: 2, program: 'p' },
    nodes: [
      {
        name: 'a',
        kind: 'peer',
        up: true,
        state: 'up',
        refused: true,
        healthy: true,
        failed_checks: [{ component: 'c', reason: 'r' }],
        warnings: [],
        restarts_last_hour: 2,
        restarting: true,
        channels: [{ name: 'ch1', ...channel }],
        log: { source: 's', lines: ['l'], ended: true },
        past: [{ component: 'c', severity: 's', from: 'f', to: 't' }],
      },
    ],
    agents: [
      {
        name: 'p',
        url: 'u',
        reachable: true,
        since: 's',
        healthy: false,
        nodes: [{ name: 'n', kind: 'k', state: 's' }],
        channels: [{ name: 'c', verdict: 'v' }],
      },
    ],
  };
  t.deepEqual(plain(readStatus(JSON.stringify(document))), document);
});

test('an event has its steps, and other members only of the right type', (t) => {
  const event = readEvent('{"component":"a","steps":[{"text":"b","command":7}],"silenced":true,"node":7}');
  t.deepEqual(plain(event), {
    component: 'a',
    state: '',
    severity: '',
    reason: '',
    since: '',
    steps: [{ text: 'b' }],
    silenced: true,
  });
  t.throws(() => readEvent('{'), { instanceOf: SyntaxError });
});
