// Envelopes with config updates: what is refused, and the parts that people sign.

import test from 'ava';
import { CommonSignatureHeader } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import { makeGroup, unsignedEnvelope, writeUpdate } from '../../../translator/channel/index.js';
import {
  isSigned,
  makeSignature,
  openEnvelope,
  readEnvelope,
  readUpdate,
  requireReadableHeaders,
  writePayload,
  type UpdateSignature,
} from '../../../translator/channel/envelope.js';
import { bytesField, numberField } from '../../helpers/codec.js';

const UPDATE = writeUpdate({
  channelId: 'ch1',
  readSet: makeGroup({}),
  writeSet: makeGroup({ version: 1n }),
});
const HEADER = writeMessage(CommonSignatureHeader, { creator: Buffer.from('me'), nonce: Buffer.from('n') });
const SIGNATURE = makeSignature(HEADER, Buffer.from('s'));
const envelopeWith = (signatures: readonly Pick<UpdateSignature, 'bytes'>[]): Uint8Array =>
  unsignedEnvelope({ channel: 'ch1', update: UPDATE, signatures });

/** An envelope whose payload has this channel header. */
const ofHeader = (...channelHeader: readonly Uint8Array[]): Uint8Array =>
  bytesField(1, bytesField(1, bytesField(1, ...channelHeader)));

for (const [what, envelope, message] of [
  ['without a channel header', bytesField(1, bytesField(1)), 'not an envelope: there is no channel header'],
  [
    'with a config',
    ofHeader(numberField(1, 1), bytesField(4, 'ch1')),
    'an envelope of type 1 (a config); an envelope of type 2 (a config update) is needed',
  ],
  [
    'with a transaction',
    ofHeader(numberField(1, 3), bytesField(4, 'ch1')),
    'an envelope of type 3; an envelope of type 2 (a config update) is needed',
  ],
] as const)
  test(`an envelope ${what} is refused: ${message}`, (t) => {
    t.throws(() => readEnvelope(envelope), { code: 'WRONG_MESSAGE', message });
  });

test('an envelope with an update has its parts, and an update alone gets an unsigned envelope', (t) => {
  const read = readEnvelope(envelopeWith([SIGNATURE]));
  t.deepEqual([read.form, read.channel, read.update.channelId], ['envelope', 'ch1', 'ch1']);
  t.deepEqual(Buffer.from(read.update.bytes), Buffer.from(UPDATE));
  t.deepEqual(
    read.signatures.map(({ header, signature }) => [Buffer.from(header), Buffer.from(signature)]),
    [[Buffer.from(HEADER), Buffer.from('s')]],
  );
  const alone = readUpdate(UPDATE);
  t.deepEqual([alone.form, alone.channel, alone.submission], ['config update', undefined, undefined]);
  t.deepEqual(Buffer.from(alone.bytes), Buffer.from(envelopeWith([])));
});

test('an envelope is signed if the update has signatures or the envelope has one', (t) => {
  const unsigned = readEnvelope(envelopeWith([]));
  const submission = { ...unsigned.submission!, signature: Buffer.from('s') };
  t.deepEqual(
    [unsigned, { ...unsigned, submission }, readEnvelope(envelopeWith([SIGNATURE])), readUpdate(UPDATE)].map(
      isSigned,
    ),
    [false, true, true, false],
  );
});

test('a header that cannot be read, of a signer or the submitter, is an error: orderers refuse the update', (t) => {
  const read = readEnvelope(envelopeWith([SIGNATURE]));
  t.notThrows(() => requireReadableHeaders(read));
  t.notThrows(() => requireReadableHeaders({ ...read, submission: undefined }));
  const broken = Uint8Array.of(0xff);
  const rest = 'cannot be read: proto: cannot parse invalid wire-format data';
  t.throws(() => requireReadableHeaders({ ...read, signatures: [makeSignature(broken, broken)] }), {
    code: 'BAD_BYTES',
    message: `a signature header ${rest}`,
  });
  t.throws(() => requireReadableHeaders({ ...read, submission: { ...read.submission!, header: broken } }), {
    code: 'BAD_BYTES',
    message: `the signature header ${rest}`,
  });
});

test('the payload of a submitter has the time in whole seconds, as the peer CLI writes it', (t) => {
  const now = new Date('2027-01-02T03:04:05.999Z');
  const content = { channel: 'ch1', update: UPDATE, signatures: [] };
  const payload = writePayload(content, { signatureHeader: HEADER, now });
  const { type, channel, submission } = openEnvelope(bytesField(1, payload));
  t.deepEqual([type, channel, Buffer.from(submission.header)], [2, 'ch1', Buffer.from(HEADER)]);
  const seconds = bytesField(3, numberField(1, 1_798_859_045));
  t.true(Buffer.from(payload).includes(Buffer.from(seconds)));
  t.false(Buffer.from(writePayload(content)).includes(Buffer.from(seconds)));
});
