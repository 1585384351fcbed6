// The verdict on a review: a word.

import test from 'ava';
import { verdictOf, type Finding, type Severity } from '../../../translator/review/index.js';

const findingsOf = (...severities: readonly Severity[]): { readonly findings: readonly Finding[] } => ({
  findings: severities.map((severity) => ({
    id: 'policy-unsatisfiable',
    severity,
    text: '',
    path: '',
    todo: '',
    data: { policy: '' },
  })),
});

const CASES: readonly (readonly [severities: readonly Severity[], verdict: string])[] = [
  [[], 'harmless'],
  [['warning'], 'harmless'],
  [['unsigned', 'warning'], 'unsigned'],
  [['danger', 'unsigned'], 'dangerous'],
  [['refused', 'danger', 'unsigned', 'warning'], 'refused'],
];

for (const [severities, verdict] of CASES)
  test(`findings with the severities [${severities.join(', ')}]: ${verdict}`, (t) => {
    t.is(verdictOf(findingsOf(...severities)), verdict as ReturnType<typeof verdictOf>);
  });

test('dangers that are allowed do not count, missing signatures do', (t) => {
  t.is(verdictOf(findingsOf('danger', 'unsigned'), new Set(['policy-unsatisfiable'])), 'unsigned');
  t.is(verdictOf(findingsOf('danger'), new Set(['policy-removed'])), 'dangerous');
});
