// Edits with values of wrong types, as JavaScript can pass them: an error of the edit, never a TypeError.

import test from 'ava';
import {
  addConsenter,
  addOrganization,
  editAnchorPeers,
  EDITS,
  organizationOf,
  removeAcl,
  removeConsenter,
  removeOrganization,
  removePolicy,
  revokeCertificates,
  rotateConsenter,
  SET_FIELDS,
  setAcl,
  setByPath,
  setCapabilities,
  setEndpoints,
  setFields,
  setModPolicy,
  setMsp,
  setPolicy,
  type Edit,
} from '../../../translator/edit/index.js';
import { planBft } from '../../../translator/migrate/index.js';
import { TranslateError } from '../../../translator/index.js';
import { CONFIG, groupOf, PEM } from '../../helpers/edits.js';

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
  ['setFields', setFields, [[{ path: 'orderer.batchTimeout', value: '3s' }]]],
  ['setModPolicy', setModPolicy, ['Orderer/BatchSize', 'Admins']],
  ['setPolicy', setPolicy, ['Application/Endorsement', 'ANY Endorsement']],
  ['removePolicy', removePolicy, ['Application/Endorsement']],
  ['setAcl', setAcl, ['peer/Propose', 'Writers']],
  ['removeAcl', removeAcl, ['peer/Propose']],
  ['setCapabilities', setCapabilities, ['application', ['V2_0']]],
  ['editAnchorPeers', editAnchorPeers, ['set', 'units', ['a:7051']]],
  ['setEndpoints', setEndpoints, ['orderer', ['a:7050']]],
  [
    'addOrganization',
    addOrganization,
    [{ section: 'Application', name: 'new', group: groupOf(CONFIG, 'Application', 'units'), endpoints: [] }],
  ],
  ['removeOrganization', removeOrganization, ['units', 'Application']],
  ['setMsp', setMsp, ['units', MSP, 'Application']],
  [
    'addConsenter',
    addConsenter,
    [{ address: 'a:7050', tls: PEM, serverTls: PEM, organization: 'orderer', endpoint: 'a:7050' }],
  ],
  ['removeConsenter', removeConsenter, ['a:7050', 'a:7050']],
  ['rotateConsenter', rotateConsenter, ['a:7050', { tls: PEM, serverTls: PEM, identity: PEM }]],
  [
    'revokeCertificates',
    revokeCertificates,
    ['units', [{ name: 'a', bytes: PEM }], { key: PEM }, new Date()],
  ],
  [
    'organizationOf',
    (_: unknown, source: never, section: never) => organizationOf(source, section),
    [MSP, 'Application'],
  ],
  [
    'organizationOf with JSON',
    (_: unknown, source: never, section: never) => organizationOf(source, section),
    [{ json: PEM }, 'Application'],
  ],
  [
    'planBft',
    (config: never, identities: never) => planBft('ch', config, identities, new Date()),
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

for (const [what, call, message] of [
  [
    'a number in place of a text',
    () => setAcl(CONFIG, 'peer/Propose', 5 as never),
    'policy must be a text, found number',
  ],
  [
    'a text in place of a list',
    () => setEndpoints(CONFIG, 'orderer', 'a:7050' as never),
    'addresses must be a list, found string',
  ],
  [
    'null in a list',
    () => setEndpoints(CONFIG, 'orderer', [null] as never),
    'addresses[0] must be a text, found null',
  ],
  [
    'a list in place of an object',
    () => addConsenter(CONFIG, [] as never),
    'consenter must be an object, found a list',
  ],
  [
    'a text in place of bytes',
    () => addConsenter(CONFIG, { address: 'a:7050', tls: 'PEM' as never }),
    'consenter.tls must be bytes, found string',
  ],
  [
    'another name',
    () => setCapabilities(CONFIG, 'peers' as never, ['V2_0']),
    'level must be one of channel, orderer, application, found string',
  ],
] as const)
  test(`${what} is a bad edit that names the argument`, (t) => {
    t.throws(call, { instanceOf: TranslateError, code: 'BAD_EDIT', message });
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
