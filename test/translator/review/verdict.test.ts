// The verdict on a review: a word, and a sentence.

import test from 'ava';
import {
  reviewDocument,
  summaryOf,
  verdictOf,
  type Finding,
  type Review,
  type Severity,
} from '../../../translator/review/index.js';

const findingsOf = (...severities: readonly Severity[]): { readonly findings: readonly Finding[] } => ({
  findings: severities.map((severity, index) => ({
    id: 'policy-unsatisfiable',
    severity,
    text: `a ${severity} text${index === 0 ? '' : ` ${index + 1}`}`,
    path: '',
    todo: '',
    data: { policy: '', stops: [], repair: { do: 'rule' }, because: [] },
  })),
});

const CASES: readonly (readonly [severities: readonly Severity[], verdict: string])[] = [
  [[], 'harmless'],
  [['warning'], 'warning'],
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
  t.is(verdictOf(findingsOf('danger'), new Set(['policy-missing'])), 'dangerous');
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

const SIGNED: Pick<Review, 'acceptedIf' | 'appliedIn' | 'elements' | 'majorities' | 'policies' | 'unknown'> &
  Partial<Pick<Review, 'steps'>> = {
  acceptedIf: null,
  appliedIn: null,
  elements: [],
  majorities: [],
  policies: [],
  unknown: [],
};
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
    'warning: a warning text; 1 more warning; orderers would accept it; not checked: whether it is the newest',
  ],
  [
    'consenters must be alive',
    [],
    { ...SIGNED, acceptedIf: { alive: 3, of: 4 } },
    'harmless: orderers would accept it if at least 3 of 4 consenters are alive',
  ],
  [
    'all consenters must be alive',
    [],
    { ...SIGNED, acceptedIf: { alive: 3, of: 3 } },
    'harmless: orderers would accept it if all 3 consenters are alive',
  ],
  [
    'signatures are missing, with a warning',
    ['unsigned', 'warning'],
    OPEN,
    'warning: a warning text 2; signatures are missing',
  ],
  [
    'it is known whose signatures are missing',
    ['unsigned'],
    { ...OPEN, steps: [{ do: 'sign', who: 'Org1MSP.admin', policies: [], text: '' }] },
    'harmless: signatures missing: Org1MSP.admin',
  ],
  [
    'the consenters that must be alive stand in the state, and other facts are not checked',
    [],
    {
      ...SIGNED,
      acceptedIf: { alive: 3, of: 3 },
      unknown: [
        'whether all 3 consenters are alive: give them',
        'whether one is new',
        'whether it is the newest',
      ],
    },
    'harmless: orderers would accept it if all 3 consenters are alive; not checked: whether one is new, whether it is the newest',
  ],
  [
    'facts have long names',
    [],
    { ...SIGNED, unknown: ['x'.repeat(300), 'y'] },
    'harmless: orderers would accept it; 2 facts not checked',
  ],
  ['signatures are missing', ['unsigned'], OPEN, 'harmless: signatures are missing'],
  ['the submitter is missing', ['unsigned'], SIGNED, 'harmless: it has all signatures, submit it'],
  ['a danger', ['danger', 'unsigned'], OPEN, 'dangerous: a danger text'],
  [
    'three dangers',
    ['danger', 'danger', 'danger'],
    SIGNED,
    'dangerous: a danger text; 2 more findings (2 dangerous)',
  ],
  [
    'a refusal and a danger',
    ['refused', 'danger'],
    { ...SIGNED, unknown: ['whether it is the newest'] },
    'refused: a refused text; 1 more finding (1 dangerous)',
  ],
];

for (const [what, severities, parts, summary] of SENTENCES)
  test(`the verdict in a sentence if ${what}`, (t) => {
    t.is(summaryOf({ ...findingsOf(...severities), ...parts }), summary);
  });

const WEAKENED: Extract<Finding, { id: 'policy-weakened' }> = {
  id: 'policy-weakened',
  severity: 'danger',
  text: 'a takeover text',
  short: 'Org1 or Org2 could change the group Application and its organisations without the others',
  path: '/Channel/Application/Admins',
  todo: 'check it',
  data: {
    of: 'element',
    signers: 'Org1MSP.admin or Org2MSP.admin',
    mspids: ['Org1MSP', 'Org2MSP'],
    gainers: 'Org1 or Org2',
    elements: ['/Channel/Application', '/Channel/Application/Admins'],
    count: 2,
    steps: [],
  },
};

test('the sentence has the short text of a finding, and no second word for the danger of a takeover', (t) => {
  const { findings } = findingsOf('danger');
  t.is(
    summaryOf({ ...SIGNED, findings: [WEAKENED, ...findings] }),
    'takeover: Org1 or Org2 could change the group Application and its organisations without the others; 1 more finding (1 dangerous)',
  );
  const data = { ...WEAKENED.data, elements: ['/Channel/Application/ACLs'] };
  const other: Finding = { ...WEAKENED, short: 'Org1 alone can change ACLs', data };
  t.is(summaryOf({ ...SIGNED, findings: [other] }), 'dangerous: Org1 alone can change ACLs');
});

/** The findings of a review as the terminal shows them. */
function findingsShown(findings: readonly Finding[], allowed?: ReadonlySet<string>) {
  const whole = { ...SIGNED, signatures: [], next: [], fingerprint: '', findings } as const;
  const submitter = { policy: '', signature: null, satisfied: true };
  const { sections = [] } = reviewDocument({ ...whole, submitter } as unknown as Review, allowed);
  return sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'problems' ? block.problems : []))
    .map(({ text, isStated = false }) => [text, isStated]);
}

const [DANGER] = findingsOf('danger').findings as [Finding];
const [REFUSAL] = findingsOf('refused').findings as [Finding];

for (const [what, findings, shown] of [
  ['a danger', [DANGER], [['a danger text', true]]],
  [
    'a refusal and a danger',
    [REFUSAL, DANGER],
    [
      ['a refused text', true],
      ['a danger text', false],
    ],
  ],
  [
    'a takeover after another danger',
    [DANGER, WEAKENED],
    [
      ['a danger text', false],
      ['a takeover text', true],
    ],
  ],
  ['a warning', [{ ...DANGER, severity: 'warning' }], [['a danger text', true]]],
] as const satisfies readonly (readonly [string, readonly Finding[], unknown])[])
  test(`the findings have their texts, and the one that the sentence states is known: ${what}`, (t) => {
    t.deepEqual(findingsShown(findings), shown as unknown as ReturnType<typeof findingsShown>);
  });

test('a finding that follows from another one is shown only if that one is allowed', (t) => {
  const follows: Finding = { ...DANGER, text: 'it follows', explainedBy: 'policy-weakened' };
  const both = [WEAKENED, follows];
  t.deepEqual(findingsShown(both), [['a takeover text', true]]);
  t.is(verdictOf({ findings: both }, new Set(['policy-unsatisfiable'])), 'dangerous');
  t.deepEqual(findingsShown(both, new Set(['policy-weakened'])), [
    ['a takeover text', false],
    ['it follows', true],
  ]);
  t.is(verdictOf({ findings: both }, new Set(['policy-weakened'])), 'dangerous');
});

for (const [first, second] of [
  ['mod-policy-open /Channel/Orderer', 'policy-weakened /Channel/Admins'],
  ['policy-always-satisfied /Channel/Admins', 'policy-weakened /Channel/Orderer'],
  ['policy-weakened /Channel/Admins', 'mod-policy-frozen /Channel/Orderer'],
  ['policy-weakened /Channel/Admins', 'policy-always-satisfied /Channel/Readers'],
  ['mod-policy-missing /Channel', 'policy-unsatisfiable /Channel/Writers'],
  ['policy-unsatisfiable /Channel/Admins', 'mod-policy-missing /Channel'],
  ['policy-unsatisfiable /Channel/Writers', 'service-lost /Channel/Readers'],
  ['acl-policy-open /Channel/Application/ACLs', 'service-lost /Channel/Readers'],
  ['service-lost /Channel/Readers', 'policy-unsatisfiable /Channel/Application/Org1/Admins'],
] as const)
  test(`the sentence states ${first} before ${second}`, (t) => {
    const [one, other] = [first, second].map((each) => {
      const [id, path] = each.split(' ');
      return { ...DANGER, id, path, text: each, data: { elements: [] } } as unknown as Finding;
    });
    for (const findings of [
      [one!, other!],
      [other!, one!],
    ])
      t.is(summaryOf({ ...SIGNED, findings }), `dangerous: ${first}; 1 more finding (1 dangerous)`);
  });

test('the findings have the text of a danger that is allowed, because the sentence does not state it', (t) => {
  t.deepEqual(findingsShown([DANGER], new Set([DANGER.id])), [['a danger text', false]]);
});

test('the sentence counts dangers that are allowed', (t) => {
  t.is(
    summaryOf({ ...findingsOf('danger'), ...SIGNED }, new Set(['policy-unsatisfiable'])),
    'warning: orderers would accept it; 1 allowed danger',
  );
});

for (const [severities, summary] of [
  [[], 'harmless: orderers would load it'],
  [['danger'], 'dangerous: a danger text'],
  [['refused'], 'refused: a refused text'],
] as const)
  test(`the verdict in a sentence, of a check with the severities [${severities.join(', ')}]: ${summary}`, (t) => {
    t.is(summaryOf(findingsOf(...severities)), summary);
  });
