// Organisations made from MSP directories and from JSON, compared with the organisations of a block from configtxgen.

import test from 'ava';
import { readMspFolder } from '../../../translator/msp-folder.js';
import { channelOf, makeGroup, makeValue } from '../../../translator/channel/index.js';
import {
  addOrganization,
  mspFilesOf,
  removeOrganization,
  setMsp,
  type MspFiles,
} from '../../../translator/edit/index.js';
import { makeOrganization, readOrganizationJson } from '../../../translator/edit/org.js';
import { applyEdit, CONFIG, refused, withGroupOf, writeMsp } from '../../helpers/edits.js';
import { recordedRequest } from '../../helpers/network-block.js';

const application = CONFIG.channelGroup.groups.get('Application')!;
const orderer = CONFIG.channelGroup.groups.get('Orderer')!;

for (const [name, mspId, what] of [
  ['units', 'UnitsMSP', 'NodeOUs with one CA'],
  [
    'full',
    'FullMSP',
    'intermediates, CRLs, administrators, units, roles without a certificate, files that are not PEM',
  ],
  ['plain', 'PlainMSP', 'no NodeOUs'],
] as const)
  test(`an organisation of an MSP directory has the bytes of configtxgen: ${what}`, async (t) => {
    const made = makeOrganization('Application', mspId, mspFilesOf(await readMspFolder(writeMsp(t, name))));
    const expected = application.groups.get(name)!;
    t.deepEqual(Buffer.from(made.values.get('MSP')!.bytes), Buffer.from(expected.values.get('MSP')!.bytes));
    t.deepEqual(Buffer.from(made.bytes), Buffer.from(makeGroup(expected).bytes));
  });

test('an organisation of the orderers has the bytes of configtxgen', async (t) => {
  const group = makeOrganization(
    'Orderer',
    'OrdererMSP',
    mspFilesOf(await readMspFolder(writeMsp(t, 'orderer'))),
  );
  const without = withGroupOf(CONFIG, 'Orderer', () => ({ groups: new Map() }));
  const added = addOrganization(without, {
    section: 'Orderer',
    name: 'orderer',
    group,
    endpoints: ['o.ord.test:7050'],
  });
  t.deepEqual(added.notes, ['organisation /Channel/Orderer/orderer added, with the MSP id OrdererMSP']);
  const made = added.config.channelGroup.groups.get('Orderer')!.groups.get('orderer')!;
  t.deepEqual(Buffer.from(made.bytes), Buffer.from(makeGroup(orderer.groups.get('orderer')!).bytes));
});

test('an organisation is removed and added again', async (t) => {
  const removed = removeOrganization(CONFIG, 'fullmsp');
  t.deepEqual(removed.notes, ['organisation /Channel/Application/full removed']);
  const without = applyEdit(t, CONFIG, removed);
  t.deepEqual(without.changes, [
    'modified group /Channel/Application',
    'removed group /Channel/Application/full',
  ]);
  const group = makeOrganization(
    'Application',
    'FullMSP',
    mspFilesOf(await readMspFolder(writeMsp(t, 'full'))),
  );
  const added = applyEdit(
    t,
    without.config,
    addOrganization(without.config, { section: 'Application', name: 'full', group }),
  );
  const groups = added.config.channelGroup.groups.get('Application')!.groups;
  t.deepEqual(
    Buffer.from(groups.get('full')!.bytes),
    Buffer.from(makeGroup(application.groups.get('full')!).bytes),
  );
  t.is(groups.get('units')!.version, 0n);
});

test('an organisation of the JSON of configtxgen -printOrg is added', (t) => {
  const json = recordedRequest('encode.printorg.as-group');
  const group = readOrganizationJson('Application', json);
  const { changes } = applyEdit(
    t,
    CONFIG,
    addOrganization(CONFIG, { section: 'Application', name: 'New', group }),
  );
  t.deepEqual(changes.slice(0, 3), [
    'modified group /Channel/Application',
    'new group /Channel/Application/New',
    'new value /Channel/Application/New/MSP',
  ]);
});

test('64-bit numbers in the JSON of an organisation are exact', (t) => {
  const organization = {
    ...(JSON.parse(Buffer.from(recordedRequest('encode.printorg.as-group')).toString()) as object),
    version: '$',
  };
  const json = JSON.stringify(organization).replace('"$"', '9007199254740993');
  t.is(readOrganizationJson('Application', Buffer.from(json)).version, 9_007_199_254_740_993n);
});

test('JSON after the JSON of an organisation is refused', (t) => {
  const json = recordedRequest('encode.printorg.as-group');
  refused(
    t,
    () => readOrganizationJson('Application', Buffer.concat([json, Buffer.from('{}')])),
    'this is not an organisation: the JSON that configtxgen -printOrg writes is needed, with values and policies',
  );
});

test('the MSP of an organisation is replaced, and nothing else', async (t) => {
  const directory = writeMsp(t, 'plain');
  const files = mspFilesOf(await readMspFolder(directory));
  const other = { ...files, admins: [] };
  const { changes } = applyEdit(t, CONFIG, setMsp(CONFIG, 'plain', { files: other }));
  t.deepEqual(changes, ['modified value /Channel/Application/plain/MSP']);
  refused(t, () => setMsp(CONFIG, 'plain', { files }), '/Channel/Application/plain has this MSP already');
  refused(
    t,
    () => setMsp(CONFIG, 'plain', { group: application.groups.get('full')! }),
    '/Channel/Application/plain has the MSP id PlainMSP, which cannot change, and the new MSP has FullMSP',
  );
});

const add = (name: string, from: string) => () =>
  addOrganization(CONFIG, { section: 'Application', name, group: application.groups.get(from)! });
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const orderers = (endpoints: readonly string[], name?: string) => () =>
  addOrganization(CONFIG, {
    section: 'Orderer',
    name,
    group: application.groups.get('full')!,
    endpoints,
  });
const withoutMsp = makeGroup({ policies: application.groups.get('full')!.policies });
/** The channel with an MSP of `units` that does not parse. */
const unreadable = withGroupOf(CONFIG, 'Application', ({ groups }) => ({
  groups: new Map(groups).set(
    'units',
    makeGroup({
      ...groups.get('units')!,
      values: new Map([['MSP', makeValue({ value: Uint8Array.of(0xff) })]]),
    }),
  ),
}));
const NO_FILES: MspFiles = {
  roots: [],
  intermediates: [],
  admins: [],
  revocationLists: [],
  tlsRoots: [],
  tlsIntermediates: [],
  units: [],
  nodeOus: undefined,
};

test('a new orderer organisation has the name of its MSP, its endpoints, and may have the MSP of an application organisation', (t) => {
  const edited = orderers(['a:07', '[::1]:8'])();
  t.deepEqual(edited.notes, ['organisation /Channel/Orderer/FullMSP added, with the MSP id FullMSP']);
  const [, added] = channelOf(edited.config).orderer.organizations;
  t.deepEqual([added?.name, added?.endpoints], ['FullMSP', ['a:7', '[::1]:8']]);
});

const ERRORS: readonly (readonly [what: string, edit: () => unknown, message: string])[] = [
  ['an endpoint that is there twice', orderers(['a:7', 'a:07']), 'a:7 is a duplicate'],
  [
    'an organisation without an MSP',
    () => addOrganization(CONFIG, { section: 'Application', name: 'x', group: withoutMsp }),
    'the organisation has no MSP, or one without an id',
  ],
  [
    'an organisation with neither a name nor an MSP',
    () => addOrganization(CONFIG, { section: 'Application', group: withoutMsp }),
    "the name \"\" is not possible: 1 to 249 letters, digits, '.' and '-' are allowed",
  ],
  [
    'the name of an organisation whose MSP cannot be read',
    () =>
      addOrganization(unreadable, {
        section: 'Application',
        name: 'units',
        group: orderer.groups.get('orderer')!,
      }),
    '/Channel/Application/units exists already, with the MSP id unknown; replace its MSP instead',
  ],
  [
    'a section that the channel does not have',
    () =>
      addOrganization(
        { ...CONFIG, channelGroup: makeGroup({}) },
        { section: 'Application', name: 'x', group: application.groups.get('full')! },
      ),
    '/Channel has no group "Application"; none is allowed here',
  ],
  [
    'an organisation without an MSP as a new MSP',
    () => setMsp(CONFIG, 'plain', { group: withoutMsp }),
    '/Channel/Application/plain has the MSP id PlainMSP, which cannot change, and the new MSP has none',
  ],
  [
    'a new MSP for an organisation whose MSP cannot be read',
    () => setMsp(unreadable, 'units', { files: NO_FILES }),
    '/Channel/Application/units has no MSP that can be read',
  ],
  ['an empty MSP id', () => makeOrganization('Application', '', NO_FILES), 'the MSP id is empty'],
  [
    'an MSP directory without a root certificate',
    () => makeOrganization('Application', 'XMSP', NO_FILES),
    'the MSP has no root certificate: cacerts must contain at least one certificate in PEM',
  ],
  [
    'a name that exists',
    add('units', 'full'),
    '/Channel/Application/full exists already, with the MSP id FullMSP; replace its MSP instead',
  ],
  [
    'an MSP id that exists',
    add('other', 'full'),
    '/Channel/Application/full exists already, with the MSP id FullMSP; replace its MSP instead',
  ],
  [
    'a name that Fabric refuses',
    add('my org', 'full'),
    "the name \"my org\" is not possible: 1 to 249 letters, digits, '.' and '-' are allowed",
  ],
  [
    'endpoints of an application organisation',
    () =>
      addOrganization(removeOrganization(CONFIG, 'full').config, {
        section: 'Application',
        name: 'x',
        group: application.groups.get('full')!,
        endpoints: ['a:1'],
      }),
    'only organisations of the group Orderer have endpoints',
  ],
  [
    'an unknown organisation',
    () => removeOrganization(CONFIG, 'unit'),
    'the channel has no organisation "unit"; did you mean units?',
  ],
  [
    'the last organisation',
    () => removeOrganization(CONFIG, 'orderer'),
    '/Channel/Orderer/orderer is the last organisation of Orderer: without organisations anybody satisfies its policies',
  ],
  [
    'an organisation of two groups, without a group',
    () =>
      removeOrganization(
        withGroupOf(CONFIG, 'Orderer', ({ groups }) => ({
          groups: new Map([...groups, ['full', application.groups.get('full')!]]),
        })),
        'full',
      ),
    '"full" is an organisation of Application and of Orderer: choose its group',
  ],
  [
    'an organisation of another group',
    () => removeOrganization(CONFIG, 'orderer', 'Application'),
    'the group Application has no organisation "orderer"; expected one of full, plain, units',
  ],
  [
    'JSON of something else',
    () => readOrganizationJson('Application', utf8('{"channel_group":{}}')),
    'this is not an organisation: the JSON that configtxgen -printOrg writes is needed, with values and policies',
  ],
];

for (const [what, edit, message] of ERRORS) test(`refused: ${what}`, (t) => refused(t, edit, message));
