// The sentences of findings with much or with rare data.

import test from 'ava';
import { RULES } from '../../../translator/rules/index.js';
import type { Rule } from '../../../translator/rules/rule.js';

/** The text of a finding of a rule. */
const wordsOf = (id: string, data: object): { readonly text: string; readonly todo: string } =>
  (RULES.get(id) as unknown as Rule<string, object>).at('', data).words();
const textOf = (id: string, data: object): string => wordsOf(id, data).text;

const paths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/e${index + 1}`);
const steps = (count: number) => paths(count).map((element) => ({ element, policy: `${element}/p` }));

const STEPS = '; the updates, and the policy that each needs: ';
const FEWER = 'needs fewer or different signatures than before';

for (const [what, data, text] of [
  [
    'a policy and nothing else',
    { of: 'element', elements: [], count: 0, steps: steps(1) },
    `this policy ${FEWER}: A.admin alone`,
  ],
  [
    'a policy with three elements in one step',
    { of: 'element', elements: paths(3), count: 3, steps: steps(1) },
    `this policy ${FEWER}: A.admin alone, and with it change /e1, /e2, /e3`,
  ],
  [
    'a policy with four elements in two steps',
    { of: 'element', elements: paths(4), count: 4, steps: steps(2) },
    `this policy ${FEWER}: A.admin alone, and with it change /e1, /e2, /e3 and 1 more${STEPS}/e1 (/e1/p), then /e2 (/e2/p)`,
  ],
  [
    'a mod_policy',
    { of: 'mod-policy', elements: paths(1), count: 1, steps: [] },
    `its new mod_policy ${FEWER}: A.admin alone`,
  ],
  [
    'control in one step',
    { of: 'control', elements: paths(2), count: 2, steps: steps(1) },
    `A.admin alone can change what needed others before: /e1, /e2${STEPS}/e1 (/e1/p)`,
  ],
  [
    'control in five steps',
    { of: 'control', elements: paths(1), count: 1, steps: steps(5) },
    `A.admin alone can change what needed others before: /e1${STEPS}/e1 (/e1/p), then /e2 (/e2/p), then /e3 (/e3/p), then /e4 (/e4/p), then /e5 (/e5/p)`,
  ],
  [
    'control in six steps',
    { of: 'control', elements: paths(1), count: 9, steps: steps(6) },
    `A.admin alone can change what needed others before: /e1 and 8 more${STEPS}/e1 (/e1/p), then /e2 (/e2/p), then /e3 (/e3/p), then /e4 (/e4/p), then /e5 (/e5/p), then 1 more`,
  ],
] as const)
  test(`a gain of control in words: ${what}`, (t) => {
    t.is(textOf('policy-weakened', { signers: 'A.admin', ...data }), text);
  });

/** The text of a finding in a headline. */
const shortOf = (id: string, path: string, data: object): string | undefined =>
  (RULES.get(id) as unknown as Rule<string, object>).at(path, data).words().short;

const PEOPLE = { gainers: 'Org1 or Org2', count: 2, steps: [] };
const service = (name: string, ...roles: readonly string[]) => ({
  service: name,
  resources: [],
  actors: roles.map((role) => ({ role, organizations: ['Org1'], count: 1, issuers: [] })),
});

for (const [short, id, path, data] of [
  [
    'Org1 or Org2 could change the group Application and its organisations without the others',
    'policy-weakened',
    '/Channel/Application/Admins',
    { ...PEOPLE, of: 'element', elements: ['/Channel/Application', '/Channel/Application/Admins'] },
  ],
  [
    'Org1 or Org2 can change Application/ACLs and 1 more element without the others',
    'policy-weakened',
    '/Channel/Application/ACLs',
    { ...PEOPLE, of: 'control', elements: ['/Channel/Application/ACLs', '/Channel/Application/Extra'] },
  ],
  [
    'Org1 or Org2 alone can receive events',
    'policy-weakened',
    '/Channel/Application/Readers',
    { ...PEOPLE, of: 'element', elements: [] },
  ],
  [
    'anybody who can submit updates can change the group Orderer',
    'mod-policy-open',
    '/Channel/Orderer',
    { kind: 'group' },
  ],
  [
    'nobody satisfies Channel/Odd: nobody can ever change the policy Orderer/Admins again',
    'mod-policy-frozen',
    '/Channel/Orderer/Admins',
    { kind: 'policy', policy: '/Channel/Odd', isForGood: true },
  ],
  [
    'there is no policy Orderer/Nope: nobody can ever change Orderer/BatchSize again',
    'mod-policy-missing',
    '/Channel/Orderer/BatchSize',
    { kind: 'value', modPolicy: 'Nope', policy: '/Channel/Orderer/Nope', isForGood: true },
  ],
  [
    'nobody can change the channel any more, because nobody satisfies Application/Org1/Admins',
    'policy-unsatisfiable',
    '/Channel/Application/Org1/Admins',
    {
      stops: ['nobody can change Org1 any more', 'nobody can change the channel any more'],
      repair: { do: 'keep-member' },
    },
  ],
  [
    'peers and admins of Org1 cannot read blocks or use 1 other service: their certificates do not count any more',
    'service-lost',
    '/Channel/Application/Org1/MSP',
    {
      cause: 'identity',
      services: [service('administer', 'admin'), service('read-blocks', 'peer', 'admin')],
      reason: 'a long reason',
      steps: [],
    },
  ],
  [
    'clients of Org1 cannot submit transactions, because they do not satisfy Channel/Writers',
    'service-lost',
    '/Channel/Writers',
    {
      cause: 'policy',
      services: [service('submit-transactions', 'client')],
      reason: '',
      steps: [{ policy: '/Channel/Writers', text: 'ANY Nope', needed: 1, satisfied: 0 }],
    },
  ],
] as const)
  test(`a finding in a headline: ${short}`, (t) => {
    t.is(shortOf(id, path, data), short);
  });

const step = (policy: string, fields: object = {}) => ({
  policy,
  text: 'ANY Readers',
  needed: null,
  satisfied: null,
  ...fields,
});

for (const [data, why] of [
  [{ cause: 'organization' }, 'no organisation of the channel has their MSP any more'],
  [{ cause: 'identity', reason: 'bad' }, 'their certificates do not count any more (bad)'],
  [{ cause: 'policy-missing' }, 'the policy is missing'],
  [{ cause: 'policy-missing', steps: [step('/P')] }, 'a policy that /P depends on is missing'],
  [{ cause: 'acl' }, 'an ACL decides, and the policy is missing'],
  [{ cause: 'policy', steps: [step('/P')] }, '/P requires ANY Readers'],
  [{ cause: 'policy', steps: [step('/P'), step('/Q')] }, '/P depends on /Q, which requires ANY Readers'],
  [{ cause: 'acl', steps: [step('/P')] }, 'an ACL decides, and /P requires ANY Readers'],
  [
    { cause: 'policy', steps: [step('/P', { needed: 2, satisfied: 1 })] },
    '/P needs 2 of its groups, ANY Readers, and one signature satisfies 1',
  ],
  [
    { cause: 'policy', steps: [step('/P', { needed: 2 })] },
    '/P needs 2 of its groups, ANY Readers, and one signature satisfies 0',
  ],
] as const)
  test(`a lost service with the data ${JSON.stringify(data)}: ${why}`, (t) => {
    const actors = [{ role: 'peer', organizations: ['Org1'], count: 1, issuers: [] }];
    const services = [{ service: 'read-events', resources: ['event/Block'], actors }];
    const resources = data.cause === 'acl' ? ' (event/Block)' : '';
    t.is(
      textOf('service-lost', { services, reason: '', steps: [], ...data }),
      `peers of Org1 cannot receive events${resources} after this update: ${why}`,
    );
  });

for (const [count, text] of [
  [1, '1 more signature needed for /P: A.admin'],
  [2, '2 more signatures needed for /P: A.admin'],
] as const)
  test(`missing signatures in words: ${text}`, (t) => {
    t.is(textOf('signatures-missing', { policy: '/P', count, signers: 'A.admin' }), text);
  });

test('a consenter that must join in words: an orderer that is added again removes its old channel', (t) => {
  const data = { consenters: ['o3:1'], others: 2, spare: 0 };
  t.is(
    wordsOf('consenter-must-join', data).todo,
    'check that the new orderer is reachable, and let it join at once; with Raft, one that still has the channel from before its removal has to remove it first (osnadmin channel remove)',
  );
});

for (const [consenters, others, spare, text] of [
  [['o2:1'], 1, null, 'until the new consenter o2:1 joins the channel, the channel stops'],
  [['o3:1'], 2, 0, 'until the new consenter o3:1 joins the channel, both other consenters must stay up'],
  [
    ['o6:1', 'o7:1'],
    5,
    1,
    'until the new consenters o6:1, o7:1 join the channel, 4 of the 5 other consenters must stay up',
  ],
] as const)
  test(`consenters that must join in words: ${text}`, (t) => {
    t.is(textOf('consenter-must-join', { consenters, others, spare }), text);
  });

for (const [id, what] of [
  ['msp-ca-removed', 'CA'],
  ['msp-tls-ca-removed', 'TLS CA'],
] as const)
  test(`one ${what} or several are removed`, (t) => {
    const data = { organization: 'Org1', section: 'Application', subject: 'CN=a', isAll: false };
    t.true(textOf(id, { ...data, removed: 1 }).startsWith(`the ${what} CN=a is removed: `));
    t.true(textOf(id, { ...data, removed: 2 }).startsWith(`the ${what} CN=a and 1 more are removed: `));
  });
