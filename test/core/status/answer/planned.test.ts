// Planned work: a state of its own, beside which an incident stays an incident.

import test from 'ava';
import { answersOf } from '../../../../core/status/answer/index.js';
import type { SilenceStatus, StatusDocument } from '../../../../core/status/document.js';
import { pageState, type StateName } from '../../../helpers/page-states.js';

/** A silence of a recorded state, which ends in ten minutes. */
const silenceIn = (document: StatusDocument, members: Partial<SilenceStatus> = {}): SilenceStatus => ({
  id: 's1',
  node: 'orderer3',
  from: document.time,
  until: new Date(Date.parse(document.time) + 600_000).toISOString(),
  by: 'CN=operator',
  why: 'upgrade to 3.1.5',
  ...members,
});

/** The answers for a recorded state with planned work. @param isCovered whether it covers a component */
function answersWith(
  name: StateName,
  members: Partial<SilenceStatus>,
  isCovered: (component: string) => boolean = () => true,
) {
  const { document, now } = pageState(name);
  const problems = document.problems.map((each) =>
    isCovered(each.component) ? { ...each, silenced: true as const } : each,
  );
  const planned = { ...document, problems, silences: [silenceIn(document, members)] };
  return answersOf(planned, { now, zone: 'UTC' });
}

test('planned work is the answer while all failures are of it, without steps', (t) => {
  const { first, others } = answersWith('orderer-killed', {});
  t.deepEqual(
    [first.state, first.sentence, first.meaning, first.steps, first.planned, others.length],
    [
      'planned',
      'Planned: orderer3, upgrade to 3.1.5, until 17:01',
      'ch1 works, but one more failure stops it. Begun by CN=operator: upgrade to 3.1.5. Notifiers send nothing about it.',
      [],
      { id: 's1', left: '10 min left' },
      0,
    ],
  );
});

test('planned work without a failure names what works', (t) => {
  const { first } = answersWith('healthy', { node: undefined });
  t.deepEqual(
    [first.state, first.sentence, first.meaning],
    [
      'planned',
      'Planned: all nodes and channels, upgrade to 3.1.5, until 17:01',
      'ch1 works. Begun by CN=operator: upgrade to 3.1.5. Notifiers send nothing about it.',
    ],
  );
});

test('an incident beside planned work stays the answer, and planned work is one line below it', (t) => {
  const { first, others } = answersWith('quorum-lost', {}, (component) => component === 'orderer3');
  t.is(first.sentence, 'ch1 has stopped: orderer2 and orderer3 are down');
  t.deepEqual(
    others.map(({ state, sentence }) => [state, sentence]),
    [['planned', 'Planned: orderer3, upgrade to 3.1.5, until 17:02']],
  );
});

test('a long reason of planned work is in the meaning, not in the headline', (t) => {
  const why = 'all disks of this host are replaced by larger ones';
  const { first } = answersWith('orderer-killed', { why });
  t.is(first.sentence, 'Planned: orderer3, until 17:01');
  t.true(first.meaning.includes(why));
});

test('after planned work the same failure is an incident again', (t) => {
  const { document, now } = pageState('orderer-killed');
  t.is(answersOf(document, { now }).first.state, 'risk');
});
