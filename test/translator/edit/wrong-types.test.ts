// Edits with values of wrong types, as JavaScript can pass them: an error of the edit, never a TypeError.

import test from 'ava';
import {
  applyEdit,
  EDITS,
  replaceConfig,
  revokeCertificates,
  SET_FIELDS,
  setByPath,
  type Edit,
} from '../../../translator/edit/index.js';
import { planBft } from '../../../translator/migrate/index.js';
import { TranslateError } from '../../../translator/index.js';
import { CONFIG, PEM } from '../../helpers/edits.js';

type Call = (...args: readonly unknown[]) => unknown;

const MSP = {
  files: {
    roots: [PEM],
    intermediates: [],
    admins: [],
    revocationLists: [],
    tlsRoots: [],
    tlsIntermediates: [],
    units: [],
    nodeOus: undefined,
  },
  mspId: 'NewMSP',
};

/** Functions with arguments of the right types, after the config. */
const CALLS: readonly (readonly [name: string, call: unknown, args: readonly unknown[]])[] = [
  ['setByPath', setByPath, ['orderer.batchTimeout', '3s']],
  [
    'revokeCertificates',
    revokeCertificates,
    ['units', [{ name: 'a', bytes: PEM }], { key: PEM }, new Date()],
  ],
  ['replaceConfig', replaceConfig, [CONFIG]],
  [
    'planBft',
    (config: never, identities: never) => planBft(config, identities, 'ch'),
    [[{ consenter: 'a:7050', certificate: PEM }]],
  ],
];

const WRONG: readonly unknown[] = [null, undefined, 5, true, 'text', {}, [], [5], [null], new Map(), () => 1];

/** The arguments with one value, or one property of a value, replaced. */
function* replaced(value: unknown, path: string): Generator<readonly [where: string, value: unknown]> {
  for (const wrong of WRONG) yield [`${path} is ${shown(wrong)}`, wrong];
  if (
    value instanceof Uint8Array ||
    value instanceof Date ||
    value instanceof Map ||
    typeof value !== 'object' ||
    value === null
  )
    return;
  if ('modPolicy' in value) return;
  for (const [key, each] of Object.entries(value))
    for (const [where, changed] of replaced(each, `${path}.${key}`))
      yield [where, Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }];
}

const shown = (value: unknown): string =>
  typeof value === 'function' || value instanceof Map
    ? value.constructor.name
    : (JSON.stringify(value) ?? 'undefined');

/** The calls that fail with something else than an error of the translator. */
async function faultsOf(call: Call, args: readonly unknown[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [where, changed] of replaced(args, 'argument'))
    try {
      await call(CONFIG, ...(Array.isArray(changed) ? (changed as unknown[]) : [changed]));
    } catch (error) {
      if (!(error instanceof TranslateError)) faults.push(`${where}: ${String(error)}`);
    }
  return faults;
}

const ANCHORS = 'anchor-peers set';
const ORG = { name: 'units' };

for (const [what, name, values, message] of [
  [
    'a number in place of a text',
    'acl set',
    { resource: 'peer/Propose', policy: 5 },
    'values.policy must be a text, found number',
  ],
  [
    'a text in place of a list',
    ANCHORS,
    { organization: ORG, addresses: 'a:7051' },
    'values.addresses must be a list, found string',
  ],
  [
    'null in a list',
    ANCHORS,
    { organization: ORG, addresses: [null] },
    'values.addresses[0] must be a text, found null',
  ],
  ['a list in place of an object', 'consenter add', [], 'values must be an object, found a list'],
  ['null in place of an object', 'consenter add', null, 'values must be an object, found null'],
  [
    'a text in place of bytes',
    'consenter add',
    { address: 'a:7050', tls: 'PEM' },
    'values.tls must be a Uint8Array, found string',
  ],
  [
    'a number that is too small',
    'consenter add',
    { address: 'a:7050', tls: PEM, id: 0 },
    'values.id must be a whole number of 1 to 4294967295, found number',
  ],
  [
    'another name in place of one of several',
    'capabilities set',
    { level: 'peers', names: ['V2_0'] },
    'values.level must be one of channel, orderer, application, found string',
  ],
  [
    'a text in place of an organisation',
    'org remove',
    { organization: 'units' },
    'values.organization must be an object, found string',
  ],
  ['a missing value', 'acl remove', {}, 'values.resource must be a text, found undefined'],
  [
    'an unknown value',
    ANCHORS,
    { organization: ORG, addresses: [], adresses: [] },
    'values.adresses is unknown; did you mean addresses?',
  ],
  [
    'an unknown member of a value',
    'org remove',
    { organization: { name: 'units', sektion: 'Orderer' } },
    'values.organization.sektion is unknown; did you mean section?',
  ],
  [
    'an unknown edit',
    'anchor-peer add',
    {},
    'no edit has the name "anchor-peer add"; did you mean anchor-peers add?',
  ],
] as const)
  test(`${what} is a bad edit that names it`, async (t) => {
    await t.throwsAsync(async () => applyEdit(CONFIG, name as never, values as never), {
      instanceOf: TranslateError,
      code: 'BAD_EDIT',
      message,
    });
  });

test('an edit by its name is the edit of the command', async (t) => {
  const { config, notes } = await applyEdit(CONFIG, 'anchor-peers set', {
    organization: { name: 'units' },
    addresses: ['a:7051'],
  });
  t.deepEqual(notes, ['anchor peers of /Channel/Application/units: a:7051']);
  t.not(config, CONFIG);
});

for (const [name, call, args] of CALLS)
  test(`${name} refuses values of wrong types with an error of the translator`, async (t) => {
    t.deepEqual(await faultsOf(call as Call, args), []);
  });

/** Values of the fields of an edit, of the right types. */
const valuesOf = ({ fields }: Edit): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [
      name,
      {
        text: 'a:7050',
        list: ['a:7050'],
        number: 1,
        choice: 'Application',
        file: PEM,
        organization: { name: 'units', section: undefined },
        msp: MSP,
        settings: [{ path: 'orderer.batchTimeout', value: '3s' }],
      }[kind],
    ]),
  );

for (const edit of [SET_FIELDS, ...EDITS])
  test(`the edit ${edit.name} of the catalogue refuses values of wrong types with an error of the translator`, async (t) => {
    const apply = (await edit.load()) as Call;
    t.deepEqual(await faultsOf(apply, [valuesOf(edit)]), []);
  });
