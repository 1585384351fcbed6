// The verdict of the page on reviews.

import test from 'ava';
import type { Finding, Review } from '../../../translator/review/index.js';
import { headlineOf } from '../../../translator/page/headline.js';

const found = (severity: Finding['severity'], text = ''): Finding =>
  ({ id: 'signatures-missing', severity, path: '', text, todo: '' }) as unknown as Finding;
const policy = (satisfied: boolean): Review['policies'][number] =>
  ({ satisfied }) as unknown as Review['policies'][number];

const NEWEST = 'whether block 3 is the newest of the channel';
const CONSENTERS = 'whether all 3 consenters are alive: give their number or addresses with --active';

for (const [what, findings, satisfied, unknown, isSure, state, title, matters] of [
  ['nothing is missing', [], true, [], true, 'works', 'Harmless: changes nothing', ''],
  [
    'only the newest block cannot be known',
    [],
    true,
    [NEWEST],
    true,
    'works',
    'Harmless: changes nothing',
    '',
  ],
  [
    'something about the update cannot be known',
    [],
    true,
    [NEWEST, CONSENTERS],
    true,
    'risk',
    'Harmless: changes nothing',
    '',
  ],
  ['it conflicts with another one', [], true, [], false, 'risk', 'Harmless: changes nothing', ''],
  ['signatures are missing', [found('unsigned')], false, [], true, 'works', 'Harmless: changes nothing', ''],
  [
    'a warning',
    [found('warning', 'Org1 loses its veto')],
    true,
    [],
    true,
    'risk',
    'Changes nothing',
    'Org1 loses its veto',
  ],
  [
    'a danger and missing signatures',
    [found('danger', 'Org1 alone decides'), found('unsigned')],
    false,
    [],
    true,
    'stopped',
    'Dangerous: changes nothing',
    'Org1 alone decides',
  ],
  [
    'a refusal and a danger',
    [found('danger'), found('refused', 'the size is 0')],
    true,
    [NEWEST],
    true,
    'stopped',
    'Orderers would refuse it',
    'the size is 0',
  ],
] as const)
  test(`verdict: ${what}`, (t) => {
    t.deepEqual(
      headlineOf(
        { elements: [], findings, acceptedIf: null, policies: [policy(satisfied)], unknown, block: '3' },
        isSure,
      ),
      { state, title, matters },
    );
  });
