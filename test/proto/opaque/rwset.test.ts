// Read-write sets.

import test from 'ava';
import { decode, encode } from '../../../proto/index.js';
import { bytesField, numberField, errorOf } from '../../helpers/codec.js';

const KV = bytesField(1, bytesField(1, 'k'));
const NAMESPACE = Buffer.concat([bytesField(1, 'cc'), bytesField(2, KV)]);
const HASHED = bytesField(3, bytesField(1, 'coll'), bytesField(2, KV));

test('opens the sets of namespaces if the data model is KV', (t) => {
  const data = bytesField(2, NAMESPACE);
  const text = decode('rwset.TxReadWriteSet', data);
  t.true(text.includes('"key": "k"'));
  t.deepEqual(encode('rwset.TxReadWriteSet', text), data);
});

test('the hashed sets of collections stay base64', (t) => {
  const data = bytesField(2, NAMESPACE, HASHED);
  const text = decode('rwset.TxReadWriteSet', data);
  t.true(text.includes(`"hashed_rwset": "${KV.toString('base64')}"`));
  t.deepEqual(encode('rwset.TxReadWriteSet', text), data);
});

test('the sets of another data model stay base64 in both directions', (t) => {
  const data = Buffer.concat([numberField(1, 7), bytesField(2, NAMESPACE, HASHED)]);
  const text = decode('rwset.TxReadWriteSet', data);
  t.true(text.includes('"data_model": 7'));
  t.true(text.includes(`"rwset": "${KV.toString('base64')}"`));
  t.deepEqual(encode('rwset.TxReadWriteSet', text), data);
  t.deepEqual(
    errorOf(() => encode('rwset.TxReadWriteSet', '{"data_model":7,"ns_rwset":[{"rwset":{}}]}')),
    {
      code: 'BAD_FIELD',
      message:
        '*rwsetext.TxReadWriteSet: error in PopulateFrom for slice field ns_rwset at index 0 for message *rwsetext.TxReadWriteSet: ' +
        '*rwsetext.DynamicNsReadWriteSet: error in PopulateFrom for field rwset for message *rwsetext.DynamicNsReadWriteSet: unknown data model: 7',
      path: 'ns_rwset[0].rwset',
    },
  );
});

test('the set of a namespace outside a TxReadWriteSet stays base64', (t) => {
  const text = decode('rwset.NsReadWriteSet', NAMESPACE);
  t.true(text.includes(`"rwset": "${KV.toString('base64')}"`));
  t.deepEqual(encode('rwset.NsReadWriteSet', text), NAMESPACE);
});

test('errors name the Go types of protoext/rwsetext', (t) => {
  t.is(
    errorOf(() => encode('rwset.TxReadWriteSet', '{"ns_rwset":[{"collection_hashed_rwset":[{"a":1}]}]}'))
      .message,
    '*rwsetext.TxReadWriteSet: error in PopulateFrom for slice field ns_rwset at index 0 for message *rwsetext.TxReadWriteSet: ' +
      '*rwsetext.DynamicNsReadWriteSet: error in PopulateFrom for slice field collection_hashed_rwset at index 0 for message *rwsetext.DynamicNsReadWriteSet: ' +
      '*rwsetext.DynamicCollectionHashedReadWriteSet: proto: unknown field "a" in rwset.CollectionHashedReadWriteSet',
  );
});
