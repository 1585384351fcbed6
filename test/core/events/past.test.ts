import test from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import { PastFailures } from '../../../core/events/past.js';

const DAY = 86_400_000;
const failure = (since: number): AgentEvent => ({
  id: 'peer0/disk',
  component: 'peer0/disk',
  state: 'failed',
  severity: 'critical',
  reason: 'full',
  since,
  fields: {},
});

test('an ended failure has its component, severity and times', (t) => {
  const past = new PastFailures();
  past.add('peer0', failure(10), 20);
  t.deepEqual(past.of('peer0', 30), [{ component: 'peer0/disk', severity: 'critical', from: 10, to: 20 }]);
  t.deepEqual(past.of('peer1', 30), []);
});

test('failures that ended more than a day ago are omitted', (t) => {
  const past = new PastFailures();
  past.add('peer0', failure(0), 1);
  past.add('peer0', failure(2), 3);
  t.deepEqual(
    past.of('peer0', DAY + 2).map(({ from }) => from),
    [2],
  );
});

test('the last 50 failures of a node are kept', (t) => {
  const past = new PastFailures();
  for (let time = 1; time <= 60; time += 1) past.add('peer0', failure(time), time);
  const found = past.of('peer0', 60);
  t.is(found.length, 50);
  t.is(found[0]?.from, 11);
});

test('of at most 2,000 nodes and channels failures are kept', (t) => {
  const past = new PastFailures();
  for (let owner = 1; owner <= 2001; owner += 1) past.add(`channels/${owner}`, failure(1), 1);
  past.add('channels/2000', failure(2), 2);
  t.deepEqual(
    ['channels/2000', 'channels/2001'].map((owner) => past.of(owner, 2).length),
    [2, 0],
  );
});
