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

for (const [what, findings, satisfied, unknown, expected] of [
  ['nothing is missing', [], true, [], { state: 'works', text: 'Harmless: orderers would accept it' }],
  [
    'only the newest block cannot be known',
    [],
    true,
    [NEWEST],
    { state: 'works', text: 'Harmless: orderers would accept it' },
  ],
  [
    'something about the update cannot be known',
    [],
    true,
    [NEWEST, CONSENTERS],
    { state: 'risk', text: 'Harmless: orderers would accept it' },
  ],
  [
    'only the submitter is missing',
    [found('unsigned')],
    true,
    [],
    { state: 'works', text: 'Harmless: it has all signatures, submit it' },
  ],
  [
    'signatures are missing',
    [found('unsigned')],
    false,
    [NEWEST],
    { state: 'works', text: 'Harmless: signatures are missing' },
  ],
  [
    'a warning',
    [found('warning', 'Org1 loses its veto')],
    true,
    [],
    { state: 'risk', text: 'Warning: Org1 loses its veto; orderers would accept it' },
  ],
  [
    'a danger and missing signatures',
    [found('danger', 'Org1 alone decides'), found('unsigned')],
    false,
    [],
    { state: 'stopped', text: 'Dangerous: Org1 alone decides' },
  ],
  [
    'a refusal and a danger',
    [found('danger'), found('refused', 'the size is 0')],
    true,
    [NEWEST],
    { state: 'stopped', text: 'Refused: the size is 0; 1 more finding (1 dangerous)' },
  ],
] as const)
  test(`verdict: ${what}`, (t) => {
    t.deepEqual(
      headlineOf({
        elements: [],
        findings,
        acceptedIf: null,
        policies: [policy(satisfied)],
        unknown,
        block: '3',
      }),
      expected,
    );
  });
