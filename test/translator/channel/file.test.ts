// Recognition of files by content.

import test from 'ava';
import { decode, encode, TranslateError } from '../../../proto/index.js';
import {
  nameOf,
  readChannelFile,
  readConfigFile,
  readUpdateFile,
  type EncodeJson,
} from '../../../translator/channel/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { bytesOf, delimited } from '../../helpers/wire.js';
import { cpuTimeOf } from '../../helpers/stopwatch.js';

const { configs, cases } = readChannelCases();
const config = configs.get('app3')!;
const { update } = cases.find((each) => each.config === 'app3' && each.propose)!;

const json: EncodeJson = (type, text) => encode(type, text);
const header = (type: string): Buffer =>
  delimited(
    1,
    delimited(1, type, delimited(4, Buffer.from('testchannel'))),
    delimited(2, delimited(2, 'aabb')),
  );
const envelope = (type: string, content: Buffer): Buffer =>
  bytesOf(delimited(1, header(type), delimited(2, content)), delimited(2, 'cc'));
const block = (...data: Buffer[]): Buffer =>
  bytesOf(
    delimited(1, '0807'),
    delimited(2, ...data.map((each) => delimited(1, each))),
    delimited(3, delimited(1)),
  );

const configEnvelope = delimited(1, config);
const updateEnvelope = bytesOf(delimited(1, update), delimited(2, delimited(1, 'aa'), delimited(2, 'bb')));

const FILES: readonly (readonly [name: string, type: string, bytes: Buffer, is: string])[] = [
  ['a config', 'common.Config', config, 'a config'],
  ['a config envelope', 'common.ConfigEnvelope', configEnvelope, 'a config envelope'],
  ['an envelope of type 1', 'common.Envelope', envelope('0801', configEnvelope), 'an envelope with a config'],
  ['a block', 'common.Block', block(envelope('0801', configEnvelope)), 'a config block'],
  ['a config update', 'common.ConfigUpdate', update, 'a config update'],
  ['a config update envelope', 'common.ConfigUpdateEnvelope', updateEnvelope, 'a config update envelope'],
  ['an envelope of type 2', 'common.Envelope', envelope('0802', updateEnvelope), 'a config update'],
];

for (const [name, type, bytes, is] of FILES) {
  test(`${name} is recognised as ${is}`, (t) => {
    t.is(nameOf(readChannelFile(bytes)), is);
  });
  test(`${name} in JSON is recognised as ${is}`, (t) => {
    t.is(nameOf(readChannelFile(Buffer.from(decode(type, bytes)), json)), is);
  });
}

test('an update in an envelope has its channel, signatures and the header of the submitter', (t) => {
  const file = readUpdateFile(envelope('0802', updateEnvelope));
  t.is(file.channel, 'testchannel');
  t.deepEqual(
    file.signatures.map(({ header: by, signature }) => [...by, ...signature]),
    [[0xaa, 0xbb]],
  );
  t.is(Buffer.from(file.submission!.header).toString('hex'), '1202aabb');
  t.is(Buffer.from(file.submission!.signature).toString('hex'), 'cc');
});

test('a config block has its channel and number', (t) => {
  const file = readConfigFile(block(envelope('0801', configEnvelope)));
  t.is(file.channel, 'testchannel');
  t.is(file.number, 7n);
  t.true(file.config.channelGroup.groups.has('Application'));
});

const WRONG: readonly (readonly [name: string, bytes: Buffer, message: string])[] = [
  [
    'a config block',
    block(envelope('0801', configEnvelope)),
    'this is a config block; a config update is needed',
  ],
  ['a config', config, 'this is a config; a config update is needed'],
  [
    'a block of transactions',
    block(envelope('0803', bytesOf('0801'))),
    'this is block 7, which is not a config block; a config update is needed',
  ],
  [
    'a transaction',
    envelope('0803', bytesOf('0801')),
    'this is an envelope of type 3, not a config transaction; a config update is needed',
  ],
  ['an empty file', bytesOf(), 'this is an empty file; a config update is needed'],
  [
    'a certificate',
    Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'),
    'this is a PEM file (CERTIFICATE); a config update is needed',
  ],
  [
    'an organisation of configtxgen',
    Buffer.from('{"groups":{},"mod_policy":"Admins","policies":{},"values":{},"version":"0"}'),
    'this is a config group in JSON, for example an organisation; a config update is needed',
  ],
  [
    'another JSON object',
    Buffer.from('{"a":1}'),
    'this is a JSON object of another kind; a config update is needed',
  ],
  ['a JSON list', Buffer.from('[1]'), 'this is text that is not a JSON object; a config update is needed'],
  [
    'random bytes',
    bytesOf('ffffffff00'),
    'this is no block, envelope, config or config update; a config update is needed',
  ],
];

for (const [name, bytes, message] of WRONG) {
  test(`${name} instead of an update is refused: ${message}`, (t) => {
    const error = t.throws(() => readUpdateFile(bytes, json), { instanceOf: TranslateError });
    t.is(error.code, 'WRONG_MESSAGE');
    t.is(error.message, message);
  });
}

test('an update instead of a config is refused', (t) => {
  t.throws(() => readConfigFile(update), { message: 'this is a config update; a config block is needed' });
});

test('100 MB of empty fields are refused in little time', (t) => {
  const bytes = Buffer.alloc(100_000_000, '1200', 'hex');
  const time = cpuTimeOf(() => {
    t.throws(() => readChannelFile(bytes), { instanceOf: TranslateError });
  });
  t.true(time < 10_000, `${time} ms`);
});

test('a config block has the identities of its signers, without unreadable signatures', (t) => {
  const signed = (...signatures: Buffer[]): Buffer =>
    bytesOf(
      delimited(1, '0801'),
      delimited(2, delimited(1, envelope('0801', configEnvelope))),
      delimited(3, delimited(1, ...signatures.map((each) => delimited(2, each)))),
    );
  const by = (creator: string): Buffer => delimited(1, delimited(1, Buffer.from(creator)));
  const signersOf = (file: Buffer): string[] =>
    readConfigFile(file).signers!.map((signer) => Buffer.from(signer).toString());
  t.deepEqual(signersOf(signed(by('one'), by('two'), delimited(1, delimited(2, 'aa')))), ['one', 'two']);
  t.deepEqual(signersOf(signed(delimited(1, Buffer.from('ff', 'hex')))), []);
});
