// Kafka brokers, which orderers of 2.5 check.

import test from 'ava';
import { orderer, reviewOf } from '../../helpers/changed-config.js';
import { serialize } from '../../fuzz/review/messages.js';

/** The refusals of brokers. */
async function brokerRefusals(version: string, ...brokers: readonly string[]) {
  const { findings } = await reviewOf(
    'app3',
    (channel) => {
      const value = serialize('orderer.KafkaBrokers', { brokers });
      orderer(channel).values.KafkaBrokers = { value, mod_policy: 'Admins' };
    },
    undefined,
    { fabric: [version] },
  );
  return findings.filter(({ id }) => id === 'kafka-broker');
}

for (const [broker, isRight] of [
  ['k:9092', true],
  ['k.example-1.com:0', true],
  ['k:65535', true],
  [':9092', true],
  ['k:65536', false],
  ['k:', false],
  ['k:9x', false],
  ['k', false],
  ['k:1:2', false],
  ['-k:1', false],
  ['k-:1', false],
  ['k_1:1', false],
  ['', false],
] as const)
  test(`the Kafka broker "${broker}": orderers of 2.5 ${isRight ? 'accept it' : 'refuse it'}, orderers of 3.1 ignore it`, async (t) => {
    const found = await brokerRefusals('2.5.16', 'a:1', broker);
    t.deepEqual(
      found.map(({ text }) => text),
      isRight ? [] : [`${JSON.stringify(broker)} is not the address of a Kafka broker`],
    );
    if (!isRight) t.true(found[0]!.orderer!.endsWith(`: Invalid broker entry: ${broker}`));
    t.deepEqual(await brokerRefusals('3.1.5', broker), []);
  });
