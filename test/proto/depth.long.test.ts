// Documents and bytes nested up to the limits and deeper: converted or rejected, in linear time, without recursion.

import test from 'ava';
import { decode, encode } from '../../proto/index.js';
import { bytesField, nested, numberField, errorOf, varint } from '../helpers/codec.js';

const EMPTY = Buffer.alloc(0);
const TOO_DEEP = 'error unmarshaling intermediate JSON: invalid character ';

/** Nested groups, each with the key `a`. */
const groups = (depth: number): Buffer => {
  const key = bytesField(1, 'a');
  const parts: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < depth; level++) {
    const value = bytesLength(2, length);
    const entry = bytesLength(2, key.length + value.length + length);
    parts.push(Buffer.concat([entry, key, value]));
    length += key.length + value.length + entry.length;
  }
  return Buffer.concat(parts.toReversed());
};

/** The tag and length of a field, without its content. */
function bytesLength(field: number, length: number): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(length)]);
}

const groupsJson = (depth: number, innermost = '{}'): string =>
  '{"groups":{"a":'.repeat(depth) + innermost + '}}'.repeat(depth);

test('decodes and encodes 4,999 nested groups', (t) => {
  const bytes = groups(4999);
  t.notThrows(() => decode('common.ConfigGroup', bytes));
  t.true(bytes.equals(encode('common.ConfigGroup', groupsJson(4999))));
});

for (const depth of [5000, 9999]) {
  test(`rejects decoding ${String(depth)} nested groups: too deep for JSON`, (t) => {
    t.deepEqual(
      errorOf(() => decode('common.ConfigGroup', groups(depth))),
      { code: 'TOO_LARGE', message: `*common.ConfigGroup: ${TOO_DEEP}'{' exceeded max depth`, path: '' },
    );
  });
}

for (const depth of [10_000, 50_000]) {
  test(`rejects decoding ${String(depth)} nested groups: too deep for protobuf`, (t) => {
    t.deepEqual(
      errorOf(() => decode('common.ConfigGroup', groups(depth))),
      { code: 'BAD_BYTES', message: 'proto: exceeded maximum recursion depth', path: '' },
    );
  });
}

for (const depth of [5000, 10_000, 100_000]) {
  test(`rejects encoding ${String(depth)} nested groups`, (t) => {
    for (const rest of ['', ' x']) {
      t.deepEqual(
        errorOf(() => encode('common.ConfigGroup', groupsJson(depth) + rest)),
        { code: 'TOO_LARGE', message: `${TOO_DEEP}'{' exceeded max depth`, path: '' },
      );
    }
  });
}

const policies = (depth: number): Buffer => nested(depth, EMPTY, [2, 2], numberField(1, 0));
const policiesJson = (depth: number, innermost = '{"signed_by":0}'): string =>
  '{"n_out_of":{"rules":['.repeat(depth) + innermost + ']}}'.repeat(depth);

test('decodes and encodes 3,333 nested signature policies', (t) => {
  t.notThrows(() => decode('common.SignaturePolicy', policies(3333)));
  t.true(policies(3333).equals(encode('common.SignaturePolicy', policiesJson(3333))));
});

test('rejects 3,334 nested signature policies: too deep for JSON', (t) => {
  t.deepEqual(
    errorOf(() => decode('common.SignaturePolicy', policies(3334))),
    { code: 'TOO_LARGE', message: `*common.SignaturePolicy: ${TOO_DEEP}'{' exceeded max depth`, path: '' },
  );
  for (const rest of ['', ' x']) {
    t.deepEqual(
      errorOf(() => encode('common.SignaturePolicy', policiesJson(3334) + rest)),
      { code: 'TOO_LARGE', message: `${TOO_DEEP}'{' exceeded max depth`, path: '' },
    );
  }
});

test('the depth limit applies to lists and maps, empty or not', (t) => {
  const list = `{"type":1,"value":{"rule":${policiesJson(3332, '{"n_out_of":{"rules":[]}}')}}}`;
  const map = `{"channel_group":${groupsJson(4999, '{"values":{}}')}}`;
  for (const rest of ['', ' x']) {
    t.is(errorOf(() => encode('common.Policy', list + rest)).message, `${TOO_DEEP}'[' exceeded max depth`);
    t.is(errorOf(() => encode('common.Config', map + rest)).message, `${TOO_DEEP}'{' exceeded max depth`);
  }
});

test('an error at the maximum depth has the full path', (t) => {
  const error = errorOf(() => encode('common.ConfigGroup', groupsJson(4999, '{"zzz":1}')));
  t.is(error.path, `${'groups["a"].'.repeat(4999)}zzz`);
  t.true(error.message.endsWith('*common.ConfigGroup: proto: unknown field "zzz" in common.ConfigGroup'));
  const below = errorOf(() => encode('common.SignaturePolicy', policiesJson(3332, '{"zzz":1}')));
  t.is(below.path, `${'n_out_of.rules[0].'.repeat(3332)}zzz`);
  t.is(below.message, '*common.SignaturePolicy: proto: unknown field "zzz" in common.SignaturePolicy');
});

test('the path of an error below ten thousand messages is made without recursion', (t) => {
  const json =
    '{"payload":{"header":{"channel_header":{"type":4}},"data":'.repeat(4999) +
    '{"zzz":1}' +
    '}}'.repeat(4999);
  t.is(errorOf(() => encode('common.Envelope', json)).path, `${'payload.data.'.repeat(4999)}zzz`);
});

/** Nested envelopes, each in the payload of the previous one. */
const envelopes = (depth: number, innermost: Buffer): Buffer => {
  const header = bytesField(1, bytesField(1, numberField(1, 4)));
  const parts = [innermost];
  let { length } = innermost;
  for (let level = 0; level < depth; level++) {
    const data = bytesLength(2, length);
    const payload = bytesLength(1, header.length + data.length + length);
    parts.push(Buffer.concat([payload, header, data]));
    length += payload.length + header.length + data.length;
  }
  return Buffer.concat(parts.toReversed());
};

test('decodes and encodes a thousand nested envelopes', (t) => {
  const bytes = envelopes(1000, bytesField(2, 'signature'));
  const text = decode('common.Envelope', bytes);
  t.is(text.match(/"payload": \{/g)?.length, 1000);
  t.true(bytes.equals(encode('common.Envelope', text)));
});

test('rejects a message whose indentation makes the JSON text too long', (t) => {
  const message = 'the JSON of this message has more than 400000000 bytes';
  t.deepEqual(
    errorOf(() => decode('common.Envelope', envelopes(4990, EMPTY))),
    { code: 'TOO_LARGE', message, path: '' },
  );
  // A list of a hundred thousand empty strings, each on a line with five thousand tabs.
  const addresses = bytesField(2, Buffer.alloc(200_000, Buffer.from([0x0a, 0])));
  const value = bytesField(3, bytesField(1, 'OrdererAddresses'), bytesField(2, addresses));
  const update = bytesField(1, bytesField(3, value));
  const payload = Buffer.concat([bytesField(1, bytesField(1, numberField(1, 2))), bytesField(2, update)]);
  t.deepEqual(
    errorOf(() => decode('common.Envelope', envelopes(2500, bytesField(1, payload)))),
    { code: 'TOO_LARGE', message, path: '' },
  );
});

for (const depth of [9999, 10_000, 1_000_000]) {
  test(`rejects ${String(depth)} nested lists`, (t) => {
    const json = `{"metadata":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    t.is(
      errorOf(() => encode('common.BlockMetadata', json)).message,
      '*common.BlockMetadata: proto: invalid value for bytes type: [',
    );
    const error = errorOf(() => encode('common.BlockMetadata', `${json} x`));
    t.is(error.code, depth < 10_000 ? 'BAD_FIELD' : 'TOO_LARGE');
  });
}

test('accepts unknown groups nested 10,001 deep, not deeper', (t) => {
  const unknown = (depth: number): Buffer =>
    Buffer.concat([Buffer.alloc(depth, 0x7b), Buffer.alloc(depth, 0x7c)]);
  t.is(decode('common.LastConfig', unknown(10_001)), '{\n\t"index": "0"\n}\n');
  for (const depth of [10_002, 1_000_000]) {
    t.deepEqual(
      errorOf(() => decode('common.LastConfig', unknown(depth))),
      { code: 'BAD_BYTES', message: 'proto: cannot parse invalid wire-format data', path: '' },
    );
  }
});
