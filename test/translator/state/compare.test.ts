// What the actors of a channel lose and gain by an update: the causes, and what is no loss.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile, type Config } from '../../../translator/channel/index.js';
import {
  addOrganization,
  editAll,
  removeOrganization,
  setAcl,
  setPolicy,
  type Edited,
} from '../../../translator/edit/index.js';
import { MspCache } from '../../../translator/msp/index.js';
import { expiryOf } from '../../../translator/state/channel-state.js';
import { compareServices, type Cause, type Gain, type Loss } from '../../../translator/state/compare.js';
import { ChannelState } from '../../../translator/state/index.js';
import { groupOf } from '../../helpers/edits.js';

const { config: CONFIG } = readConfigFile(readFileSync('test/vectors/powers/raft.block'));
const CACHE = new MspCache();

type Edit = (config: Config) => Edited;
const policy =
  (path: string, rule: string): Edit =>
  (config) =>
    setPolicy(config, path, rule);
const edited = (config: Config, ...edits: readonly Edit[]): Config => editAll(config, edits).config;

const compare = async (before: Config, after: Config, changed: readonly string[] = []) =>
  compareServices(new ChannelState(before, { cache: CACHE }), new ChannelState(after, { cache: CACHE }), {
    consenterOrganizations: new Set(['/Channel/Orderer/OrdererOrg']),
    changed: new Set(changed),
  });

/** `submit-transactions: client of Org2MSP`, sorted. */
const actorsIn = ({ services }: Pick<Loss | Gain, 'services'>): readonly string[] => [
  ...new Set(
    [...services].flatMap(([{ name }, actors]) =>
      [...actors].map(({ role, organization }) => `${name}: ${role} of ${organization.name}`),
    ),
  ),
];
const causeOf = ({ kind, path, steps }: Cause): unknown => [
  kind,
  path,
  steps.map((step) => `${step.policy.path} (${step.satisfied})`),
];

const READERS = '/Channel/Application/Org2MSP/Readers';
const ADMINS_ONLY = "OR('Org2MSP.admin')";

test('a loss has its cause, with the policies from the one of the service down to it', async (t) => {
  const { losses, gains } = await compare(CONFIG, edited(CONFIG, policy(READERS, ADMINS_ONLY)), [READERS]);
  t.deepEqual(
    losses.map(({ cause }) => causeOf(cause)),
    [['policy', READERS, ['/Channel/Readers (0)', '/Channel/Application/Readers (0)', `${READERS} (0)`]]],
  );
  t.true(actorsIn(losses[0]!).includes('read-blocks: peer of Org2MSP'));
  t.false(actorsIn(losses[0]!).some((each) => each.includes('admin') || each.includes('Org1')));
  t.deepEqual(gains, []);
});

test('the other way round it is a gain of existing actors, by the policy of the service', async (t) => {
  const before = edited(CONFIG, policy('/Channel/Application/Org2MSP/Writers', ADMINS_ONLY));
  const { losses, gains } = await compare(before, CONFIG);
  t.deepEqual(losses, []);
  const gain = gains.find(({ path }) => path === '/Channel/Writers');
  t.deepEqual([gain?.owner, gain?.isOfAdmins], [undefined, false]);
  t.deepEqual(actorsIn(gain!), ['submit-transactions: client of Org2MSP']);
});

test('the policies Admins and Endorsement of an organisation belong to it: others that satisfy them gain', async (t) => {
  const rule = (role: string): string => `OR('Org1MSP.${role}', 'Org2MSP.${role}')`;
  const own = '/Channel/Application/Org2MSP';
  const { gains } = await compare(
    CONFIG,
    edited(CONFIG, policy(`${own}/Admins`, rule('admin')), policy(`${own}/Endorsement`, rule('peer'))),
  );
  t.deepEqual(
    gains
      .filter(({ owner }) => owner !== undefined)
      .map((gain) => [gain.path, gain.owner?.name, gain.isOfAdmins, actorsIn(gain)]),
    [
      [`${own}/Admins`, 'Org2MSP', true, ['administer: admin of Org1MSP']],
      [`${own}/Endorsement`, 'Org2MSP', false, ['endorse: peer of Org1MSP']],
    ],
  );
  const kept = await compare(
    edited(CONFIG, policy(`${own}/Admins`, rule('admin'))),
    edited(CONFIG, policy(`${own}/Admins`, "OR('Org1MSP.admin')")),
  );
  t.false(kept.gains.some(({ owner }) => owner !== undefined));
});

for (const [what, edit, kind, path] of [
  [
    'an organisation that leaves',
    (config) => removeOrganization(config, 'Org2MSP'),
    'organization',
    '/Channel/Application/Org2MSP',
  ],
  [
    'an ACL that names a stronger policy',
    (config) => setAcl(config, 'event/Block', 'Admins'),
    'acl',
    '/Channel/Application/ACLs',
  ],
] as const satisfies readonly (readonly [string, Edit, string, string])[])
  test(`${what} is the cause of the losses`, async (t) => {
    const { losses } = await compare(CONFIG, edited(CONFIG, edit));
    t.deepEqual([...new Set(losses.map(({ cause }) => `${cause.kind} ${cause.path}`))], [`${kind} ${path}`]);
  });

test('a new organisation without services loses nothing', async (t) => {
  const group = groupOf(CONFIG, 'Application', 'Org2MSP');
  const before = edited(CONFIG, (config) => removeOrganization(config, 'Org2MSP'));
  const after = edited(
    before,
    (config) => addOrganization(config, { section: 'Application', name: 'Org2MSP', group }),
    policy(READERS, "OR('Org1MSP.admin')"),
  );
  t.deepEqual((await compare(before, after)).losses, []);
});

test('an organisation whose Endorsement needs a second peer may not approve chaincode definitions any more', async (t) => {
  const path = '/Channel/Application/Org2MSP/Endorsement';
  const two = edited(CONFIG, policy(path, "AND('Org2MSP.peer', 'Org2MSP.peer')"));
  const names = async (before: Config, after: Config): Promise<readonly string[]> =>
    (await compare(before, after)).needPeers.map(({ name }) => name);
  t.deepEqual(await names(CONFIG, two), ['Org2MSP']);
  t.deepEqual(await names(two, two), []);
  t.deepEqual(await names(two, CONFIG), []);
});

test('members keep a service that one of them has after the update', async (t) => {
  const { keeps, losses } = await compare(CONFIG, edited(CONFIG, policy(READERS, ADMINS_ONLY)));
  const [[service]] = [...losses[0]!.services] as never as [[Parameters<typeof keeps>[2]]];
  t.is(service.name, 'read-blocks');
  const path = '/Channel/Application/Org2MSP';
  t.deepEqual(
    [
      keeps(path, 'peer', service),
      keeps(path, 'admin', service),
      keeps('/Channel/Application/Org1MSP', 'peer', service),
    ],
    [false, true, true],
  );
});

test('a certificate is expired after its end, not at it', (t) => {
  const now = new Date('2027-01-01T00:00:00.000Z');
  for (const [end, isExpired] of [
    ['2026-12-31T23:59:59.999Z', true],
    ['2027-01-01T00:00:00.000Z', false],
  ] as const)
    t.deepEqual(expiryOf(new Date(end), { now }), { notAfter: end, isExpired });
});
