// Whether chains satisfy the policies of their certificates (RFC 5280, 6.1, as updated by RFC 9618).

import test from 'ava';
import {
  NO_POLICIES,
  policiesValid,
  type PolicyExtensions,
} from '../../../translator/msp/certificate-policies.js';

const ANY = '551d2000';
const [P, Q, R] = ['2a01', '2a02', '2a03'] as const;

/** A certificate below a root; `self`: it is self-issued. */
interface Below extends Partial<PolicyExtensions> {
  readonly self?: boolean;
}

/** @param below from the certificate that the root issues to the leaf */
function isValid(...below: readonly Below[]): boolean {
  const names = ['root', ...below.map((_, index) => `c${index}`)];
  const chain = [{}, ...below].map(({ self = false, ...own }: Below, index) => ({
    issuer: { raw: Buffer.from(names[self ? index : Math.max(0, index - 1)]!) },
    subject: { raw: Buffer.from(names[index]!) },
    extensions: { policies: { ...NO_POLICIES, ...own } },
  }));
  return policiesValid(chain.toReversed());
}

const EXPLICIT = { requireExplicitPolicy: 0 };
const map = (issuer: string, ...subjects: readonly string[]): Partial<PolicyExtensions> => ({
  mappings: subjects.map((subject) => ({ issuer, subject })),
});

const CASES: readonly (readonly [isValid: boolean, ...below: readonly Below[]])[] = [
  [true],
  [true, {}],
  [true, {}, {}],
  // Without a required policy nothing can be wrong.
  [true, { policies: [P] }, { policies: [Q] }],
  [false, { ...EXPLICIT }, {}],
  [false, { ...EXPLICIT, policies: [P] }, {}],
  [true, { ...EXPLICIT, policies: [P] }, { policies: [P] }],
  [true, { ...EXPLICIT, policies: [P, Q] }, { policies: [R, Q] }],
  [false, { ...EXPLICIT, policies: [P] }, { policies: [Q] }],
  [true, { ...EXPLICIT, policies: [ANY] }, { policies: [Q] }],
  [true, { ...EXPLICIT, policies: [P] }, { policies: [ANY] }],
  [true, { ...EXPLICIT, policies: [ANY] }, { policies: [ANY] }],
  [true, { ...EXPLICIT, policies: [P] }, { policies: [P] }, { policies: [P] }],
  [false, { ...EXPLICIT, policies: [P] }, { policies: [P] }, { policies: [Q] }],
  [false, { ...EXPLICIT, policies: [P] }, { policies: [Q] }, { policies: [Q] }],
  [false, { ...EXPLICIT, policies: [P] }, { policies: [P] }, { policies: [P] }, { policies: [Q] }],
  [true, { ...EXPLICIT, policies: [ANY] }, { policies: [P] }, { policies: [ANY] }],
  [false, { ...EXPLICIT, policies: [ANY] }, { policies: [P] }, { policies: [Q] }],
  // The limits count the certificates that follow.
  [true, { requireExplicitPolicy: 3 }, {}, {}],
  [false, { requireExplicitPolicy: 2 }, {}, {}],
  [false, { requireExplicitPolicy: 1 }, {}, {}],
  [true, { requireExplicitPolicy: 2 }, {}],
  [false, { requireExplicitPolicy: 1 }, {}],
  [false, {}, EXPLICIT],
  [true, {}, { requireExplicitPolicy: 1 }],
  // A self-issued certificate does not count.
  [true, { requireExplicitPolicy: 2 }, { self: true }, {}],
  [false, { requireExplicitPolicy: 1 }, { self: true }, {}],
  // A later limit can only be lower.
  [false, EXPLICIT, { requireExplicitPolicy: 5 }, {}],
  [false, { requireExplicitPolicy: 5 }, EXPLICIT, {}],
  [true, { ...EXPLICIT, policies: [P], inhibitAnyPolicy: 1 }, { policies: [P] }, { policies: [P] }],
  [false, { ...EXPLICIT, policies: [P], inhibitAnyPolicy: 0 }, { policies: [ANY] }],
  [true, { ...EXPLICIT, policies: [P], inhibitAnyPolicy: 1 }, { policies: [ANY] }],
  [false, { ...EXPLICIT, policies: [P], inhibitAnyPolicy: 1 }, { policies: [P] }, { policies: [ANY] }],
  [
    true,
    { ...EXPLICIT, policies: [P], inhibitAnyPolicy: 0 },
    { policies: [ANY], self: true },
    { policies: [P] },
  ],
  [false, { ...EXPLICIT, policies: [P], inhibitAnyPolicy: 0 }, { policies: [ANY], self: true }],
  // Mappings.
  [true, { ...EXPLICIT, policies: [P], ...map(P, Q) }, { policies: [Q] }],
  [false, { ...EXPLICIT, policies: [P], ...map(P, Q) }, { policies: [P] }],
  [true, { ...EXPLICIT, policies: [ANY], ...map(P, Q) }, { policies: [Q] }],
  [
    false,
    { ...EXPLICIT, policies: [P], inhibitPolicyMapping: 0 },
    { policies: [P], ...map(P, Q) },
    { policies: [Q] },
  ],
  [
    true,
    { ...EXPLICIT, policies: [P], inhibitPolicyMapping: 1 },
    { policies: [P], ...map(P, Q) },
    { policies: [Q] },
  ],
  [
    false,
    { ...EXPLICIT, policies: [P], inhibitPolicyMapping: 1 },
    { policies: [P] },
    { policies: [P], ...map(P, Q) },
    { policies: [Q] },
  ],
  [
    true,
    { ...EXPLICIT, policies: [P], inhibitPolicyMapping: 2 },
    { policies: [P], ...map(P, Q) },
    { policies: [Q] },
  ],
  [false, { policies: [P], ...map(ANY, P) }, { policies: [P] }],
  [false, { policies: [P], ...map(P, ANY) }, { policies: [P] }],
  [
    true,
    {
      ...EXPLICIT,
      policies: [P],
      ...map(P, Q, R),
    },
    { policies: [R] },
  ],
];

const NAMES = new Map([
  [ANY, 'any'],
  [P, 'P'],
  [Q, 'Q'],
  [R, 'R'],
]);
const shown = (below: readonly Below[]): string =>
  JSON.stringify(below, (_key, value: unknown) => NAMES.get(value as string) ?? value);

for (const [valid, ...below] of CASES)
  test(`the policies of a chain below a root are ${valid ? '' : 'not '}valid: ${shown(below)}`, (t) => {
    t.is(isValid(...below), valid);
  });
