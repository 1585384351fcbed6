// What is worked out once for a message type and a treatment.

import test from 'ava';
import { messageNames } from '../../proto/index.js';
import { isMessage, isText, PLAIN, plainPlan, planOf } from '../../proto/plan.js';
import { resolveName } from '../../proto/registry.js';

const names = messageNames().map(resolveName);

test('a plan is made once for each message and treatment', (t) => {
  t.is(planOf('common.Block'), planOf('common.Block'));
  t.is(planOf('common.Block', PLAIN), plainPlan(planOf('common.Block')));
  t.not(planOf('common.Block'), plainPlan(planOf('common.Block')));
  t.is(plainPlan(plainPlan(planOf('common.Block'))), plainPlan(planOf('common.Block')));
});

test('slots are in the order of field numbers, in every plan of a message the same', (t) => {
  for (const name of names) {
    const { fields, byNumber, byName } = planOf(name);
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
      plainPlan(planOf(name)).fields.map((field) => field.name),
      fields.map((field) => field.name),
      name,
    );
    for (const field of fields) t.true(byNumber[field.number] === field && byName.get(field.name) === field);
  }
});

test('fields are printed in the order of their names', (t) => {
  t.deepEqual(
    planOf('protos.ChaincodeProposalPayload').printed.map(({ name }) => name),
    ['TransientMap', 'input'],
  );
  t.deepEqual(
    planOf('common.ConfigGroup').printed.map(({ name }) => name),
    ['groups', 'mod_policy', 'policies', 'values', 'version'],
  );
});

const SPECIALS: readonly (readonly [message: string, specials: readonly string[]])[] = [
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
for (const [message, specials] of SPECIALS) {
  test(`looked into in ${message}, in this order: ${specials.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(
      planOf(message).specials.map(({ name }) => name),
      specials,
    );
    t.deepEqual(plainPlan(planOf(message)).specials, []);
  });
}

test('nothing below a plain message is looked into', (t) => {
  const block = plainPlan(planOf('common.Block')).byName.get('data')!;
  t.is(block.child(''), plainPlan(planOf('common.BlockData')));
  t.is(block.child('').byName.get('data')?.content, undefined);
  const member = planOf('orderer.DeliverResponse').byName.get('block')!;
  t.is(member.child(''), plainPlan(planOf('common.Block')));
});

test('names in JSON are known where they differ', (t) => {
  const { byJsonName } = planOf('common.BlockHeader');
  t.deepEqual([...byJsonName.keys()].sort(), ['dataHash', 'previousHash']);
  t.deepEqual([...planOf('protos.ChaincodeProposalPayload').byJsonName.keys()], []);
});

test('kinds: enums, messages, timestamps, and messages whose JSON is text', (t) => {
  const kindOf = (message: string, field: string): string => planOf(message).byName.get(field)!.kind;
  t.is(kindOf('common.MSPRole', 'role'), 'enum');
  t.is(kindOf('common.Block', 'header'), 'message');
  t.is(kindOf('common.ChannelHeader', 'timestamp'), 'timestamp');
  t.deepEqual((['message', 'timestamp', 'bytes', 'enum'] as const).map(isMessage), [
    true,
    true,
    false,
    false,
  ]);
  t.deepEqual(
    names.filter((name) => isText(planOf(name))),
    ['google.protobuf.Duration', 'google.protobuf.Timestamp'],
  );
});
