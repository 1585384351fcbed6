// Revocation lists in the MSPs of an organisation: of all its groups, beside the lists of other CAs.

import test from 'ava';
import { MspFabricMSPConfig, MspMSPConfig } from '../../../proto/messages.js';
import { readMessage, writeMessage } from '../../../proto/typed.js';
import { TranslateError } from '../../../proto/errors.js';
import { channelOf, type Config } from '../../../translator/channel/index.js';
import { revokeCertificates, type NamedFile, type RevokedBy } from '../../../translator/edit/index.js';
import { changeGroup, withGroup, withValue } from '../../../translator/edit/tree.js';
import { readPemCertificate, readRevocationList, readX509Msp } from '../../../translator/msp/index.js';
import { CONFIG, groupOf } from '../../helpers/edits.js';
import { makeCertificate, makeRevocationList, type Made } from '../../helpers/made-certificates.js';

const NOW = new Date('2026-11-24T00:00:00Z');
const [ca, otherCa] = ['ca.a', 'ca.b'].map((commonName) => makeCertificate({ commonName })) as [Made, Made];
const [alice, bob, eve] = [
  makeCertificate({ commonName: 'alice', issuer: ca }),
  makeCertificate({ commonName: 'bob', issuer: ca }),
  makeCertificate({ commonName: 'eve', issuer: otherCa }),
] as const;

const stranger = makeCertificate({ commonName: 'ca.a' });
const admin = makeCertificate({ commonName: 'admin', issuer: ca });

const serialOf = ({ pem }: Made): bigint => readPemCertificate(pem)!.serial;
/** A serial number as OpenSSL prints it: whole bytes. */
const shown = (made: Made): string => `0${serialOf(made).toString(16).toUpperCase()}`;
const listOf = (issuer: Made, ...revoked: readonly Made[]): Buffer =>
  makeRevocationList(issuer.name, revoked.map(serialOf), issuer);
const file = (name: string, { pem }: Made): NamedFile => ({ name: `${name}.pem`, bytes: pem });
const keyOf = ({ key }: Made): RevokedBy => ({
  key: Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })),
});

const mspOf = (name: string, revocationList: readonly Uint8Array[] = [], rootCerts = [ca.pem, otherCa.pem]) =>
  writeMessage(MspMSPConfig, {
    config: writeMessage(MspFabricMSPConfig, {
      name,
      rootCerts,
      admins: [admin.pem],
      revocationList,
      cryptoConfig: { signatureHashFamily: 'SHA2', identityIdentifierHashFunction: 'SHA256' },
    }),
  });

/** The channel with this MSP in groups of the name `two`, in both sections. */
function channelWith(inApplication: Uint8Array, inOrderer = inApplication): Config {
  const { channelGroup } = [['Application', inApplication] as const, ['Orderer', inOrderer] as const].reduce(
    (config, [section, msp]): Config => {
      const group = withValue(groupOf(CONFIG, 'Application', 'units'), 'MSP', msp);
      return {
        ...config,
        channelGroup: changeGroup(config.channelGroup, [section], (each) => withGroup(each, 'two', group)),
      };
    },
    CONFIG,
  );
  return { ...CONFIG, channelGroup };
}

/** The serial numbers in the lists of each group with the name `two`. */
const listsIn = (config: Config): readonly (readonly (readonly bigint[])[])[] =>
  channelOf(config).organizations.flatMap(({ name, msp }) =>
    name === 'two'
      ? [readX509Msp(msp!)!.revocationLists.map((list) => [...readRevocationList(list).serials])]
      : [],
  );

const revoke = (config: Config, files: readonly NamedFile[], by: RevokedBy, wanted = 'TwoMSP') =>
  revokeCertificates(config, wanted, files, by, NOW);

test('a certificate is revoked in all groups with the MSP, because orderers refuse different MSPs of one id', async (t) => {
  const { config, notes } = await revoke(channelWith(mspOf('TwoMSP')), [file('alice', alice)], keyOf(ca));
  t.deepEqual(listsIn(config), [[[serialOf(alice)]], [[serialOf(alice)]]]);
  t.deepEqual(notes, [
    `CN=alice of TwoMSP revoked, serial number ${shown(alice)}`,
    'the revocation list of CN=ca.a has 1 certificate',
  ]);
  t.deepEqual(
    config.channelGroup.groups.get('Orderer')!.groups.get('orderer'),
    groupOf(CONFIG, 'Orderer', 'orderer'),
  );
});

test('unknown fields of the MSP stay', async (t) => {
  // The field 1000 with the number 7, in the MSP and in its config.
  const unknown = Buffer.from([0xc0, 0x3e, 7]);
  const { config, ...msp } = readMessage(MspMSPConfig, mspOf('TwoMSP'));
  const before = writeMessage(MspMSPConfig, { ...msp, config: Buffer.concat([config, unknown]) });
  const { config: after } = await revoke(
    channelWith(Buffer.concat([before, unknown])),
    [file('alice', alice)],
    keyOf(ca),
  );
  t.deepEqual(listsIn(after), [[[serialOf(alice)]], [[serialOf(alice)]]]);
  for (const section of ['Application', 'Orderer']) {
    const { value } = groupOf(after, section, 'two').values.get('MSP')!;
    t.deepEqual(Buffer.from(value.subarray(-3)), unknown);
    t.deepEqual(Buffer.from(readMessage(MspMSPConfig, value).config.subarray(-3)), unknown);
  }
});

test('a new list replaces the lists of its CA whose certificates it contains, and no other lists', async (t) => {
  const before = channelWith(mspOf('TwoMSP', [listOf(otherCa, eve), listOf(ca, bob)]));
  const { config, notes } = await revoke(before, [file('alice', alice)], keyOf(ca));
  const [lists] = listsIn(config);
  t.deepEqual(
    lists!.map((list) => new Set(list)),
    [new Set([serialOf(eve)]), new Set([serialOf(alice), serialOf(bob)])],
  );
  t.is(notes[1], 'the revocation list of CN=ca.a has 2 certificates');
  // The list of the CA may lack a certificate that an older list revokes: bob stays revoked.
  const given = await revoke(before, [file('alice', alice)], { list: listOf(ca, alice) });
  t.deepEqual(listsIn(given.config)[0], [[serialOf(eve)], [serialOf(bob)], [serialOf(alice)]]);
});

const TWO = channelWith(mspOf('TwoMSP'));

const ERRORS: readonly (readonly [what: string, revoking: () => Promise<unknown>, message: string])[] = [
  ['no certificate', () => revoke(TWO, [], keyOf(ca)), 'there is no certificate to revoke'],
  [
    'certificates of two CAs',
    () => revoke(TWO, [file('alice', alice), file('bob', bob), file('eve', eve)], keyOf(ca)),
    'eve.pem is issued by CN=ca.b, alice.pem by CN=ca.a: revoke the certificates of each CA on their own',
  ],
  [
    'a list that a CA of no MSP has signed',
    () =>
      revoke(TWO, [file('alice', alice)], { list: makeRevocationList(ca.name, [serialOf(alice)], stranger) }),
    'the revocation list of CN=ca.a is not signed by a CA of TwoMSP, or has no authority key identifier of one: Fabric would ignore it',
  ],
  [
    'a list without the certificate',
    () => revoke(TWO, [file('alice', alice)], { list: listOf(ca, bob) }),
    `the revocation list does not contain the serial number ${shown(alice)} of alice.pem`,
  ],
  [
    'the name of groups with different MSPs',
    () => revoke(channelWith(mspOf('TwoMSP'), mspOf('OtherMSP')), [file('alice', alice)], keyOf(ca), 'two'),
    'the organisations "two" have several MSP ids, or none: give the MSP id',
  ],
  [
    'the name of a group with an MSP that cannot be read',
    () => revoke(channelWith(Uint8Array.of(0xff)), [file('alice', alice)], keyOf(ca), 'two'),
    'the organisations "two" have several MSP ids, or none: give the MSP id',
  ],
  [
    'an MSP without a root certificate',
    () => revoke(channelWith(mspOf('TwoMSP', [], [])), [file('alice', alice)], keyOf(ca)),
    'the MSP TwoMSP is not usable: setting up the MSP manager failed: expected at least one CA certificate',
  ],
  [
    'a certificate that is revoked',
    () => revoke(channelWith(mspOf('TwoMSP', [listOf(ca, alice)])), [file('alice', alice)], keyOf(ca)),
    `alice.pem is revoked already, serial number ${shown(alice)}`,
  ],
];

for (const [what, revoking, message] of ERRORS)
  test(`no revocation with ${what}`, async (t) => {
    const error = await t.throwsAsync(revoking(), { instanceOf: TranslateError });
    t.is(error?.message, message);
  });

test('a certificate is not revoked by the list of another CA with its serial number', async (t) => {
  const before = channelWith(mspOf('TwoMSP', [listOf(otherCa, alice)]));
  await t.notThrowsAsync(revoke(before, [file('alice', alice)], keyOf(ca)));
});
