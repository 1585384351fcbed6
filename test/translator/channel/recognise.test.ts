// Recognition of messages. The recorded messages are from the exchanges with Fabric's configtxlator.

import test from 'ava';
import { TranslateError } from '../../../proto/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { messageKindOf, RECOGNISED_TYPES } from '../../../translator/channel/recognise.js';
import { readBody, readVectors, routeOf } from '../../helpers/vectors/vector.js';
import { bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

const VECTORS = 'test/vectors/translator';
/** A block of another type, on purpose. */
const BLOCK_AS_OTHER = /^wire\.block-as\./;

test('recorded messages of the recognised types are never taken for another type', (t) => {
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (const vector of readVectors(VECTORS)) {
    const route = routeOf(vector.path);
    const type = RECOGNISED_TYPES.find((each) => each === route?.type);
    if (route?.operation !== 'decode' || type === undefined || vector.response.status !== 200) continue;
    const kind = messageKindOf(readBody(VECTORS, vector.request));
    if (kind === undefined) continue;
    counts.set(kind.type, (counts.get(kind.type) ?? 0) + 1);
    if (kind.type !== type && !BLOCK_AS_OTHER.test(vector.id)) wrong.push(`${vector.id}: ${kind.type}`);
  }
  t.deepEqual(wrong, []);
  t.deepEqual([...counts.keys()].toSorted(), [...RECOGNISED_TYPES]);
});

const NONE: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['no bytes', bytesOf()],
  ['bytes that are not a message', bytesOf('07')],
  ['a sequence', bytesOf('0805')],
  ['a config with an empty channel group', bytesOf('1200')],
  ['a config with an unknown field', bytesOf(delimited(2, mapEntry(2, 'Application')), '1801')],
  ['a config with an unnamed group', bytesOf(delimited(2, mapEntry(2, '')))],
  ['an envelope without a channel header', bytesOf(delimited(1, delimited(1, '')))],
  ['an update without a write set', bytesOf(delimited(1, Buffer.from('mychannel')), '1200')],
  [
    'an update of a channel with an invalid name',
    bytesOf(delimited(1, Buffer.from('Ünicode')), '1200', delimited(3, '0801')),
  ],
  [
    'an update of a channel whose name begins with a digit',
    bytesOf(delimited(1, Buffer.from('1channel')), '1200', delimited(3, '0801')),
  ],
  ['a truncated block', bytesOf('0a0208031205')],
];

for (const [what, bytes] of NONE) {
  test(`${what} is not recognised`, (t) => {
    t.is(messageKindOf(bytes), undefined);
  });
}

test('an update of a channel without a name is recognised', (t) => {
  t.deepEqual(messageKindOf(bytesOf('1200', delimited(3, '0801'))), { type: 'common.ConfigUpdate' });
});

test('computeUpdate refuses another message, the original one first', (t) => {
  const config = bytesOf(delimited(2, mapEntry(2, 'Application')));
  const update = bytesOf(delimited(1, Buffer.from('mychannel')), '1200', delimited(3, '0801'));
  for (const [original, updated, which] of [
    [update, update, 'original'],
    [config, update, 'updated'],
  ] as const) {
    const error = t.throws(() => computeUpdate(original, updated, 'c'), {
      instanceOf: TranslateError,
      message: `the ${which} config is a common.ConfigUpdate, a common.Config is needed; it contains no config`,
    });
    t.deepEqual([error?.code, error?.path], ['WRONG_MESSAGE', which]);
  }
  t.throws(() => computeUpdate(config, delimited(1, config), 'c'), {
    message:
      'the updated config is a common.ConfigEnvelope, a common.Config is needed; decode it and encode .config of the JSON',
  });
});
