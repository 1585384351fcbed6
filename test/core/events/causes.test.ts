// What a check run may have seen of failures that have ended since it began.

import test from 'ava';
import { Causes } from '../../../core/events/causes.js';

const HOUR = 3_600_000;
const INACTIVE = { name: 'o1', state: 'down', outage: 'is down' } as const;

test('a failure that ended after a run began counts for it, with its worst severity since then', (t) => {
  const causes = new Causes();
  causes.fails('a', 'critical', 10);
  t.is(causes.since(100).severityOf('a'), 'critical');
  causes.fails('a', 'warning', 20);
  t.is(causes.since(19).severityOf('a'), 'critical');
  t.is(causes.since(20).severityOf('a'), 'warning');
  causes.ended('a', 30);
  t.is(causes.since(19).severityOf('a'), 'critical');
  t.is(causes.since(29).severityOf('a'), 'warning');
  t.is(causes.since(30).severityOf('a'), undefined);
});

test('a critical failure that ended is critical for a run that began before', (t) => {
  const causes = new Causes();
  causes.fails('a', 'critical', 10);
  causes.ended('a', 30);
  t.is(causes.since(29).severityOf('a'), 'critical');
  t.is(causes.since(30).severityOf('a'), undefined);
});

test('a failure that ended more than an hour before another one ended is forgotten', (t) => {
  const causes = new Causes();
  for (const name of ['a', 'b', 'failing']) causes.fails(name, 'warning', 1);
  causes.ended('a', 1000);
  causes.ended('b', 1000 + HOUR);
  t.is(causes.since(0).severityOf('a'), 'warning');
  causes.fails('b', 'warning', 1000 + HOUR);
  causes.ended('b', 1001 + HOUR);
  t.is(causes.since(0).severityOf('a'), undefined);
  t.is(causes.since(0).severityOf('b'), 'warning');
  t.is(causes.since(2 * HOUR).severityOf('failing'), 'warning');
});

test('the end of what never failed changes nothing', (t) => {
  const causes = new Causes();
  causes.ended('a', 10);
  t.is(causes.since(0).severityOf('a'), undefined);
});

test('a consenter that was inactive after a run began counts for it', (t) => {
  const causes = new Causes();
  causes.observe(new Map([['ch1', [INACTIVE]]]), 10);
  t.deepEqual(causes.since(1000).channels.get('ch1'), [INACTIVE]);
  causes.observe(new Map([['ch1', []]]), 20);
  t.deepEqual(causes.since(19).channels.get('ch1'), [INACTIVE]);
  t.deepEqual(causes.since(20).channels.get('ch1'), []);
  const later = { ...INACTIVE, outage: 'does not respond' } as const;
  causes.observe(new Map([['ch1', [later]]]), 30);
  t.deepEqual(causes.since(1000).channels.get('ch1'), [later]);
});

test('a consenter that has been active for more than an hour is forgotten, and so is its channel if it is gone', (t) => {
  const causes = new Causes();
  causes.observe(new Map([['ch1', [INACTIVE]]]), 10);
  causes.observe(new Map(), 20);
  causes.observe(new Map(), 20 + HOUR);
  t.deepEqual(causes.since(0).channels, new Map([['ch1', [INACTIVE]]]));
  causes.observe(new Map(), 21 + HOUR);
  t.deepEqual(causes.since(0).channels, new Map());
  causes.observe(new Map([['ch1', []]]), 22 + HOUR);
  t.deepEqual(causes.since(0).channels, new Map([['ch1', []]]));
});

test('the consenters that the event of a channel named are known until it fails again', (t) => {
  const causes = new Causes();
  causes.name('channels/ch1', new Set(['o1']));
  t.false(causes.since(0).isNamed('ch1', 'o1'));
  causes.fails('channels/ch1', 'warning', 10);
  causes.name('channels/ch1', new Set(['o1']));
  t.true(causes.since(0).isNamed('ch1', 'o1'));
  t.false(causes.since(0).isNamed('ch1', 'o2'));
  t.false(causes.since(0).isNamed('ch2', 'o1'));
  causes.fails('channels/ch1', 'critical', 20);
  t.true(causes.since(0).isNamed('ch1', 'o1'));
  causes.ended('channels/ch1', 30);
  t.true(causes.since(0).isNamed('ch1', 'o1'));
  causes.fails('channels/ch1', 'warning', 40);
  t.false(causes.since(0).isNamed('ch1', 'o1'));
});
