// The verdict on a review: a word, and a sentence.

import test from 'ava';
import {
  summaryOf,
  verdictOf,
  type Finding,
  type Review,
  type Severity,
} from '../../../translator/review/index.js';

const findingsOf = (...severities: readonly Severity[]): { readonly findings: readonly Finding[] } => ({
  findings: severities.map((severity) => ({
    id: 'policy-unsatisfiable',
    severity,
    text: `a ${severity} text`,
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

test('an MSP that is not judged is dangerous, also if the danger is allowed', (t) => {
  const notJudged: readonly Finding[] = [
    {
      id: 'msp-not-judged',
      severity: 'danger',
      text: 'it is not judged',
      path: '',
      todo: '',
      data: { reason: '' },
    },
  ];
  for (const allowed of [[], ['msp-not-judged']]) {
    t.is(verdictOf({ findings: notJudged }, new Set(allowed)), 'dangerous');
    t.is(summaryOf({ findings: notJudged }, new Set(allowed)), 'dangerous: it is not judged');
  }
});

const SIGNED: Pick<Review, 'elements' | 'policies' | 'unknown'> = { elements: [], policies: [], unknown: [] };
const OPEN = { ...SIGNED, policies: [{ satisfied: false }] as unknown as Review['policies'] };

const SENTENCES: readonly (readonly [
  what: string,
  severities: readonly Severity[],
  review: typeof SIGNED,
  summary: string,
])[] = [
  ['nothing is found', [], SIGNED, 'harmless: orderers would accept it'],
  [
    'two warnings, and something cannot be known',
    ['warning', 'warning'],
    { ...SIGNED, unknown: ['whether it is the newest'] },
    'harmless: orderers would accept it; 2 warnings; 1 thing cannot be known',
  ],
  ['signatures are missing', ['unsigned'], OPEN, 'harmless, but signatures are missing'],
  ['the submitter is missing', ['unsigned'], SIGNED, 'harmless: it has all signatures, submit it'],
  ['a danger', ['danger', 'unsigned'], OPEN, 'dangerous: a danger text'],
  ['three dangers', ['danger', 'danger', 'danger'], SIGNED, 'dangerous: a danger text; 2 more findings'],
  [
    'a refusal and a danger',
    ['refused', 'danger'],
    { ...SIGNED, unknown: ['whether it is the newest'] },
    'orderers would refuse it: a refused text',
  ],
];

for (const [what, severities, parts, summary] of SENTENCES)
  test(`the verdict in a sentence if ${what}`, (t) => {
    t.is(summaryOf({ ...findingsOf(...severities), ...parts }), summary);
  });

test('a gain of control over a part of the channel is a takeover', (t) => {
  const weakened: Finding = {
    id: 'policy-weakened',
    severity: 'danger',
    text: 'a danger text',
    path: '/Channel/Application/Admins',
    todo: '',
    data: {
      of: 'element',
      signers: 'Org1MSP.admin or Org2MSP.admin',
      elements: ['/Channel/Application', '/Channel/Application/Admins'],
      count: 2,
      steps: [],
    },
  };
  const { findings } = findingsOf('danger');
  t.is(
    summaryOf({ ...SIGNED, findings: [weakened, ...findings] }),
    'takeover: Org1MSP.admin or Org2MSP.admin alone could change the application; 1 more finding',
  );
  // A gain of control over something else is not.
  const other: Finding = { ...weakened, data: { ...weakened.data, elements: ['/Channel/Application/ACLs'] } };
  t.is(summaryOf({ ...SIGNED, findings: [other] }), 'dangerous: a danger text');
});

test('the sentence counts dangers that are allowed', (t) => {
  t.is(
    summaryOf({ ...findingsOf('danger'), ...SIGNED }, new Set(['policy-unsatisfiable'])),
    'harmless: orderers would accept it; 1 allowed danger',
  );
});

for (const [severities, summary] of [
  [[], 'harmless: orderers would load it'],
  [['danger'], 'dangerous: a danger text'],
  [['refused'], 'orderers would refuse to load it: a refused text'],
] as const)
  test(`the verdict in a sentence, of a check with the severities [${severities.join(', ')}]: ${summary}`, (t) => {
    t.is(summaryOf(findingsOf(...severities)), summary);
  });
