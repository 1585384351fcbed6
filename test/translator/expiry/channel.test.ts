// The certificates and revocation lists in the config of a channel.

import test from 'ava';
import { MspFabricMSPConfig, MspMSPConfig } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import { addressText, channelOf, readConfig, readConfigFile } from '../../../translator/channel/index.js';
import { rotateConsenter } from '../../../translator/edit/index.js';
import { changeGroup, withGroup, withValue } from '../../../translator/edit/tree.js';
import { certificatesInChannel, certificatesInFile } from '../../../translator/expiry/index.js';
import { writeSerializedIdentity } from '../../../translator/msp/index.js';
import { decodePem } from '../../../core/common/certificates/pem.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { makeCertificate, makeRevocationList } from '../../helpers/made-certificates.js';
import { BLOCKS } from '../../helpers/migration.js';
import { networkBlock } from '../../helpers/network-block.js';

const ca = makeCertificate({ commonName: 'ca' });
const admin = makeCertificate({ commonName: 'admin', issuer: ca });
const der = decodePem(admin.pem)!.bytes;

/** The channel with another value MSP of Org1MSP. */
function withMsp(value: Uint8Array): ReturnType<typeof readConfigFile> {
  const file = readConfigFile(networkBlock());
  const channelGroup = changeGroup(file.config.channelGroup, ['Application', 'Org1MSP'], (group) =>
    withValue(group, 'MSP', value),
  );
  return { ...file, config: { ...file.config, channelGroup } };
}

const found = async (file: ReturnType<typeof readConfigFile>) =>
  (await certificatesInChannel(file, 'block.pb')).filter(
    ({ mspid, organization }) => (organization ?? mspid) === 'Org1MSP',
  );

test('all certificates and revocation lists of an MSP are found, with their use', async (t) => {
  const msp = writeMessage(MspFabricMSPConfig, {
    name: 'Org1MSP',
    rootCerts: [ca.pem],
    intermediateCerts: [ca.pem],
    tlsRootCerts: [ca.pem],
    tlsIntermediateCerts: [ca.pem],
    admins: [admin.pem, Buffer.from('x')],
    revocationList: [makeRevocationList(ca.name, []), Buffer.from('x')],
    signingIdentity: { publicSigner: admin.pem },
  });
  t.deepEqual(
    (await found(withMsp(writeMessage(MspMSPConfig, { config: msp })))).map((each) => [
      each.use,
      'error' in each ? each.error : each.until.slice(0, 10),
    ]),
    [
      ['ca', '2036-01-01'],
      ['intermediate-ca', '2036-01-01'],
      ['tls-ca', '2036-01-01'],
      ['tls-intermediate-ca', '2036-01-01'],
      ['admin', '2036-01-01'],
      ['admin', 'there is no certificate in PEM'],
      ['signing-identity', '2036-01-01'],
      ['revocation-list', '2026-01-01'],
      ['revocation-list', 'asn1: syntax error: truncated tag or length'],
    ],
  );
});

test('an MSP that cannot be read is named, and does not hide the others', async (t) => {
  const file = withMsp(Buffer.from([0xff]));
  const [unreadable, ...others] = await found(file);
  t.true('error' in unreadable!);
  t.deepEqual(others, []);
  t.true((await certificatesInChannel(file, 'block.pb')).length > 4);
});

test('an MSP of Idemix has no certificates', async (t) => {
  t.deepEqual(await found(withMsp(writeMessage(MspMSPConfig, { type: 1 }))), []);
});

test('the orderers that have signed the block are found by their organisation', async (t) => {
  const file = readConfigFile(networkBlock());
  const signers = [writeSerializedIdentity('OrdererMSP', der), Buffer.from([0xff])];
  const ends = (await certificatesInChannel({ ...file, signers }, 'block.pb')).slice(-2);
  const [signer, other] = ends;
  t.like(signer, { use: 'orderer-identity', organization: 'OrdererOrg', subject: 'CN=admin' });
  t.true(other !== undefined && 'error' in other);
});

test('the command for a config without a header names the channel', async (t) => {
  const { config } = readConfigFile(networkBlock());
  const [consenter] = await certificatesInChannel({ kind: 'config', form: 'config', config }, 'config.pb');
  t.like(consenter, {
    recipe: {
      command:
        'configtxlator consenter rotate config.pb --channel_id CHANNEL orderer.example.com:7050 --tls-cert NEW_TLS.pem -o update.pb',
    },
  });
});

for (const [what, bytes, expected] of [
  ['a certificate in DER', der, ['admin']],
  ['two certificates in PEM', Buffer.concat([ca.pem, admin.pem]), ['ca', 'admin']],
  ['a config block, which has PEM in it', networkBlock(), undefined],
] as const)
  test(`the expiries in a file with ${what} are ${String(expected)}`, (t) => {
    t.deepEqual(
      certificatesInFile(bytes, 'x.pem')?.map((each) =>
        'error' in each ? each.error : each.subject?.slice(3),
      ),
      expected?.slice(),
    );
  });

const NETWORK = readConfigFile(networkBlock());
type File = typeof NETWORK;

/** The uses, the organisation and the command of each certificate of the consenters. */
const consentersIn = async (file: File): Promise<readonly unknown[]> =>
  (await certificatesInChannel(file, 'block.pb')).flatMap((each) =>
    'error' in each || each.consenter === undefined
      ? []
      : [[each.use, each.organization, each.mspid, each.recipe.command]],
  );
const ROTATE = 'configtxlator consenter rotate block.pb orderer.example.com:7050';

test('different TLS certificates of a consenter have their own commands; each organisation is found by the issuer', async (t) => {
  const { config } = rotateConsenter(NETWORK.config, 'orderer.example.com:7050', { serverTls: admin.pem });
  t.deepEqual(await consentersIn({ ...NETWORK, config }), [
    [
      'consenter-client-tls',
      'OrdererOrg',
      undefined,
      `${ROTATE} --tls-cert NEW_TLS.pem --server-tls-cert SERVER_TLS.pem -o update.pb`,
    ],
    ['consenter-server-tls', undefined, undefined, `${ROTATE} --server-tls-cert NEW_TLS.pem -o update.pb`],
  ]);
});

test('of two orderer organisations with one TLS CA, none is the organisation of a Raft consenter', async (t) => {
  const { channelGroup } = NETWORK.config;
  const own = channelGroup.groups.get('Orderer')!.groups.get('OrdererOrg')!;
  const twice = (section: string): File => ({
    ...NETWORK,
    config: {
      ...NETWORK.config,
      channelGroup: changeGroup(channelGroup, [section], (group) => withGroup(group, 'Second', own)),
    },
  });
  const organizationOf = async (file: File): Promise<unknown> =>
    ((await consentersIn(file))[0] as readonly unknown[])[1];
  t.is(await organizationOf(twice('Orderer')), undefined);
  // An application organisation runs no consenters.
  t.is(await organizationOf(twice('Application')), 'OrdererOrg');
});

test('a BFT consenter names its organisation, and its identity has its own command', async (t) => {
  const bft = readConfigFile(BLOCKS[3]!);
  const ends = await consentersIn(bft);
  t.is(ends.length, 8);
  const address = addressText(channelOf(bft.config).orderer.consenters[0]!);
  const rotate = `configtxlator consenter rotate block.pb ${address}`;
  t.deepEqual(ends.slice(0, 2), [
    ['consenter-tls', 'OrdererOrg', 'OrdererMSP', `${rotate} --tls-cert NEW_TLS.pem -o update.pb`],
    ['consenter-identity', 'OrdererOrg', 'OrdererMSP', `${rotate} --identity NEW_SIGNCERT.pem -o update.pb`],
  ]);
});

test('organisations of a consortium are edited as JSON, because no command changes them', async (t) => {
  const config = readConfig(readChannelCases().configs.get('consortium')!);
  const ends = await certificatesInChannel({ kind: 'config', form: 'config', config }, 'system.pb');
  const commands = ends.flatMap((each) =>
    'error' in each || each.element?.startsWith('/Channel/Consortiums/') !== true
      ? []
      : [each.recipe.command],
  );
  t.true(commands.length > 0);
  t.deepEqual(
    [...new Set(commands)],
    ['configtxlator edit system.pb --channel_id CHANNEL --with EDITED_CONFIG -o update.pb'],
  );
});

test('an aborted search ends with the reason of the signal', async (t) => {
  const reason = new Error('enough');
  await t.throwsAsync(certificatesInChannel(NETWORK, 'block.pb', { signal: AbortSignal.abort(reason) }), {
    is: reason,
  });
});
