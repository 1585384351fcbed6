// The sizes of an envelope and of the config envelope that orderers make of it, and the expiry of the submitter: both sides of each bound.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { setByPath, unsignedUpdate } from '../../../translator/edit/index.js';
import { review, type Finding } from '../../../translator/review/index.js';
import { certificateIn } from '../../../translator/msp/index.js';
import { parse, serialize } from '../../fuzz/review/messages.js';
import { harmOf, inBft, inValue, orderer, reviewOf, type Group } from '../../helpers/changed-config.js';
import { certificateOf, serializedIdentity } from '../../helpers/channel-vectors.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs } = readReviewCases();

const setBatch =
  (values: Readonly<Record<string, unknown>>) =>
  (channel: Group): void =>
    inValue(
      orderer(channel),
      'BatchSize',
      'orderer.BatchSize',
      (message) => void Object.assign(message, { preferred_max_bytes: 1000, ...values }),
    );
const setLimit = (absolute_max_bytes: number): ((channel: Group) => void) => setBatch({ absolute_max_bytes });

/** The config app3 with a limit of messages. */
function blockWith(limit: number): ReturnType<typeof readConfigFile> {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  setLimit(limit)(tree.channel_group as Group);
  return readConfigFile(serialize('common.Config', tree));
}

/** An envelope with an update of the batch timeout. */
function envelopeFor({ config }: ReturnType<typeof readConfigFile>): Uint8Array {
  return unsignedUpdate(config, setByPath(config, 'orderer.batchTimeout', '9s').config, 'testchannel').bytes;
}

/** The findings about sizes. */
const sizesOf = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ id }) => id.endsWith('-too-large'))
    .map(({ severity, id, text }) => `${severity} ${id}: ${text}`);

test('an envelope with the signatures of its submitter may have exactly AbsoluteMaxBytes', async (t) => {
  const { payload, signature } = readUpdateFile(envelopeFor(blockWith(30_000))).submission!;
  // The submitter adds two identities and two signatures, of at least 1100 bytes together.
  const least = payload.length + signature.length + 1100;
  for (const [limit, texts] of [
    [least, 0],
    [least - 1, 1],
  ] as const) {
    const block = blockWith(limit);
    const { findings } = await review(readUpdateFile(envelopeFor(block)), block, { now: new Date(now) });
    const found = sizesOf(findings).filter((text) => text.startsWith('refused message-too-large'));
    t.deepEqual(
      found,
      texts === 0
        ? []
        : [
            `refused message-too-large: the envelope has at least ${least} bytes, more than AbsoluteMaxBytes of the channel, ${limit}`,
          ],
    );
  }
});

/** What a review of a small update says of the size of the resulting config. */
const sizesWith = async (limit: number): Promise<string[]> =>
  sizesOf(
    (await reviewOf('app3', setBatch({ max_message_count: 77, absolute_max_bytes: limit }), setLimit(limit)))
      .findings,
  );

test('the resulting config with the identity of an orderer may have exactly AbsoluteMaxBytes', async (t) => {
  const [found = ''] = await sizesWith(17_000);
  const least = Number(/at least (\d+) bytes/.exec(found)?.[1]);
  // The config with headers, and an identity and signature of at least 500 and at most 2500 bytes.
  for (const [limit, text] of [
    [
      least - 1,
      `refused config-too-large: with the resulting config the message has at least ${least} bytes, more than AbsoluteMaxBytes, ${least - 1}`,
    ],
    [
      least,
      `warning config-nearly-too-large: with the resulting config the message has about ${least} to ${least + 2000} bytes, AbsoluteMaxBytes is ${least}: the orderer may refuse it`,
    ],
    [
      least + 1999,
      `warning config-nearly-too-large: with the resulting config the message has about ${least} to ${least + 2000} bytes, AbsoluteMaxBytes is ${least + 1999}: the orderer may refuse it`,
    ],
    [least + 2000, undefined],
  ] as const)
    t.deepEqual(await sizesWith(limit), text === undefined ? [] : [text]);
});

test('a BFT request with the resulting config may have exactly request_max_bytes', async (t) => {
  const requestsWith = async (bytes: number): Promise<string[]> =>
    sizesOf(
      (
        await reviewOf(
          'bft4',
          (channel) =>
            inValue(orderer(channel), 'BatchSize', 'orderer.BatchSize', (message) => {
              message.max_message_count = 77;
            }),
          (channel) => inBft(channel, { request_max_bytes: bytes }),
        )
      ).findings,
    );
  const [found = ''] = await requestsWith(20_000);
  const least = Number(/at least (\d+) bytes/.exec(found)?.[1]);
  for (const [limit, kind] of [
    [least - 1, 'refused request-too-large'],
    [least, 'warning request-nearly-too-large'],
    [least + 1999, 'warning request-nearly-too-large'],
    [least + 2000, undefined],
  ] as const)
    t.deepEqual(
      (await requestsWith(limit)).map((text) => text.split(':')[0]),
      kind === undefined ? [] : [kind],
    );
});

test('a limit of messages is too small if a further config update does not fit', async (t) => {
  const [found = ''] = await harmOf('app3', setLimit(17_000));
  const needed = Number(/about (\d+) bytes/.exec(found)?.[1]);
  for (const [limit, id] of [
    [needed - 1, 'danger absolute-max-bytes-small'],
    [needed, 'warning absolute-max-bytes-low'],
  ] as const)
    t.deepEqual(
      (await harmOf('app3', setLimit(limit))).map((text) => text.split(':')[0]),
      [id],
    );
});

test('a limit of BFT requests is too small if a further config update does not fit', async (t) => {
  const withLimit = (request_max_bytes: number): Promise<string[]> =>
    harmOf('bft4', (channel) => inBft(channel, { request_max_bytes }));
  const [found = ''] = await withLimit(20_000);
  const needed = Number(/less than the (\d+) bytes/.exec(found)?.[1]);
  t.is((await withLimit(needed - 1)).length, 1);
  t.deepEqual(await withLimit(needed), []);
});

const REFUSAL =
  'config update for existing channel did not pass initial checks: broadcast client identity expired';

test('a submitter is refused after the last moment of the certificate', async (t) => {
  const block = blockWith(10_485_760);
  const { notAfter } = certificateIn(certificateOf('Org1/admin'))!;
  for (const [time, isRefused] of [
    [notAfter.getTime(), false],
    [notAfter.getTime() + 1, true],
  ] as const) {
    const { findings } = await review(readUpdateFile(envelopeFor(block)), block, {
      now: new Date(time),
      submitter: serializedIdentity('Org1/admin'),
    });
    const found = findings.find(({ id }) => id === 'submitter-expired');
    t.is(found?.orderer, isRefused ? REFUSAL : undefined);
  }
});
