// A channel and an update with new keys and addresses: the copy of an update is judged as the original.

import { readFileSync } from 'node:fs';
import test from 'ava';
import {
  addressText,
  channelOf,
  readConfigFile,
  readEnvelope,
  readUpdateFile,
  writeConfig,
  type Config,
  type Envelope,
} from '../../../translator/channel/index.js';
import { setFields, type Setting } from '../../../translator/edit/index.js';
import { channelCertificates, readPemCertificate } from '../../../translator/msp/index.js';
import { rewriteChannel } from '../../../translator/rehearse/rewritten-channel.js';
import { signAgain } from '../../../translator/rehearse/signatures.js';
import { review, type Review } from '../../../translator/review/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs, cases } = readReviewCases();
/** Each test copies a channel. test/e2e/rehearse-rewrite.test.ts has all cases. */
const EACH = 41;

/** What a review finds, without words: they name addresses and times. */
const foundIn = ({ findings }: Review): string[] =>
  findings.map(({ id, severity, path }) => `${severity} ${id} ${path ?? ''}`).toSorted();

for (const each of cases.filter((_, index) => index % EACH === 7))
  test(`the review of a copied update finds the same: ${each.id} ${each.note}`, async (t) => {
    const block = readConfigFile(bytesIn(configs[each.config]!));
    const original = readEnvelope(bytesIn(each.envelope));
    const copy = await rewriteChannel(block.config, [original]);
    const envelope = readEnvelope(signAgain(original, copy.updates[0]!.update, copy));
    const options = { now: new Date(now), fabric: ['3.0'] };
    const expected = await review(original, block, options);
    const found = await review(envelope, readConfigFile(writeConfig(copy.config)), options);
    t.deepEqual(foundIn(found), foundIn(expected));
  });

const RAFT = readConfigFile(readFileSync('test/vectors/powers/raft.block')).config;
const BFT = readConfigFile(readFileSync('test/vectors/powers/bft.block')).config;

/** An unsigned update that sets fields. */
function updateOf(config: Config, ...settings: readonly Setting[]): Envelope {
  const edited = setFields(config, settings).config;
  return readUpdateFile(computeUpdate(writeConfig(config), writeConfig(edited), 'ch1'));
}

const countOfMessages: Setting = { path: 'orderer.batchSize.maxMessageCount', value: '17' };

for (const [name, config] of [
  ['raft', RAFT],
  ['bft', BFT],
] as const)
  test(`a copied ${name} channel has the sequence, the versions, and no certificate and no address of the channel`, async (t) => {
    const {
      config: copy,
      pki,
      addresses,
    } = await rewriteChannel(config, [updateOf(config, countOfMessages)]);
    t.is(copy.sequence, config.sequence);
    t.is(
      copy.channelGroup.groups.get('Orderer')!.version,
      config.channelGroup.groups.get('Orderer')!.version,
    );
    const [before, after] = [config, copy].map((each) => channelCertificates(each).map(({ pem }) => pem));
    t.is(after!.length, before!.length);
    const keys = new Set(
      before!.map((pem) => Buffer.from(readPemCertificate(pem)!.publicKey.spki).toString('hex')),
    );
    for (const pem of after!)
      t.false(keys.has(Buffer.from(readPemCertificate(pem)!.publicKey.spki).toString('hex')));
    t.is(
      pki.count.cas + pki.count.certificates,
      new Set(before!.map((pem) => Buffer.from(pem).toString())).size,
    );
    const [places, copies] = [config, copy].map((each) =>
      channelOf(each).orderer.consenters.map(addressText),
    );
    t.is(new Set(copies).size, places!.length);
    for (const place of copies!) t.regex(place, /^127\.0\.0\.1:\d+$/);
    t.true(addresses.count >= places!.length);
  });

test('equal addresses have equal copies: the endpoints of the channel are the addresses of its consenters', async (t) => {
  const { config } = await rewriteChannel(RAFT, []);
  const { orderer, ordererAddresses } = channelOf(config);
  const endpoints = [...ordererAddresses, ...orderer.organizations.flatMap((each) => each.endpoints)];
  t.deepEqual(
    new Set(endpoints.map((each) => each.split(':')[1])),
    new Set(orderer.consenters.map(({ port }) => String(port))),
  );
});

test('an update that moves a consenter moves it in the copy', async (t) => {
  const update = updateOf(RAFT, {
    path: '.channel_group.groups.Orderer.values.ConsensusType.value.metadata.consenters[1].port',
    value: '17050',
  });
  const { updates } = await rewriteChannel(RAFT, [update]);
  const { before, after } = updates[0]!;
  const [old, moved] = [before, after].map((each) => channelOf(each).orderer.consenters.map(addressText));
  t.deepEqual(
    moved!.map((each, index) => each === old![index]),
    [true, false, true],
  );
});

test('a new endpoint that names the place of a consenter in another way is served in the copy; another new one is not', async (t) => {
  const { consenters } = channelOf(RAFT).orderer;
  const addresses = [`localhost:${consenters[0]!.port}`, 'new.example.com:7050'];
  const update = updateOf(RAFT, {
    path: '.channel_group.values.OrdererAddresses.value.addresses',
    value: JSON.stringify(addresses),
  });
  const { config, updates } = await rewriteChannel(RAFT, [update]);
  const ports = new Set(channelOf(config).orderer.consenters.map(({ port }) => String(port)));
  const copies = channelOf(updates[0]!.after).ordererAddresses;
  t.deepEqual(
    copies.map((each) => ports.has(each.split(':')[1]!)),
    [true, false],
  );
});

for (const [what, host] of [
  ['other ports of the host of several consenters', undefined],
  ['hosts of no consenter', 'proxy.example.com'],
] as const)
  test(`endpoints at ${what} are served by different consenters`, async (t) => {
    const own = channelOf(RAFT).orderer.consenters[0]!.host;
    const before = setFields(RAFT, [
      {
        path: '.channel_group.values.OrdererAddresses.value.addresses',
        value: JSON.stringify([1, 2, 3].map((port) => `${host ?? own}:${port}`)),
      },
    ]).config;
    const { orderer, ordererAddresses } = channelOf((await rewriteChannel(before, [])).config);
    t.deepEqual(
      new Set(ordererAddresses.map((each) => each.split(':')[1])),
      new Set(orderer.consenters.map(({ port }) => String(port))),
    );
  });

test('updates that follow each other are copied, each with the config before it', async (t) => {
  const first = updateOf(RAFT, countOfMessages);
  const { updates: one } = await rewriteChannel(RAFT, [first]);
  const second = updateOf(one[0]!.originalAfter, { path: 'orderer.batchTimeout', value: '3s' });
  const { updates, config } = await rewriteChannel(RAFT, [first, second]);
  t.deepEqual(writeConfig(updates[0]!.before), writeConfig(config));
  t.deepEqual(writeConfig(updates[1]!.before), writeConfig(updates[0]!.after));
  t.is(channelOf(updates[1]!.after).orderer.batchTimeout, '3s');
  t.is(channelOf(updates[1]!.after).orderer.batchSize.maxMessageCount, 17);
});

test('an update whose copy changes something else is not rehearsed: the copies of two endpoints of unknown hosts are one', async (t) => {
  const endpoints = (...hosts: readonly string[]): Setting => ({
    path: '.channel_group.values.OrdererAddresses.value.addresses',
    value: JSON.stringify(hosts.map((host) => `${host}:443`)),
  });
  // Three consenters serve two of them each.
  const hosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.example.com`);
  const before = setFields(RAFT, [endpoints(...hosts)]).config;
  const update = updateOf(before, endpoints(...hosts.with(0, hosts[3]!).with(3, hosts[0]!)));
  await t.throwsAsync(rewriteChannel(before, [update]), {
    code: 'NOT_REHEARSED',
    message:
      'cannot be rehearsed: the update: the update changes something else in the copy than in the channel',
  });
});
