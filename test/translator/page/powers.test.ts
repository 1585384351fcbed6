// Powers on the page: the matrix, and the state of its tab.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { readConfig, readConfigFile, writeConfig } from '../../../translator/channel/index.js';
import { addOrganization } from '../../../translator/edit/index.js';
import { makeOrganization } from '../../../translator/edit/org.js';
import type { ChannelPowers } from '../../../translator/powers/index.js';
import { ENGINE } from '../../../translator/page/engine.js';
import { matrixOf, PowersModel, shownPowers, type Matrix } from '../../../translator/page/powers.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { until } from '../../helpers/until.js';

const CONFIG = readConfig(readChannelCases().configs.get('app3')!);
const BASE = readConfigFile(writeConfig(CONFIG));

const powers = (
  names: readonly string[],
  services: ChannelPowers['services'],
  after: ChannelPowers['services'] = services,
): ChannelPowers => {
  const organizations = names.map((name) => ({ name, mspid: null, isJudged: true }));
  const others = { organizations, control: [], unknown: [] };
  return { channel: null, block: null, services, ...others, after: { services: after, ...others } };
};

const row = (
  organizations: readonly string[],
  resources: readonly string[] = [],
  service: ChannelPowers['services'][number]['service'] = 'read-blocks',
): ChannelPowers['services'][number] => ({
  service,
  resources,
  who: organizations.length === 0 ? [] : [{ role: 'peer', organizations }],
});

test('the matrix shows lost and gained services, and organisations that lose one come first', (t) => {
  const matrix = matrixOf(powers(['A', 'B', 'C', 'D'], [row(['A', 'B'])], [row(['A', 'C'])]));
  t.deepEqual(matrix.columns, [
    { organizations: ['B'], loses: true, gains: false },
    { organizations: ['C'], loses: false, gains: true },
    { organizations: ['A'], loses: false, gains: false },
    { organizations: ['D'], loses: false, gains: false },
  ]);
  t.deepEqual(matrix.rows, [
    {
      service: 'read-blocks',
      resources: [],
      cells: [
        [{ role: 'peers', change: 'lost' }],
        [{ role: 'peers', change: 'gained' }],
        [{ role: 'peers', change: 'kept' }],
        [],
      ],
    },
  ]);
});

test('organisations with the same services share a column', (t) => {
  const { columns } = matrixOf(powers(['A', 'B', 'A'], [row(['A', 'B'])]));
  t.deepEqual(columns, [{ organizations: ['A', 'B'], loses: false, gains: false }]);
});

test('resources of a service have different rows only if their cells differ', (t) => {
  const before = [row(['A'], ['event/Block', 'event/FilteredBlock'], 'read-events')];
  const after = [row(['A'], ['event/Block'], 'read-events'), row([], ['event/FilteredBlock'], 'read-events')];
  const resources = ({ rows }: Matrix): readonly (readonly string[])[] => rows.map((each) => each.resources);
  t.deepEqual(resources(matrixOf(powers(['A'], before))), [[]]);
  t.deepEqual(resources(matrixOf(powers(['A'], before, after))), [['event/Block'], ['event/FilteredBlock']]);
});

const powersIn = ({ answer }: PowersModel) =>
  answer !== undefined && 'powers' in answer ? answer.powers : undefined;

test('an organisation with an MSP that cannot be set up is not in the matrix: its powers cannot be known', async (t) => {
  const none = { intermediates: [], admins: [], revocationLists: [], tlsRoots: [], tlsIntermediates: [] };
  const files = {
    ...none,
    roots: [Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')],
    units: [],
    nodeOus: undefined,
  };
  const { config } = addOrganization(CONFIG, {
    section: 'Application',
    name: 'Broken',
    group: makeOrganization('Application', 'BrokenMSP', files),
  });
  const model = new PowersModel(ENGINE.powersOf);
  model.begin({ ...BASE, config });
  await model.load();
  t.deepEqual(powersIn(model)?.unknown, [
    'who acts for /Channel/Application/Broken: setting up the MSP manager failed: getCertFromPem error: failed to parse x509 cert: x509: malformed certificate',
  ]);
  const names = powersIn(model)?.matrix.columns.flatMap(({ organizations }) => organizations) ?? [];
  t.true(names.includes('Org1'));
  t.false(names.includes('Broken'));
});

test('250 organisations with the same services are one column beside the orderer, and a search finds all', async (t) => {
  const model = new PowersModel(ENGINE.powersOf);
  model.begin(readConfigFile(largeChannel(250, 1).config));
  await model.load();
  t.deepEqual(
    powersIn(model)?.matrix.columns.map(({ organizations }) => organizations.length),
    [250, 1],
  );
  for (const [search, columns] of [
    ['', [0, 1]],
    ['org249', [0]],
    ['ORDERER', [1]],
    ['nobody', []],
  ] as const) {
    model.find(search);
    t.deepEqual(model.visible, { columns, found: columns.length });
  }
});

test('powers for former versions of Fabric, which are computed later, do not replace the powers for the new versions', async (t) => {
  const ends: (() => void)[] = [];
  const model = new PowersModel(async (base, fabric) => {
    const found = await ENGINE.powersOf(base, fabric);
    await new Promise<void>((resolve) => ends.push(resolve));
    return { ...found, unknown: [`for ${String(fabric)}`] };
  });
  model.begin(BASE, ['2.5.12']);
  const first = model.load();
  await until(() => ends.length === 1);
  model.begin(BASE, ['3.1']);
  const second = model.load();
  await until(() => ends.length === 2);
  ends[1]!();
  await second;
  t.deepEqual(powersIn(model)?.unknown, ['for 3.1']);
  ends[0]!();
  await first;
  t.deepEqual(powersIn(model)?.unknown, ['for 3.1']);
});

const NONE = { matrix: { columns: [], rows: [] }, control: [], unknown: [] };

test('powers are computed once for a channel and its versions, with their progress', async (t) => {
  const asked: (readonly string[])[] = [];
  const model = new PowersModel(async (_, fabric, onProgress) => {
    asked.push(fabric);
    onProgress!({ done: 1, total: 3, what: 'msps' });
    return NONE;
  });
  await model.load();
  t.deepEqual([model.answer, asked], [undefined, []]);
  const percents: number[] = [];
  model.onChange = () => percents.push(model.percent);
  const versions = ['3.1'];
  model.begin(BASE, versions);
  await model.load();
  await model.load();
  model.begin(BASE, versions);
  t.deepEqual([model.answer, asked, percents], [{ powers: NONE }, [['3.1']], [33, 33]]);
  model.begin({ ...BASE }, versions);
  t.deepEqual([model.answer, model.percent], [undefined, 0]);
  await model.load();
  t.is(asked.length, 2);
});

test('powers that cannot be computed have the reason, and no columns', async (t) => {
  const model = new PowersModel(async () => {
    throw new TranslateError('BAD_BYTES', 'it does not parse');
  });
  model.begin(BASE);
  await model.load();
  t.deepEqual(model.answer, { error: 'it does not parse' });
  t.deepEqual(model.visible, { columns: [], found: 0 });
});

test('of the columns that a search finds, six are shown', async (t) => {
  const columns = Array.from({ length: 8 }, (_, index) => ({
    organizations: [`Org${index}`, 'Zed'],
    loses: false,
    gains: false,
  }));
  const model = new PowersModel(async () => ({ ...NONE, matrix: { columns, rows: [] } }));
  model.begin(BASE);
  await model.load();
  t.deepEqual(model.visible, { columns: [0, 1, 2, 3, 4, 5], found: 8 });
  let changes = 0;
  model.onChange = () => (changes += 1);
  model.find(' zED ');
  t.deepEqual([model.visible.found, model.search, changes], [8, ' zED ', 1]);
  model.find('org7');
  t.deepEqual(model.visible, { columns: [7], found: 1 });
});

test('an organisation that cannot be judged before or after an update has no column', (t) => {
  const { organizations, ...rest } = powers(['A', 'B'], [row(['A', 'B'])]);
  const judged = (isJudged: boolean) =>
    organizations.map((each) => ({ ...each, isJudged: isJudged || each.name === 'A' }));
  for (const [before, after] of [
    [false, true],
    [true, false],
  ] as const) {
    const { columns } = matrixOf({
      ...rest,
      organizations: judged(before),
      after: { ...rest.after!, organizations: judged(after) },
    });
    t.deepEqual(
      columns.map((each) => each.organizations),
      [['A']],
    );
  }
});

test('of the elements of a decision five paths are kept', (t) => {
  const elements = Array.from({ length: 7 }, (_, index) => ({
    kind: 'value' as const,
    path: `/Channel/Orderer/V${index}`,
  }));
  const { control } = shownPowers({
    ...powers(['A'], []),
    after: null,
    control: [{ sets: [[{ count: 1, of: ['A'] }]], elements }],
  });
  for (const { elements: paths } of control) t.true(paths.length <= 5);
  t.is(Math.max(...control.map(({ elements: paths }) => paths.length)), 5);
});
