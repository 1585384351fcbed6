// Opening opaque bytes, and accepting base64 back exactly where decode writes it.

import test from 'ava';
import { decode, encode } from '../../proto/index.js';
import { Message } from '../../proto/message.js';
import { open, openField, openSlot, tryRead } from '../../proto/open.js';
import { descriptorOf } from '../../proto/descriptor.js';
import { bytesField, hex, numberField, refusal } from '../helpers/codec.js';

function header(channelHeader?: Buffer): Message {
  const message = new Message(descriptorOf('common.Header'));
  if (channelHeader !== undefined) message.slots[0] = channelHeader;
  return message;
}

test('bytes that hold what they should are a message, its parent the one around it', (t) => {
  const outer = header(hex('0803'));
  const opened = openField(outer, 'channel_header');
  t.true(opened instanceof Message);
  t.is((opened as Message).parent, outer);
  t.is((opened as Message).int('type'), 3);
});

test('opening leaves the bytes where they are', (t) => {
  const bytes = hex('0803');
  const outer = header(bytes);
  t.true(openSlot(outer, outer.descriptor.fields[0]!) instanceof Message);
  t.is(outer.get('channel_header'), bytes);
});

test('no bytes, and bytes of length 0, are no message', (t) => {
  t.is(openField(header(), 'channel_header'), undefined);
  t.is(openField(header(Buffer.alloc(0)), 'channel_header'), undefined);
});

for (const [title, digits] of [
  ['another format', 'ffff'],
  ['text that is not UTF-8', '2201ff'],
  ['a timestamp out of range', '1a0b 10ffffffffffffffffff01'],
] as const) {
  test(`bytes that hold something else are given back: ${title}`, (t) => {
    const bytes = hex(digits);
    const outer = header(bytes);
    t.is(openField(outer, 'channel_header'), bytes);
    t.is(open(bytes, outer.descriptor.fields[0]!, outer, ''), bytes);
    t.is(tryRead(descriptorOf('common.ChannelHeader'), bytes, outer), undefined);
  });
}

/** Documents that decode writes with base64, and encode takes back. */
const BOTH_WAYS: readonly (readonly [title: string, type: string, data: Buffer, shown: string])[] = [
  ['a payload that is none', 'common.Envelope', bytesField(1, 'no payload'), '"payload": "bm8gcGF5bG9hZA=="'],
  ['an envelope that is none', 'common.BlockData', bytesField(1, hex('ff')), '\t\t"/w=="'],
  ['a channel header that is none', 'common.Header', bytesField(1, hex('ff')), '"channel_header": "/w=="'],
  ['a creator that is none', 'common.SignatureHeader', bytesField(1, 'CERT'), '"creator": "Q0VSVA=="'],
  [
    'data of a channel header that is none',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, hex('ff'))), bytesField(2, hex('0801'))]),
    '"data": "CAE="',
  ],
  ['data without header', 'common.Payload', bytesField(2, hex('0801')), '"data": "CAE="'],
  [
    'data of an unknown type',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, numberField(1, 5))), bytesField(2, hex('0801'))]),
    '"data": "CAE="',
  ],
  [
    'data of a type below zero',
    'common.Payload',
    Buffer.concat([bytesField(1, bytesField(1, numberField(1, -1))), bytesField(2, hex('0801'))]),
    '"data": "CAE="',
  ],
  [
    'data that are none of their type',
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
    'an extension that is none',
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
    'a policy that is none',
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
    'metadata that are no message at all',
    'orderer.ConsensusType',
    Buffer.concat([bytesField(1, 'kafka'), bytesField(2, hex('ff'))]),
    '"metadata": "/w=="',
  ],
  [
    'metadata of etcdraft that are none',
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
    'isolated data of length 0',
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
    'a read-write set that is none',
    'rwset.TxReadWriteSet',
    bytesField(2, bytesField(2, hex('ff'))),
    '"rwset": "/w=="',
  ],
];
for (const [title, type, data, shown] of BOTH_WAYS) {
  test(`${title} is base64, both ways: ${type} ${data.toString('hex')}`, (t) => {
    const text = decode(type, data);
    t.true(text.includes(shown), text);
    t.is(Buffer.from(encode(type, text)).toString('hex'), data.toString('hex'));
  });
}

/** Base64 of bytes that would be opened: what Fabric's configtxlator says. */
const REFUSED: readonly (readonly [type: string, json: string, path: string, message: string])[] = [
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
  // Bytes that stay base64, given as anything else.
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
for (const [type, json, path, message] of REFUSED) {
  test(`refused: ${type} ${json}: ${message}`, (t) => {
    t.deepEqual(
      refusal(() => encode(type, json)),
      { code: 'BAD_FIELD', message, path },
    );
  });
}
