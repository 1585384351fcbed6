// Which orderers must be restarted after an update, as a review says.

import test from 'ava';
import {
  addressText,
  channelOf,
  consentersOf,
  readConfigFile,
  readUpdateFile,
  writeConfig,
  type Config,
} from '../../../translator/channel/index.js';
import { removeConsenter, rotateConsenter, unsignedUpdate } from '../../../translator/edit/index.js';
import { review } from '../../../translator/review/index.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs } = readReviewCases();

const first = makeCertificate({ commonName: 'orderer' });
const sameKey = makeCertificate({ commonName: 'orderer', key: first.key });
const otherKey = makeCertificate({ commonName: 'orderer' });

/** The config with other certificates of the first consenter. */
const rotated = (config: Config, ...[certificates]: [Parameters<typeof rotateConsenter>[2]]): Config =>
  rotateConsenter(config, addressText(consentersOf(channelOf(config))[0]!), certificates).config;

const RESTART = 'with what the update changes, one after the other';
const BFT = `restart the orderers of 1 (o1.ord.example.com:7050) ${RESTART}`;
const UNSIGNED = '; until then their signatures on blocks do not count';

const CASES = [
  ['bft4', 'identity', sameKey, ['3.0.0'], [BFT]],
  ['bft4', 'identity', sameKey, ['3.1.1'], [BFT]],
  ['bft4', 'identity', sameKey, ['3.1.2'], []],
  ['bft4', 'identity', sameKey, [], [BFT]],
  ['bft4', 'identity', otherKey, ['3.0.0'], [BFT + UNSIGNED]],
  ['bft4', 'identity', otherKey, ['3.1.5'], [BFT + UNSIGNED]],
  ['bft4', 'tls', otherKey, [], []],
] as const;

for (const [name, use, { pem }, fabric, expected] of CASES) {
  const key = pem === sameKey.pem ? 'with its key' : 'with another key';
  const versions = fabric.length === 0 ? 'unknown versions' : fabric.join();
  test(`a new certificate ${key} is the ${use} of a consenter of ${name}, with orderers of ${versions}: ${expected.length === 0 ? 'no restart' : expected[0]}`, async (t) => {
    const before = rotated(readConfigFile(bytesIn(configs[name]!)).config, { [use]: first.pem });
    const { bytes: envelope } = unsignedUpdate(before, rotated(before, { [use]: pem }), 'testchannel');
    const file = readConfigFile(writeConfig(before));
    const { next, steps } = await review(readUpdateFile(envelope), file, { now: new Date(now), fabric });
    t.deepEqual(
      steps.map(({ text }) => text),
      next,
    );
    t.false(
      steps.some((step) => step.do === 'join'),
      'no node is new',
    );
    t.deepEqual(
      steps.flatMap((step) => (step.do === 'restart' ? [step.consenters] : [])),
      expected.map(() => ['1 (o1.ord.example.com:7050)']),
    );
    t.deepEqual(
      next.filter((step) => step.startsWith('restart')),
      expected,
    );
  });
}

const JOIN = 'let the new node join with osnadmin channel join';
for (const [name, expected] of [
  [
    'raft5',
    `${JOIN}; if it has the channel from before its removal, remove it there first with osnadmin channel remove`,
  ],
  ['bft4', JOIN],
] as const)
  test(`after a consenter of ${name} was added, the new node joins: ${expected}`, async (t) => {
    const { config: after } = readConfigFile(bytesIn(configs[name]!));
    const address = addressText(consentersOf(channelOf(after)).at(-1)!);
    const { config: before } = removeConsenter(after, address);
    const { bytes: envelope } = unsignedUpdate(before, after, 'testchannel');
    const { steps } = await review(readUpdateFile(envelope), readConfigFile(writeConfig(before)), {
      now: new Date(now),
    });
    t.deepEqual(
      steps.flatMap((step) => (step.do === 'join' ? [step.text] : [])),
      [expected],
    );
  });
