// Opening opaque bytes, and accepting base64 exactly where decode writes it.

import test from 'ava';
import { decode, encode } from '../../proto/index.js';
import { Message } from '../../proto/message.js';
import { open, openField, openSlot, tryRead } from '../../proto/open.js';
import { descriptorOf } from '../../proto/descriptor.js';
import { bytesField, hex, numberField, errorOf } from '../helpers/codec.js';

function header(channelHeader?: Buffer): Message {
  const message = new Message(descriptorOf('common.Header'));
  if (channelHeader !== undefined) message.slots[0] = channelHeader;
  return message;
}

test('opens valid bytes as a message whose parent is the outer message', (t) => {
  const outer = header(hex('0803'));
  const opened = openField(outer, 'channel_header');
  t.true(opened instanceof Message);
  t.is((opened as Message).parent, outer);
  t.is((opened as Message).int('type'), 3);
});

test('opening does not change the slot', (t) => {
  const bytes = hex('0803');
  const outer = header(bytes);
  t.true(openSlot(outer, outer.descriptor.fields[0]!) instanceof Message);
  t.is(outer.get('channel_header'), bytes);
});

test('absent and empty bytes are not opened', (t) => {
  t.is(openField(header(), 'channel_header'), undefined);
  t.is(openField(header(Buffer.alloc(0)), 'channel_header'), undefined);
});

for (const [title, digits] of [
  ['invalid wire format', 'ffff'],
  ['a string that is not UTF-8', '2201ff'],
  ['a timestamp out of range', '1a0b 10ffffffffffffffffff01'],
] as const) {
  test(`returns invalid bytes: ${title}`, (t) => {
    const bytes = hex(digits);
    const outer = header(bytes);
    t.is(openField(outer, 'channel_header'), bytes);
    t.is(open(bytes, outer.descriptor.fields[0]!, outer, ''), bytes);
    t.is(tryRead(descriptorOf('common.ChannelHeader'), bytes, outer), undefined);
  });
}

/** Messages that decode writes with base64, and encode accepts. */
const BASE64: readonly (readonly [title: string, type: string, data: Buffer, shown: string])[] = [
  ['an invalid payload', 'common.Envelope', bytesField(1, 'no payload'), '"payload": "bm8gcGF5bG9hZA=="'],
  ['an invalid envelope', 'common.BlockData', bytesField(1, hex('ff')), '\t\t"/w=="'],
  ['an invalid channel header', 'common.Header', bytesField(1, hex('ff')), '"channel_header": "/w=="'],
  ['an invalid creator', 'common.SignatureHeader', bytesField(1, 'CERT'), '"creator": "Q0VSVA=="'],
  [
    'data with an invalid channel header',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, hex('ff'))), bytesField(2, hex('0801'))]),
    '"data": "CAE="',
  ],
  ['data without a header', 'common.Payload', bytesField(2, hex('0801')), '"data": "CAE="'],
  [
    'data of an unknown type',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, numberField(1, 5))), bytesField(2, hex('0801'))]),
    '"data": "CAE="',
  ],
  [
    'data of a negative type',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, numberField(1, -1))), bytesField(2, hex('0801'))]),
    '"data": "CAE="',
  ],
  [
    'invalid data of a known type',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, numberField(1, 1))), bytesField(2, hex('ff'))]),
    '"data": "/w=="',
  ],
  [
    'an extension of another type',
    'common.ChannelHeader',
    Buffer.concat([numberField(1, 1), bytesField(7, 'x')]),
    '"extension": "eA=="',
  ],
  [
    'an invalid extension',
    'common.ChannelHeader',
    Buffer.concat([numberField(1, 3), bytesField(7, hex('ff'))]),
    '"extension": "/w=="',
  ],
  [
    'a policy of another type',
    'common.Policy',
    Buffer.concat([numberField(1, 2), bytesField(2, 'x')]),
    '"value": "eA=="',
  ],
  [
    'an invalid policy',
    'common.Policy',
    Buffer.concat([numberField(1, 1), bytesField(2, hex('ff'))]),
    '"value": "/w=="',
  ],
  [
    'an MSP of another type',
    'msp.MSPConfig',
    Buffer.concat([numberField(1, 2), bytesField(2, 'x')]),
    '"config": "eA=="',
  ],
  [
    'a principal of another kind',
    'common.MSPPrincipal',
    Buffer.concat([numberField(1, 3), bytesField(2, 'x')]),
    '"principal": "eA=="',
  ],
  [
    'invalid metadata of an unknown type',
    'orderer.ConsensusType',
    Buffer.concat([bytesField(1, 'kafka'), bytesField(2, hex('ff'))]),
    '"metadata": "/w=="',
  ],
  [
    'invalid metadata of etcdraft',
    'orderer.ConsensusType',
    Buffer.concat([bytesField(1, 'etcdraft'), bytesField(2, hex('ff'))]),
    '"metadata": "/w=="',
  ],
  [
    'isolated data',
    'common.ConfigUpdate',
    bytesField(5, bytesField(1, 'pl'), bytesField(2, hex('00'))),
    '"pl": "AA=="',
  ],
  [
    'empty isolated data',
    'common.ConfigUpdate',
    bytesField(5, bytesField(1, 'pl'), bytesField(2)),
    '"pl": ""',
  ],
  [
    'a read-write set of another model',
    'rwset.TxReadWriteSet',
    Buffer.concat([numberField(1, 1), bytesField(2, bytesField(2, 'x'))]),
    '"rwset": "eA=="',
  ],
  [
    'an invalid read-write set',
    'rwset.TxReadWriteSet',
    bytesField(2, bytesField(2, hex('ff'))),
    '"rwset": "/w=="',
  ],
];
for (const [title, type, data, shown] of BASE64) {
  test(`${title} is base64 in both directions: ${type} ${data.toString('hex')}`, (t) => {
    const text = decode(type, data);
    t.true(text.includes(shown), text);
    t.is(Buffer.from(encode(type, text)).toString('hex'), data.toString('hex'));
  });
}

/** Base64 of bytes that would be opened is an error, as in Fabric's configtxlator. */
const INVALID: readonly (readonly [type: string, json: string, path: string, message: string])[] = [
  [
    'common.Envelope',
    '{"payload":"CgA="}',
    'payload',
    '*commonext.Envelope: expected field payload for message *commonext.Envelope to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.Envelope',
    '{"payload":""}',
    'payload',
    '*commonext.Envelope: expected field payload for message *commonext.Envelope to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.Envelope',
    '{"payload":"no base64"}',
    'payload',
    '*commonext.Envelope: expected field payload for message *commonext.Envelope to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.BlockData',
    '{"data":[{},"CgA="]}',
    'data[1]',
    '*commonext.BlockData: expected slice field data value at index 1 for message *commonext.BlockData to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.BlockData',
    '{"data":[""]}',
    'data[0]',
    '*commonext.BlockData: expected slice field data value at index 0 for message *commonext.BlockData to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'orderer.ConsensusType',
    '{"type":"kafka","metadata":"CgA="}',
    'metadata',
    '*ordererext.ConsensusType: expected field metadata for message *ordererext.ConsensusType to be assignable from map[string]interface {} but was not.  Is string',
  ],
  // Other JSON values for bytes that stay base64.
  [
    'common.Payload',
    '{"data":{}}',
    'data',
    '*commonext.Payload: error in PopulateFrom for field data for message *commonext.Payload: cannot determine payload type when header is missing',
  ],
  [
    'common.Payload',
    '{"data":"no base64"}',
    'data',
    '*commonext.Payload: error in PopulateFrom for field data for message *commonext.Payload: cannot determine payload type when header is missing',
  ],
  [
    'common.Policy',
    '{"type":2,"value":["x"]}',
    'value',
    '*commonext.Policy: error in PopulateFrom for field value for message *commonext.Policy: unable to decode policy type: 2',
  ],
  [
    'common.ConfigUpdate',
    '{"isolated_data":{"pl":{}}}',
    'isolated_data["pl"]',
    '*commonext.ConfigUpdate: error in PopulateFrom for map field isolated_data with key pl for message *commonext.ConfigUpdate: Unknown map key: pl',
  ],
];
for (const [type, json, path, message] of INVALID) {
  test(`rejects ${type} ${json}: ${message}`, (t) => {
    t.deepEqual(
      errorOf(() => encode(type, json)),
      { code: 'BAD_FIELD', message, path },
    );
  });
}
