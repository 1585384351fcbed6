// What identities are on recorded channels.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { decodePem } from '../../../core/common/certificates/pem.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import {
  documentText,
  identityDocument,
  type ExplainedIdentity,
} from '../../../translator/documents/index.js';
import { explainIdentities, readIdentities, type FoundIdentity } from '../../../translator/identity/index.js';
import { readX509Msp } from '../../../translator/msp/index.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';
import {
  IDENTITIES,
  certificateOf,
  readVectors,
  serializedIdentity,
  type IdentityCases,
} from '../../helpers/channel-vectors.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs, cases } = readReviewCases();
const NOW = new Date(now);

interface Options {
  readonly config?: string;
  readonly now?: Date;
  readonly mspid?: string;
  readonly fabric?: readonly string[];
}

async function explain(
  found: readonly FoundIdentity[],
  { config = 'app2', ...options }: Options = {},
): Promise<readonly ExplainedIdentity[]> {
  const block = readConfigFile(bytesIn(configs[config]!));
  return (await explainIdentities(found, block, { now: NOW, ...options })).identities;
}

const inFile = async (file: Uint8Array, options?: Options): Promise<ExplainedIdentity> =>
  (await explain(readIdentities(file), options))[0]!;

interface Group extends Tree {
  readonly groups: Record<string, Group>;
  readonly values: Record<string, { value: Uint8Array }>;
}

const TREE = (): Tree & { readonly channel_group: Group } =>
  parse('common.Config', bytesIn(configs.app2!)) as Tree & { readonly channel_group: Group };
const CONFIG = TREE().channel_group;
const valueOf = (group: Group, name: string): Uint8Array => group.values[name]!.value;

/** The serialized `msp.MSPConfig` of an organisation. */
const mspOf = (name: string): Uint8Array => valueOf(CONFIG.groups.Application!.groups[name]!, 'MSP');

/** The config with other MSPs of application organisations. */
function changed(change: (msp: Tree, name: string) => Tree): Uint8Array {
  const tree = TREE();
  for (const [name, { values }] of Object.entries(tree.channel_group.groups.Application!.groups)) {
    const message = parse('msp.MSPConfig', values.MSP!.value);
    const msp = change(parse('msp.FabricMSPConfig', message.config as Uint8Array), name);
    // Units of any CA of the MSP.
    for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>)) delete unit.certificate;
    values.MSP!.value = serialize('msp.MSPConfig', {
      ...message,
      config: serialize('msp.FabricMSPConfig', msp),
    });
  }
  return serialize('common.Config', tree);
}

const inBlock = async (
  file: Uint8Array,
  block: Uint8Array,
  options: Options = {},
): Promise<readonly ExplainedIdentity[]> =>
  (await explainIdentities(readIdentities(file), readConfigFile(block), { now: NOW, ...options })).identities;

const SUITES = JSON.parse(
  brotliDecompressSync(readFileSync('test/vectors/certificates/cases.json.br')).toString(),
) as readonly { readonly id: string; readonly roots: readonly string[]; readonly leaf: string }[];

const VALID: readonly (readonly [
  name: string,
  roles: readonly string[],
  notAdmin: unknown,
  config?: string,
])[] = [
  ['Org1/admin', ['admin', 'member'], null],
  ['Org1/user1', ['client', 'member'], { kind: 'unit', unit: 'admin' }],
  ['Org1/peer0', ['peer', 'member'], { kind: 'unit', unit: 'admin' }],
  ['OrdererOrg/o1', ['orderer', 'member'], { kind: 'unit', unit: 'admin' }],
  ['Org1/user2', ['member'], { kind: 'not-listed' }, 'msp-no-node-ous'],
  ['Org1/inter-admin', ['admin', 'member'], null, 'msp-intermediate'],
];

for (const [name, roles, notAdmin, config = 'app2'] of VALID)
  test(`${name} is valid on ${config}: ${roles.join(', ')}`, async (t) => {
    const found = await inFile(serializedIdentity(name), { config });
    t.like(found, { valid: true, reason: null, mspid: IDENTITIES[name]!.mspid, problems: [] });
    t.deepEqual([found.roles, found.notAdmin], [roles, notAdmin]);
  });

const INVALID: readonly (readonly [name: string, kind: string, text: string, options?: Options])[] = [
  [
    'Org1/unknown-msp',
    'msp-unknown',
    'the channel has no MSP with the id "NobodyMSP"; it has Org1MSP, Org2MSP, OrdererMSP; the certificate is issued by a CA that is in Org1MSP',
  ],
  ['Org1/wrong-msp', 'issued-by-other', 'it is issued by a CA that is in Org1MSP, not in Org2MSP'],
  [
    'Org3/admin',
    'msp-unknown',
    'the channel has no MSP with the id "Org3MSP"; it has Org1MSP, Org2MSP, OrdererMSP',
  ],
  [
    'Org1/foreign',
    'ca-replaced',
    'a CA with the name of its issuer, CN=ca.org1.example.com, is in Org1MSP, but with another key: the CA was made again after the channel, or before the certificate',
  ],
  ['Org1/ca', 'is-ca', 'it is the certificate of a CA, which cannot be an identity'],
  ['Org1/rsa', 'key-type', 'its key is of the type RSA'],
  ['Org1/ed25519', 'key-type', 'its key is of the type Ed25519'],
  [
    'Org1/revoked',
    'revoked',
    'it is revoked: its serial number 7d15961a4c058ef3fbb9e5d8eab2d954 is in a revocation list of Org1MSP',
    { config: 'msp-crl' },
  ],
  [
    'Org1/no-ou',
    'unit-missing',
    'none of the OUs client, peer, admin, orderer is in the certificate: the certificate has no OU',
  ],
  ['Org1/two-ous', 'units-several', 'it has the OUs of more than one role: admin, client'],
  [
    'Org1/expired-admin',
    'expired',
    'it expired on 2026-11-21: orderers and peers refuse what it sends; its signatures on config updates count',
  ],
  [
    'Org1/admin',
    'not-yet-valid',
    'it is valid from 2026-11-21T23:18:00.000Z on only',
    { now: new Date('2026-11-01T00:00:00Z') },
  ],
];

for (const [name, kind, text, options] of INVALID)
  test(`${name} is not valid on ${options?.config ?? 'app2'}: ${kind}`, async (t) => {
    const found = await inFile(serializedIdentity(name), options);
    t.false(found.valid);
    t.deepEqual(
      found.problems.map((problem) => [problem.kind, problem.text]),
      [[kind, text]],
    );
    t.is(found.reason === null, kind === 'expired' || kind === 'not-yet-valid');
  });

test('a certificate without an MSP id belongs to the MSP of its CA', async (t) => {
  const file = certificateOf('Org2/admin');
  t.like(await inFile(file), { valid: true, mspid: 'Org2MSP', organizations: ['/Channel/Application/Org2'] });
  const wrong = await inFile(file, { mspid: 'Org1MSP' });
  t.deepEqual(
    wrong.problems.map(({ kind, todo }) => [kind, todo]),
    [['issued-by-other', 'set the MSP id to Org2MSP, or use a certificate of a CA of Org1MSP']],
  );
});

test('a certificate of no CA of the channel', async (t) => {
  const found = await inFile(certificateOf('Org3/admin'));
  t.like(found, { valid: false, mspid: null, organizations: [] });
  t.deepEqual(
    found.problems.map(({ text }) => text),
    ['its issuer CN=ca.org3.example.com is in no MSP of the channel (Org1MSP, Org2MSP, OrdererMSP)'],
  );
});

test('a certificate in DER is read; in a serialized identity, Fabric does not take it', async (t) => {
  const { bytes } = decodePem(certificateOf('Org1/admin'))!;
  t.like(await inFile(bytes), { place: 'certificate', valid: true, mspid: 'Org1MSP' });
  const found = await inFile(serializedIdentity('Org1/admin-der'));
  t.is(found.reason, 'could not decode the PEM structure');
});

test('an identity of two organisations is named for both', async (t) => {
  const [ca] = readX509Msp(mspOf('Org1'))!.roots;
  const block = changed((msp, name) => (name === 'Org2' ? { ...msp, root_certs: [ca!] } : msp));
  const [found] = await inBlock(certificateOf('Org1/user1'), block);
  t.like(found, { valid: true, mspid: 'Org1MSP', mspids: ['Org1MSP', 'Org2MSP'] });
  const text = documentText(identityDocument({ channel: null, block: null, identities: [found!] }));
  t.true(text.includes('valid in       Org1MSP, Org2MSP; choose one with --as\n'), text);
  const [second] = await inBlock(certificateOf('Org1/user1'), block, { mspid: 'Org2MSP' });
  t.like(second, { valid: true, mspid: 'Org2MSP', organizations: ['/Channel/Application/Org2'] });
});

test('a TLS certificate', async (t) => {
  const { metadata } = parse('orderer.ConsensusType', valueOf(CONFIG.groups.Orderer!, 'ConsensusType'));
  const { consenters } = parse('etcdraft.ConfigMetadata', metadata as Uint8Array);
  const [{ client_tls_cert: certificate }] = consenters as readonly [{ client_tls_cert: Uint8Array }];
  const { valid, problems } = await inFile(certificate);
  t.false(valid);
  t.deepEqual(
    problems.map(({ kind, text }) => [kind, text]),
    [['tls-certificate', 'it is a TLS certificate: it is issued by a TLS CA of OrdererMSP']],
  );
});

test('an identity that releases of Fabric judge differently', async (t) => {
  const { roots, leaf } = SUITES.find(({ id }) => id === 'own critical policyConstraints in root')!;
  const block = changed((msp, name) =>
    name === 'Org1'
      ? { ...msp, root_certs: [...(msp.root_certs as Uint8Array[]), Buffer.from(roots[0]!)] }
      : msp,
  );
  const judge = async (fabric: readonly string[]): Promise<unknown> => {
    const later = new Date('2026-12-01T00:00:00Z');
    const [found] = await inBlock(Buffer.from(leaf), block, { mspid: 'Org1MSP', fabric, now: later });
    return [found!.valid, found!.problems.map(({ text }) => text)];
  };
  t.deepEqual(await judge([]), [
    true,
    [
      'whether it is valid depends on the version of Fabric: 2.5.13 to 2.5.16, 3.1: valid; 2.5.0 to 2.5.12, 3.0: MSP Org1MSP is not defined on channel',
    ],
  ]);
  t.deepEqual(await judge(['3.1.5']), [true, []]);
  t.deepEqual(await judge(['3.0']), [
    false,
    [
      'the MSP Org1MSP of the channel cannot be set up: setting up the MSP manager failed: the supplied identity is not valid: x509: unhandled critical extension',
    ],
  ]);
});

test('the id of an MSP in other letters is named', async (t) => {
  const file = certificateOf('Org3/admin');
  const [problem] = (await inFile(file, { mspid: 'org1msp' })).problems;
  t.is(problem?.todo, 'set the MSP id to Org1MSP');
});

test('a key that does not belong to the certificate', async (t) => {
  const { key } = IDENTITIES['Org1/user1']!;
  const wallet = { mspId: 'Org1MSP', type: 'X.509', version: 1 };
  const file = (privateKey: string): Uint8Array =>
    Buffer.from(
      JSON.stringify({
        ...wallet,
        credentials: { certificate: Buffer.from(certificateOf('Org1/admin')).toString(), privateKey },
      }),
    );
  const found = await inFile(file(key));
  t.deepEqual([found.place, found.valid], ['wallet', false]);
  t.deepEqual(
    found.problems.map(({ kind, text }) => [kind, text]),
    [
      [
        'key-mismatch',
        'no private key belongs to the certificate (credentials.privateKey: the key does not belong to the certificate of CN=Admin@org1.example.com,OU=admin,L=San Francisco,ST=California,C=US)',
      ],
    ],
  );
  t.true((await inFile(file(IDENTITIES['Org1/admin']!.key))).valid);
});

test('an identity of a wallet of an SDK 1.x is explained, without its key', async (t) => {
  const certificate = certificateOf('Org1/admin').toString();
  const wallet = {
    name: 'admin',
    mspid: 'Org1MSP',
    roles: null,
    enrollment: { signingIdentity: '0', identity: { certificate } },
  };
  const [read] = readIdentities(Buffer.from(JSON.stringify(wallet)));
  t.is(read!.keys, undefined);
  const found = await inFile(Buffer.from(JSON.stringify(wallet)));
  t.deepEqual([found.place, found.mspid, found.valid, found.problems], ['wallet', 'Org1MSP', true, []]);
});

test('a damaged block has no identities, although it has certificates', (t) => {
  const { config } = cases[0]!;
  const damaged = Buffer.concat([Buffer.from('\r\n'), bytesIn(configs[config]!)]);
  t.throws(() => readIdentities(damaged), { code: 'WRONG_MESSAGE', message: /^this is none of these; / });
});

test('a signed update has its creator and the signers, with their signatures verified', async (t) => {
  const { config, envelope } = cases.find(({ note }) => note === 'just the right versions')!;
  const found = readIdentities(bytesIn(envelope));
  const explained = await explain(found, { config });
  t.true(explained.length >= 2);
  t.deepEqual([...new Set(explained.map(({ valid }) => valid))], [true]);
  const [first] = found;
  const { message, signature } = first!.signed!;
  const forged = { ...first!, signed: { message: concatBytes(message, message), signature } };
  const [bad] = await explain([forged], { config });
  t.deepEqual(
    bad!.problems.map(({ kind, text }) => [kind, text]),
    [['signature-invalid', 'its signature is not valid: The signature is invalid']],
  );
});

test('what an identity may do with its signature alone, and what with others', async (t) => {
  const admin = await inFile(serializedIdentity('Org1/admin'));
  t.true(admin.services.every(({ allowed }) => allowed));
  t.like(
    admin.policies.find(({ path }) => path === '/Channel/Application/Admins'),
    { satisfied: false, counts: true, missing: 'Org2MSP.admin', text: 'MAJORITY Admins (2 of Org1, Org2)' },
  );
  t.like(
    admin.changes.find(({ path }) => path === '/Channel/Application/Org1/Admins'),
    { satisfied: true, missing: null },
  );
  const user = await inFile(serializedIdentity('Org1/user1'));
  t.deepEqual(user.changes, []);
  const expired = await inFile(serializedIdentity('Org1/expired-client'));
  t.deepEqual([...new Set(expired.services.map(({ reason }) => reason))], ['the certificate has expired']);
  const orderer = await inFile(serializedIdentity('OrdererOrg/o1'));
  const isAllowed = (service: string): unknown =>
    orderer.services.find((each) => each.service === service)?.allowed;
  t.deepEqual([isAllowed('Deliver'), isAllowed('peer/Propose')], [true, false]);
});

for (const [what, file, message] of [
  ['nothing', new Uint8Array(), /^this is an empty file; a certificate \(PEM\)/],
  [
    'a private key',
    Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'),
    /^this is a PEM file \(PRIVATE KEY\)/,
  ],
  ['a config', bytesIn(configs.app2!), /^this is a common\.Config; /],
  [
    'another JSON object',
    Buffer.from('{"a": 1}'),
    /^this is a JSON object of another kind; a certificate \(PEM\)/,
  ],
  ['random bytes', Buffer.from('00ff00ff', 'hex'), /^this is none of these; /],
  ['an identity without a certificate', bytesField(1, Buffer.from('Org1MSP')), /^this is none of these; /],
] as const)
  test(`${what} has no identities`, (t) => {
    t.throws(() => readIdentities(file), { code: 'WRONG_MESSAGE', message });
  });

/** A payload or proposal with the creator Org1/admin. @param fields those of the channel header */
const messageOf = (channelHeader: Uint8Array, ...rest: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    bytesField(
      1,
      bytesField(1, channelHeader),
      bytesField(2, bytesField(1, serializedIdentity('Org1/admin')), bytesField(2, 'nonce')),
    ),
    ...rest,
  );
const signed = (message: Uint8Array): Uint8Array =>
  concatBytes(bytesField(1, message), bytesField(2, 'signature'));
const typed = (type: number): Uint8Array =>
  concatBytes(type === 0 ? Buffer.alloc(0) : numberField(1, type), bytesField(4, 'testchannel'));

for (const [what, message] of [
  ['an endorser transaction', messageOf(typed(3), bytesField(2, 'transaction'))],
  ['a message', messageOf(typed(0), bytesField(2, 'data'))],
  ['a request to deliver blocks', messageOf(typed(5), bytesField(2, 'seek'))],
  ['an orderer transaction', messageOf(typed(4), bytesField(2, 'data'))],
  ['a message without a channel', messageOf(Buffer.alloc(0), bytesField(2, 'data'))],
  ['a signed proposal', messageOf(typed(3), bytesField(2, 'proposal'))],
  ['a signed proposal with an extension', messageOf(typed(3), bytesField(2, 'p'), bytesField(3, 'x'))],
] as const)
  test(`the creator of ${what} is explained, and its signature is verified`, async (t) => {
    const [found, ...others] = await explain(readIdentities(signed(message)));
    t.deepEqual(others, []);
    t.like(found, { place: 'creator', mspid: 'Org1MSP', reason: null });
    t.deepEqual(
      found?.problems.map(({ kind }) => kind),
      ['signature-invalid'],
    );
  });

test('a message like a proposal whose creator has no certificate is none of the inputs', (t) => {
  const file = signed(bytesField(1, bytesField(2, bytesField(1, 'nobody'))));
  t.throws(() => readIdentities(file), {
    code: 'WRONG_MESSAGE',
    message:
      'this is none of these; a certificate (PEM), a serialized identity, an identity of a wallet (JSON), a signed envelope or a signed proposal is needed',
  });
});

test('a creator that is not an identity is not valid', async (t) => {
  const [found] = await explain([{ place: 'creator', mspid: 'Org1MSP', certificate: Buffer.from('x') }]);
  t.is(found!.reason, 'could not decode the PEM structure');
  t.deepEqual(
    found!.problems.map(({ kind }) => kind),
    ['certificate-unreadable'],
  );
});

const recorded = readVectors<IdentityCases>('identity-cases');
const ROLES = ['admin', 'client', 'member', 'orderer', 'peer'];

for (const config of Object.keys(recorded.configs).filter((name) => name in configs)) {
  const own = recorded.cases.filter(([name]) => name === config);
  test(`${own.length} identities on ${config} have the reasons and roles that Fabric gave them`, async (t) => {
    for (const [, mspid, name, ...indexes] of own) {
      const [unreadable, invalid, ...roles] = indexes.map((index) => recorded.texts[index]!);
      const found = await inFile(serializedIdentity(name), { config, fabric: ['3.0.0'] });
      const reason = found.reason?.replace('[[…]]', '[CERTIFICATE]') ?? '';
      t.is(reason, unreadable === '' ? invalid! : unreadable!, name);
      if (mspid !== IDENTITIES[name]!.mspid) continue;
      const expected = ROLES.filter((_, index) => unreadable === '' && roles[index] === '');
      t.deepEqual([...found.roles].toSorted(), expected, name);
    }
  });
}
