// Who makes identities of an MSP, and which roles these can have.

import test from 'ava';
import {
  CommonCapabilities,
  MspFabricMSPConfig,
  MspMSPConfig,
  type MspFabricNodeOUs,
} from '../../../proto/messages.js';
import { writeMessage, type FieldsOf } from '../../../proto/typed.js';
import { makeGroup, makeValue, type Config, type ConfigGroup } from '../../../translator/channel/index.js';
import {
  caHolders,
  controlMsps,
  givenRoles,
  isGivenOut,
  mspsChangeControl,
  rolesOf,
} from '../../../translator/control/msps.js';
import { caKey, readMspConfig, readPemCertificate, type Principal } from '../../../translator/msp/index.js';
import { ChannelState } from '../../../translator/state/index.js';
import { LongCall } from '../../../translator/long-call.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';

const [one, other] = ['ca.one', 'ca.other'].map((commonName) => makeCertificate({ commonName })) as [
  Made,
  Made,
];
const intermediate = makeCertificate({ commonName: 'ica.one', issuer: one, isCa: true });
const keyOf = ({ pem }: Made): string => caKey(readPemCertificate(pem)!);

type Parts = FieldsOf<MspFabricMSPConfig>;

const unit = (name: string, ca?: Made) => ({
  organizationalUnitIdentifier: name,
  ...(ca !== undefined && { certificate: ca.pem }),
});
/** NodeOUs with these units; all roles have usual names. */
const nodeOus = (change: FieldsOf<MspFabricNodeOUs> = {}): FieldsOf<MspFabricNodeOUs> => ({
  enable: true,
  clientOuIdentifier: unit('client'),
  peerOuIdentifier: unit('peer'),
  adminOuIdentifier: unit('admin'),
  ordererOuIdentifier: unit('orderer'),
  ...change,
});
const bytesOf = (parts: Parts): Uint8Array =>
  writeMessage(MspFabricMSPConfig, { name: 'OneMSP', rootCerts: [one.pem], ...parts });
const mspOf = (parts: Parts) => readMspConfig(bytesOf(parts));

const ALL = ['member', 'client', 'peer', 'admin', 'orderer'];

for (const [what, parts, roles] of [
  ['without NodeOUs', {}, ['member']],
  ['with NodeOUs that are not enabled', { fabricNodeOus: nodeOus({ enable: false }) }, ['member']],
  ['with NodeOUs of any CA', { fabricNodeOus: nodeOus() }, ALL],
  ['with NodeOUs of this CA', { fabricNodeOus: nodeOus({ peerOuIdentifier: unit('peer', one) }) }, ALL],
  [
    'with a role of another CA',
    { fabricNodeOus: nodeOus({ peerOuIdentifier: unit('peer', other) }) },
    ['member', 'client', 'admin', 'orderer'],
  ],
  [
    'with a role of a certificate that cannot be read',
    {
      fabricNodeOus: nodeOus({
        peerOuIdentifier: { organizationalUnitIdentifier: 'peer', certificate: Buffer.from('x') },
      }),
    },
    ['member', 'client', 'admin', 'orderer'],
  ],
  [
    'with a role without a name',
    { fabricNodeOus: nodeOus({ adminOuIdentifier: unit('') }) },
    ['member', 'client', 'peer', 'orderer'],
  ],
  ['with NodeOUs without roles', { fabricNodeOus: { enable: true } }, []],
  [
    'with a required unit that is the one of a role',
    { fabricNodeOus: nodeOus(), organizationalUnitIdentifiers: [unit('peer', one)] },
    ['member', 'peer'],
  ],
  [
    'with a required unit beside the roles',
    { fabricNodeOus: nodeOus(), organizationalUnitIdentifiers: [unit('peer', one), unit('staff', one)] },
    ALL,
  ],
] as const satisfies readonly (readonly [string, Parts, readonly string[]])[])
  test(`the CA of an MSP ${what} gives out: ${roles.join(', ') || 'no role'}`, (t) => {
    t.deepEqual(rolesOf(mspOf(parts), keyOf(one), 'V1_4_3'), [...roles] as never);
  });

test('an MSP gives out the roles of its CAs, and admin if it lists admins; without CAs its roles are unknown', (t) => {
  const admin = makeCertificate({ commonName: 'admin', issuer: one });
  t.is(givenRoles(undefined, 'V1_4_3'), undefined);
  t.is(givenRoles(mspOf({ rootCerts: [] }), 'V1_4_3'), undefined);
  t.deepEqual(givenRoles(mspOf({}), 'V1_4_3'), new Set(['member']) as never);
  t.deepEqual(givenRoles(mspOf({ admins: [admin.pem] }), 'V1_4_3'), new Set(['member', 'admin']) as never);
  // Identities are issued by the lowest CAs alone.
  const pinned = { fabricNodeOus: { enable: true, peerOuIdentifier: unit('peer', one) } };
  t.deepEqual(givenRoles(mspOf(pinned), 'V1_4_3'), new Set(['member', 'peer']) as never);
  t.deepEqual(
    givenRoles(mspOf({ ...pinned, intermediateCerts: [intermediate.pem] }), 'V1_4_3'),
    new Set() as never,
  );
});

const GIVEN = new Map([
  ['OneMSP', { roles: new Set(['member', 'peer'] as const) }],
  ['UnknownMSP', { roles: undefined }],
]);
const role = (mspid: string, name: 'peer' | 'admin' | 'member'): Principal => ({
  kind: 'role',
  mspid,
  role: name,
});

for (const [what, principal, expected] of [
  ['a role that its MSP gives out', role('OneMSP', 'peer'), true],
  ['a role that its MSP does not give out', role('OneMSP', 'admin'), false],
  ['a role of an MSP whose roles are unknown', role('UnknownMSP', 'admin'), true],
  ['a role of an MSP that the channel does not have', role('OtherMSP', 'peer'), false],
  ['an unknown principal', { kind: 'unknown' }, false],
  [
    'a combination of roles that are given out',
    { kind: 'combined', principals: [role('OneMSP', 'peer'), role('OneMSP', 'member')] },
    true,
  ],
  [
    'a combination with a role that is not given out',
    { kind: 'combined', principals: [role('OneMSP', 'peer'), role('OneMSP', 'admin')] },
    false,
  ],
] as const satisfies readonly (readonly [string, unknown, boolean])[])
  test(`somebody ${expected ? 'can' : 'cannot'} satisfy ${what}`, (t) => {
    t.is(isGivenOut(principal as Principal, GIVEN), expected);
  });

const CAPABILITIES = makeValue({
  value: writeMessage(CommonCapabilities, { capabilities: new Map([['V2_0', {}]]) }),
});

/** A channel with these MSPs of application organisations, by the names of their groups. */
function stateOf(msps: Readonly<Record<string, Parts>>): ChannelState {
  const groups = Object.entries(msps).map(([name, parts]): readonly [string, ConfigGroup] => {
    const value = writeMessage(MspMSPConfig, {
      config: writeMessage(MspFabricMSPConfig, { name: `${name}MSP`, ...parts }),
    });
    return [name, makeGroup({ values: new Map([['MSP', makeValue({ value })]]) })];
  });
  const application = makeGroup({ groups: new Map(groups) });
  const config: Config = {
    sequence: 0n,
    channelGroup: makeGroup({
      groups: new Map([['Application', application]]),
      values: new Map([['Capabilities', CAPABILITIES]]),
    }),
  };
  return new ChannelState(config);
}

const BEFORE = stateOf({ A: { rootCerts: [one.pem] }, B: { rootCerts: [other.pem] } });

/** The organisations that make identities of the MSP of B after an update, with their roles. */
async function foreignersOfB(parts: Parts, before = BEFORE): Promise<unknown> {
  const after = stateOf({ A: { rootCerts: [one.pem] }, B: parts });
  const msps = await controlMsps(after.channel, () => undefined, new LongCall(), await caHolders(before));
  return msps.get('BMSP')!.foreigners.map(({ mspid, roles }) => [mspid, ...roles]);
}

const listed = makeCertificate({ commonName: 'Admin@a', issuer: one });

for (const [what, parts, expected] of [
  ['keeps its CA', { rootCerts: [other.pem] }, []],
  ['gets the CA of another organisation', { rootCerts: [other.pem, one.pem] }, [['AMSP', 'member']]],
  ['gets a new CA', { rootCerts: [makeCertificate({ commonName: 'new' }).pem] }, []],
  [
    'lists an admin of another organisation',
    { rootCerts: [other.pem], admins: [listed.pem] },
    [['AMSP', 'admin']],
  ],
  [
    'lists its own admin',
    { rootCerts: [other.pem], admins: [makeCertificate({ commonName: 'Admin@b', issuer: other }).pem] },
    [],
  ],
  [
    'gets the CA of another organisation for some roles, and lists its admin',
    {
      rootCerts: [other.pem, one.pem],
      fabricNodeOus: { enable: true, clientOuIdentifier: unit('client') },
      admins: [listed.pem],
    },
    [['AMSP', 'member', 'client', 'admin']],
  ],
] as const satisfies readonly (readonly [string, Parts, readonly (readonly string[])[]])[])
  test(`other organisations make identities of an MSP that ${what}: ${expected.flat().join(', ') || 'none'}`, async (t) => {
    t.deepEqual(await foreignersOfB(parts), expected as never);
    t.is(
      await mspsChangeControl(BEFORE, stateOf({ A: { rootCerts: [one.pem] }, B: parts })),
      expected.length > 0,
    );
  });

test('a CA that both organisations had before belongs to neither, and a TLS CA counts as a CA', async (t) => {
  const shared = stateOf({ A: { rootCerts: [one.pem] }, B: { rootCerts: [one.pem] } });
  t.deepEqual(await foreignersOfB({ rootCerts: [one.pem] }, shared), []);
  const tls = stateOf({
    A: { rootCerts: [other.pem], tlsRootCerts: [one.pem] },
    B: { rootCerts: [other.pem] },
  });
  t.deepEqual(await foreignersOfB({ rootCerts: [one.pem] }, tls), [['AMSP', 'member']]);
});

test('a listed admin is unusual if NodeOUs name another unit of admins', async (t) => {
  const inUnit = makeCertificate({ commonName: 'x', unit: 'admin', issuer: other });
  const listedIn = async (parts: Parts): Promise<number> => {
    const { channel } = stateOf({ B: { rootCerts: [other.pem], ...parts } });
    const msps = await controlMsps(channel, () => undefined, new LongCall());
    return msps.get('BMSP')!.listed.size;
  };
  const fabricNodeOus = nodeOus();
  t.is(await listedIn({ admins: [listed.pem, inUnit.pem], fabricNodeOus }), 1);
  t.is(await listedIn({ admins: [listed.pem], fabricNodeOus: nodeOus({ adminOuIdentifier: unit('') }) }), 0);
  t.is(await listedIn({ admins: [listed.pem], fabricNodeOus: nodeOus({ enable: false }) }), 0);
  t.is(await listedIn({ admins: [Buffer.from('x')], fabricNodeOus }), 0);
});
