// The copy of a channel: its nodes, its users, the first block, and who signs the updates.

import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { OrdererConsensusType } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import {
  channelOf,
  makeGroup,
  makeValue,
  readConfigFile,
  readEnvelope,
  readUpdateFile,
  writeConfig,
  type Config,
  type Envelope,
} from '../../../translator/channel/index.js';
import { removeOrganization, setFields, setModPolicy } from '../../../translator/edit/index.js';
import { belongsTo } from '../../../translator/rehearse/members.js';
import { mspOf } from '../../../translator/state/index.js';
import { makeCopy, type CopyOptions, type MadeCopy } from '../../../translator/rehearse/make-copy.js';
import { review } from '../../../translator/review/index.js';
import { readSigningIdentity, signEnvelope } from '../../../translator/sign/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { unsignedEnvelope } from '../../../translator/channel/envelope.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { IDENTITIES } from '../../helpers/channel-vectors.js';

const NOW = new Date('2026-11-29T12:00:00Z');
const RAFT = readConfigFile(readFileSync('test/vectors/powers/raft.block'));
const BFT = readConfigFile(readFileSync('test/vectors/powers/bft.block'));

/** An unsigned update between two configs. */
const updateBetween = (before: Config, after: Config, channel = 'ch1'): Envelope =>
  readUpdateFile(computeUpdate(writeConfig(before), writeConfig(after), channel));

const batchSize = (config: Config): Config =>
  setFields(config, [{ path: 'orderer.batchSize.maxMessageCount', value: '17' }]).config;

const copyOf = (
  config: Config,
  update: Envelope | undefined,
  more: Partial<CopyOptions> = {},
): Promise<MadeCopy> =>
  makeCopy({
    channel: 'ch1',
    config,
    updates: update === undefined ? [] : [{ name: 'update.pb', update }],
    down: new Set(),
    now: NOW,
    ...more,
  });

for (const [name, { config }, consensus, orderers] of [
  ['Raft', RAFT, 'etcdraft', 3],
  ['BFT', BFT, 'BFT', 4],
] as const)
  test(`a copied ${name} channel has an orderer for each consenter, a peer and users for each organisation`, async (t) => {
    const { copy, notes } = await copyOf(config, undefined);
    t.is(copy.consensus, consensus);
    t.deepEqual(notes, []);
    const consenters = channelOf(readConfigFile(copy.genesis).config).orderer.consenters;
    t.deepEqual(
      copy.nodes.filter(({ kind }) => kind === 'orderer').map(({ address, mspId }) => [address.port, mspId]),
      consenters.map(({ port }) => [port, 'OrdererMSP']),
    );
    t.is(consenters.length, orderers);
    t.deepEqual(
      copy.nodes.filter(({ kind }) => kind === 'peer').map(({ mspId }) => mspId),
      ['Org1MSP', 'Org2MSP'],
    );
    t.deepEqual(
      copy.people.map(({ mspId, role }) => `${role} of ${mspId}`).toSorted(),
      ['OrdererMSP', 'Org1MSP', 'Org2MSP'].flatMap((id) => [`admin of ${id}`, `client of ${id}`]).toSorted(),
    );
    for (const { tls } of copy.nodes)
      t.is(new X509Certificate(tls.server.certificate).checkIP('127.0.0.1'), '127.0.0.1');
  });

test('the first block has the number 0, the channel, and the sequence of the config', async (t) => {
  const { copy } = await copyOf({ ...RAFT.config, sequence: 7n }, undefined);
  const { number, channel, config, block } = readConfigFile(copy.genesis);
  t.deepEqual([number, channel, config.sequence], [0n, 'ch1', 7n]);
  t.deepEqual(block, { transactions: 1, hasMetadata: true, isDataHashRight: true });
});

test('an unsigned update is signed by the admins of all organisations, which is enough', async (t) => {
  const { config } = RAFT;
  const { copy } = await copyOf(config, updateBetween(config, batchSize(config)));
  const envelope = readEnvelope(copy.updates[0]!.envelope);
  t.is(envelope.signatures.length, 3);
  const { findings } = await review(envelope, readConfigFile(copy.genesis), { now: NOW });
  t.deepEqual(
    findings.filter(({ severity }) => severity === 'unsigned' || severity === 'refused'),
    [],
  );
});

test('an unsigned update that admins may not make is signed by nodes and clients too', async (t) => {
  const before = setModPolicy(
    RAFT.config,
    '/Channel/Orderer/BatchSize',
    '/Channel/Application/Endorsement',
  ).config;
  const { copy } = await copyOf(before, updateBetween(before, batchSize(before)));
  const envelope = readEnvelope(copy.updates[0]!.envelope);
  t.true(envelope.signatures.length > 3);
  const { findings } = await review(envelope, readConfigFile(copy.genesis), { now: NOW });
  t.deepEqual(
    findings.filter(({ severity }) => severity === 'unsigned' || severity === 'refused'),
    [],
  );
});

test('a signed update has the signatures of the original, and no others', async (t) => {
  const { configs } = readReviewCases();
  const config = readConfigFile(bytesIn(configs.raft ?? Object.values(configs)[0]!)).config;
  const [name, recorded] = Object.entries(IDENTITIES).find(([each]) => each === 'Org1/admin')!;
  t.truthy(name);
  const signer = await readSigningIdentity({
    mspid: 'Org1MSP',
    certificate: Buffer.from(recorded.certificate, 'base64'),
    key: Buffer.from(recorded.key),
  });
  const update = updateBetween(config, batchSize(config), 'testchannel').update.bytes;
  const signed = await signEnvelope(
    unsignedEnvelope({ channel: 'testchannel', update, signatures: [] }),
    signer,
  );
  const { copy } = await copyOf(config, readEnvelope(signed), { channel: 'testchannel' });
  const { signatures, submission } = readEnvelope(copy.updates[0]!.envelope);
  t.is(signatures.length, 1);
  t.true(submission!.signature.length > 0);
});

test('a consenter that is down is not started', async (t) => {
  const [, second] = channelOf(RAFT.config).orderer.consenters;
  const { copy } = await copyOf(RAFT.config, undefined, {
    down: new Set([`${second!.host}:${second!.port}`]),
  });
  t.deepEqual(
    copy.nodes.filter(({ isDown }) => isDown).map(({ name }) => name),
    ['orderer2'],
  );
});

test('a consenter whose certificate an update replaces has the new one later', async (t) => {
  const [first] = channelOf(RAFT.config).orderer.consenters;
  const path = '.channel_group.groups.Orderer.values.ConsensusType.value.metadata.consenters[1]';
  const pem = Buffer.from(first!.serverTlsCert).toString('base64');
  const after = setFields(RAFT.config, [
    { path: `${path}.server_tls_cert`, value: pem },
    { path: `${path}.client_tls_cert`, value: pem },
  ]).config;
  const { copy } = await copyOf(RAFT.config, updateBetween(RAFT.config, after));
  const [one, two] = copy.nodes;
  t.deepEqual(two!.renewals?.get(0)?.tls.server, one!.tls.server);
  t.notDeepEqual(two!.tls.server, one!.tls.server);
});

test('an address that is no consenter cannot be down', async (t) => {
  await t.throwsAsync(copyOf(RAFT.config, undefined, { down: new Set(['orderer9:7050']) }), {
    code: 'NOT_REHEARSED',
    message:
      /^cannot be rehearsed: --down orderer9:7050: this is no consenter of the channel; its consenters are /,
  });
});

test('a channel of another consensus type is not rehearsed', async (t) => {
  const orderer = RAFT.config.channelGroup.groups.get('Orderer')!;
  const value = writeMessage(OrdererConsensusType, { type: 'solo' });
  const channelGroup = makeGroup({
    ...RAFT.config.channelGroup,
    groups: new Map([
      ...RAFT.config.channelGroup.groups,
      [
        'Orderer',
        makeGroup({
          ...orderer,
          values: new Map([...orderer.values, ['ConsensusType', makeValue({ value })]]),
        }),
      ],
    ]),
  });
  const solo = { ...RAFT.config, channelGroup };
  await t.throwsAsync(copyOf(solo, undefined), {
    code: 'NOT_REHEARSED',
    message:
      'cannot be rehearsed: /Channel/Orderer/ConsensusType: the consensus type "solo" is not rehearsed',
  });
});

/** An update by which Org1 has the CA of Org2 too, or only that one. */
function withCaOfOrg2(isBeside: boolean, isPinned = false): Envelope {
  const [own, other] = ['Org1MSP', 'Org2MSP'].map((id) =>
    mspOf(channelOf(RAFT.config).organizations.find(({ mspId }) => mspId === id)!)!.roots.map((pem) =>
      Buffer.from(pem).toString('base64'),
    ),
  );
  const msp = '.channel_group.groups.Application.groups.Org1MSP.values.MSP.value.config';
  const value = JSON.stringify(isBeside ? [...own!, ...other!] : other);
  const pins = ['client', 'peer', 'admin', 'orderer'].map((role) => ({
    path: `${msp}.fabric_node_ous.${role}_ou_identifier.certificate`,
    value: '',
  }));
  const settings = [{ path: `${msp}.root_certs`, value }, ...(isPinned ? [] : pins)];
  return updateBetween(RAFT.config, setFields(RAFT.config, settings).config);
}

test('a CA whose certificates have no role has no users, which is a note', async (t) => {
  const { copy, notes } = await copyOf(RAFT.config, withCaOfOrg2(true, true));
  t.is(copy.people.filter(({ mspId }) => mspId === 'Org1MSP').length, 2);
  t.deepEqual(notes, ['no users of Org1MSP have certificates of its CA ca.org2.example.com']);
});

for (const isBeside of [true, false])
  test(`a CA that an update ${isBeside ? 'adds to' : 'puts in place of that of'} an organisation has users, who sign nothing before`, async (t) => {
    const { copy } = await copyOf(RAFT.config, withCaOfOrg2(isBeside));
    const own = copy.people.filter(({ mspId }) => mspId === 'Org1MSP');
    t.deepEqual(
      own.map(({ name, role }) => `${role} of ${name}`),
      [
        'admin of Org1MSP (CA ca.org1.example.com)',
        'client of Org1MSP (CA ca.org1.example.com)',
        'admin of Org1MSP (CA ca.org2.example.com)',
        'client of Org1MSP (CA ca.org2.example.com)',
      ],
    );
    const { after } = copy.updates[0]!;
    const organizationsOf = (file: Uint8Array) => channelOf(readConfigFile(file).config).organizations;
    t.deepEqual(
      own.map((each) => [
        belongsTo(each, organizationsOf(copy.genesis)),
        belongsTo(each, organizationsOf(after)),
      ]),
      [
        [true, isBeside],
        [true, isBeside],
        [false, true],
        [false, true],
      ],
    );
    t.is(readEnvelope(copy.updates[0]!.envelope).signatures.length, 3);
  });

test('orderers of a Raft channel have the certificates that BlockValidation lists after an update', async (t) => {
  const { configs } = readReviewCases();
  const [raft, bft] = ['app2', 'bft4'].map((name) => readConfigFile(bytesIn(configs[name]!)).config);
  const [before, other] = [raft!, bft!].map(({ channelGroup }) => channelGroup.groups.get('Orderer')!);
  const policies = new Map([
    ...before!.policies,
    ['BlockValidation', other!.policies.get('BlockValidation')!] as const,
  ]);
  const groups = new Map([
    ...raft!.channelGroup.groups,
    ['Orderer', makeGroup({ ...before!, policies })] as const,
  ]);
  const after = { ...raft!, channelGroup: makeGroup({ ...raft!.channelGroup, groups }) };
  const { copy } = await copyOf(raft!, updateBetween(raft!, after, 'testchannel'), {
    channel: 'testchannel',
  });
  const { policy } = readConfigFile(copy.updates[0]!.after)
    .config.channelGroup.groups.get('Orderer')!
    .policies.get('BlockValidation')!;
  const listed = Buffer.from(policy!.value).toString('latin1');
  const orderers = copy.nodes.filter(({ kind }) => kind === 'orderer');
  t.is(orderers.length, 3);
  for (const { signing } of orderers) t.true(listed.includes(signing.certificate));
});

test('what an update removes is named, because it is not tried afterwards', async (t) => {
  const after = removeOrganization(RAFT.config, 'Org2MSP').config;
  const { notes } = await copyOf(RAFT.config, updateBetween(RAFT.config, after));
  t.deepEqual(notes, ['the updates remove Org2MSP: what these have or lose afterwards is not tried']);
});
