// The descriptors of message types.

import test from 'ava';
import { descriptorOf, isJsonString, PLAIN, plainDescriptor } from '../../proto/descriptor.js';
import { messageNames } from '../../proto/index.js';
import { isMessage } from '../../proto/type.js';
import { resolveName } from '../../proto/registry.js';

const names = messageNames().map(resolveName);

test('each message type has one descriptor per set of rules', (t) => {
  const block = descriptorOf('common.Block');
  t.is(descriptorOf('common.Block'), block);
  t.is(descriptorOf('common.Block', PLAIN), plainDescriptor(block));
  t.not(block, plainDescriptor(block));
  t.is(plainDescriptor(plainDescriptor(block)), plainDescriptor(block));
});

test('slots are in the order of field numbers, the same in all descriptors of a message type', (t) => {
  for (const name of names) {
    const { fields, byNumber, byName } = descriptorOf(name);
    t.deepEqual(
      fields.map(({ slot }) => slot),
      [...fields.keys()],
      name,
    );
    t.deepEqual(
      fields.map(({ number }) => number),
      fields.map(({ number }) => number).toSorted((a, b) => a - b),
      name,
    );
    t.deepEqual(
      plainDescriptor(descriptorOf(name)).fields.map((field) => field.name),
      fields.map((field) => field.name),
      name,
    );
    for (const field of fields) t.true(byNumber[field.number] === field && byName.get(field.name) === field);
  }
});

test('sortedFields is in the order of names', (t) => {
  const sorted = (name: string): string[] => descriptorOf(name).sortedFields.map((field) => field.name);
  t.deepEqual(sorted('protos.ChaincodeProposalPayload'), ['TransientMap', 'input']);
  t.deepEqual(sorted('common.ConfigGroup'), ['groups', 'mod_policy', 'policies', 'values', 'version']);
});

const TRAVERSED: readonly (readonly [message: string, fields: readonly string[]])[] = [
  ['common.Block', ['header', 'data', 'metadata']],
  ['common.BlockHeader', []],
  ['common.ConfigGroup', ['groups', 'values', 'policies']],
  ['common.Payload', ['header', 'data']],
  ['common.Envelope', ['payload']],
  ['common.ChannelHeader', ['extension']],
  ['common.ConfigUpdate', ['isolated_data', 'read_set', 'write_set']],
  ['common.ConfigUpdateEnvelope', ['signatures', 'config_update']],
  ['common.SignaturePolicy', []],
  ['common.SignaturePolicyEnvelope', ['rule', 'identities']],
  ['protos.ChaincodeAction', ['response', 'chaincode_id', 'results', 'events']],
  ['protos.ChaincodeActionPayload', ['action', 'chaincode_proposal_payload']],
  ['protos.BlockAndPrivateData', ['block']],
  ['orderer.DeliverResponse', []],
  ['google.protobuf.Timestamp', []],
];
for (const [message, fields] of TRAVERSED) {
  test(`the traversed fields of ${message} in order: ${fields.join(', ') || 'none'}`, (t) => {
    t.deepEqual(
      descriptorOf(message).traversedFields.map(({ name }) => name),
      fields,
    );
    t.deepEqual(plainDescriptor(descriptorOf(message)).traversedFields, []);
  });
}

test('the messages in plain fields have plain descriptors', (t) => {
  const data = plainDescriptor(descriptorOf('common.Block')).byName.get('data')!;
  t.is(data.child(''), plainDescriptor(descriptorOf('common.BlockData')));
  t.is(data.child('').byName.get('data')?.content, undefined);
  const oneofMember = descriptorOf('orderer.DeliverResponse').byName.get('block')!;
  t.is(oneofMember.child(''), plainDescriptor(descriptorOf('common.Block')));
});

test('byJsonName has the camelCase names that are not the original names', (t) => {
  const { byJsonName } = descriptorOf('common.BlockHeader');
  t.deepEqual([...byJsonName.keys()].sort(), ['dataHash', 'previousHash']);
  t.deepEqual([...descriptorOf('protos.ChaincodeProposalPayload').byJsonName.keys()], []);
});

test('kinds distinguish enums, messages and timestamps', (t) => {
  const kindOf = (message: string, field: string): string => descriptorOf(message).byName.get(field)!.kind;
  t.is(kindOf('common.MSPRole', 'role'), 'enum');
  t.is(kindOf('common.Block', 'header'), 'message');
  t.is(kindOf('common.ChannelHeader', 'timestamp'), 'timestamp');
  const kinds = ['message', 'timestamp', 'bytes', 'enum'] as const;
  t.deepEqual(kinds.map(isMessage), [true, true, false, false]);
});

test('the JSON form of durations and timestamps is a string', (t) => {
  t.deepEqual(
    names.filter((name) => isJsonString(descriptorOf(name))),
    ['google.protobuf.Duration', 'google.protobuf.Timestamp'],
  );
});
