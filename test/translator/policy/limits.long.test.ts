// Large and deep policies are processed in bounded time.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { describeNeed } from '../../../translator/documents/index.js';
import {
  createPolicies,
  Evaluation,
  findMissing,
  findPolicy,
  judge,
  needOf,
  parseSignaturePolicy,
  printSignaturePolicy,
  readSignaturePolicy,
  SignerList,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { makeGroup, makePolicy } from '../../../translator/channel/index.js';
import { groupOf, signers } from '../../helpers/policy-groups.js';

const MANY = 100_000;
const LONGEST = 10_000;

const manySigners = new SignerList(
  signers(Array.from({ length: 1000 }, (_, at) => `A.admin.${at}`).join(' ')),
);

for (const [count, what, gate, principal] of [
  [20_000, 'one principal, all of them', 'AND(', (): string => "'A.admin'"],
  [
    20_000,
    'different principals, all of them',
    'AND(',
    (at: number): string => `'A${at % 2 === 0 ? '' : at}.admin'`,
  ],
  [
    MANY,
    'different principals, more than half of them',
    `OutOf(${MANY / 2 + 1}, `,
    (at: number): string => `'A${at}.admin'`,
  ],
  [20_000, 'different principals, one of them', 'OR(', (at: number): string => `'A${at}.admin'`],
] as const)
  test(`${count} rules of ${what} are parsed, printed, evaluated and explained`, (t) => {
    const started = process.cpuUsage();
    const text = `${gate}${Array.from({ length: count }, (_, at) => principal(at)).join(', ')})`;
    const policy = parseSignaturePolicy(text);
    t.is(printSignaturePolicy(policy), text);
    const channel = createPolicies(groupOf({ policies: { P: [1, writeSignaturePolicy(policy)] } }));
    const evaluation = new Evaluation(manySigners);
    const element = {
      kind: 'value',
      key: 'V',
      path: '/Channel/V',
      names: ['V'],
      before: { modPolicy: 'P' },
    } as const;
    const judgements = judge(channel, [element], evaluation);
    t.is(judgements[0]?.error, 'policy for V not satisfied: signature set did not satisfy policy');
    const { example, need } = findMissing(judgements, evaluation, () => true);
    t.true(example!.length > 0);
    t.true(describeNeed(need).length < LONGEST);
    const { user, system } = process.cpuUsage(started);
    t.true(user + system < 8_000_000, `${user + system} µs`);
  });

const nested = (depth: number): string => `${'OR('.repeat(depth)}'A.admin'${')'.repeat(depth)}`;

test('gates may be nested 1,000 levels deep, not more', (t) => {
  const policy = parseSignaturePolicy(nested(1000));
  t.is(printSignaturePolicy(policy), nested(1000));
  const channel = createPolicies(groupOf({ policies: { P: [1, writeSignaturePolicy(policy)] } }));
  t.deepEqual(channel.problems, []);
  const node = findPolicy(channel.root, 'P')!;
  t.true(new Evaluation(new SignerList(signers('A.admin'))).satisfied(node));
  t.is(describeNeed(needOf(node, () => true)), 'A.admin');
  t.is(
    t.throws(() => parseSignaturePolicy(nested(1001)), { instanceOf: TranslateError })?.message,
    'signature policy, position 3001: gates are nested more than 1000 levels deep',
  );
});

test('bytes with deeper gates are a problem, not a crash', (t) => {
  let rule: { kind: 'outOf'; n: number; rules: any[] } = { kind: 'outOf', n: 1, rules: [] };
  for (let depth = 0; depth < 1500; depth++) rule = { kind: 'outOf', n: 1, rules: [rule] };
  const bytes = writeSignaturePolicy({ version: 0, rule, identities: [] });
  t.is(t.throws(() => readSignaturePolicy(bytes), { instanceOf: TranslateError })?.code, 'TOO_LARGE');
  t.deepEqual(createPolicies(groupOf({ policies: { P: [1, bytes] } })).problems, [
    {
      path: '/Channel/P',
      text: 'policy P at path Channel did not compile: Error unmarshalling to SignaturePolicy: the gates of a signature policy are nested more than 1000 levels deep',
    },
  ]);
});

test('n far beyond the rules, and far below zero, costs nothing', (t) => {
  for (const [n, satisfied] of [
    [2_147_483_647, false],
    [-2_147_483_648, true],
  ] as const) {
    const { identities } = parseSignaturePolicy("OR('A.admin')");
    const rule = { kind: 'outOf', n, rules: [{ kind: 'signedBy', index: 0 }] } as const;
    const bytes = writeSignaturePolicy({ version: 0, rule, identities });
    const node = findPolicy(createPolicies(groupOf({ policies: { P: [1, bytes] } })).root, 'P')!;
    t.is(new Evaluation(manySigners).satisfied(node), satisfied);
    t.is(describeNeed(needOf(node, () => true)), satisfied ? 'no signature required' : 'nobody can');
  }
});

test('implicit meta policies beyond 2,000,000 groups together are a problem', (t) => {
  const child = makeGroup({
    version: 0n,
    modPolicy: '',
    groups: new Map(),
    values: new Map(),
    policies: new Map(),
  });
  const policy = makePolicy({
    version: 0n,
    modPolicy: '',
    policy: { type: 3, value: writeImplicitMeta({ rule: 0, subPolicy: 'Admins' }) },
  });
  const many = <Item>(count: number, item: Item): Map<string, Item> =>
    new Map(Array.from({ length: count }, (_, at) => [String(at), item]));
  const group = makeGroup({
    version: 0n,
    modPolicy: '',
    groups: many(20_000, child),
    values: new Map(),
    policies: many(102, policy),
  });
  t.deepEqual(
    createPolicies(group).problems.map(({ path }) => path),
    ['/Channel/100', '/Channel/101'],
  );
});
