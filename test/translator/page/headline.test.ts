// The verdict of the page on reviews.

import test from 'ava';
import type { Finding, Review } from '../../../translator/review/index.js';
import { headlineOf } from '../../../translator/page/headline.js';

const found = (severity: Finding['severity']): Finding =>
  ({ id: 'signatures-missing', severity, path: '', text: '', todo: '' }) as unknown as Finding;
const policy = (satisfied: boolean): Review['policies'][number] =>
  ({ satisfied }) as unknown as Review['policies'][number];

for (const [what, findings, satisfied, unknown, expected] of [
  ['nothing is missing', [], true, [], { kind: 'good', text: 'Harmless: orderers would accept it' }],
  [
    'nothing is missing, and something cannot be known',
    [],
    true,
    ['whether it is the newest'],
    { kind: 'open', text: 'Harmless: orderers would accept it; 1 thing cannot be known' },
  ],
  [
    'only the submitter is missing',
    [found('unsigned')],
    true,
    [],
    { kind: 'good', text: 'Harmless: it has all signatures, submit it' },
  ],
  [
    'only the submitter is missing, and something cannot be known',
    [found('unsigned')],
    true,
    ['whether it is the newest'],
    { kind: 'open', text: 'Harmless: it has all signatures, submit it; 1 thing cannot be known' },
  ],
  [
    'signatures are missing',
    [found('unsigned')],
    false,
    [],
    { kind: 'open', text: 'Harmless, but signatures are missing' },
  ],
  [
    'a danger and missing signatures',
    [found('danger'), found('unsigned')],
    false,
    [],
    { kind: 'bad', text: 'Dangerous' },
  ],
  [
    'a refusal and a danger',
    [found('danger'), found('refused')],
    true,
    ['whether it is the newest'],
    { kind: 'bad', text: 'Orderers would refuse it' },
  ],
] as const)
  test(`verdict: ${what}`, (t) => {
    t.deepEqual(headlineOf({ findings, policies: [policy(satisfied)], unknown }), expected);
  });
