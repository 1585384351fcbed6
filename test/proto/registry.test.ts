// Known message and enum names, and the errors for unknown ones.

import test from 'ava';
import { messageNames } from '../../proto/index.js';
import { enumOf, fieldsOf, fileOf, resolveName } from '../../proto/registry.js';
import { FABRIC_NAMES, LINKED_NAMES, NEWER_NAMES } from '../helpers/message-names.js';
import { errorOf } from '../helpers/codec.js';

test('messageNames has the names of Fabric and the linked libraries and common.Configuration, sorted', (t) => {
  const fabric = Object.entries(FABRIC_NAMES).flatMap(([group, names]) =>
    names.map((name) => `${group}.${name}`),
  );
  const all = new Set([...fabric, ...LINKED_NAMES, ...NEWER_NAMES, 'common.Configuration']);
  t.deepEqual(messageNames(), [...all].toSorted());
});

test('each name resolves to a message of the schema with a file', (t) => {
  for (const name of messageNames()) {
    const known = resolveName(name);
    t.is(known, name === 'common.Configuration' ? 'common.Config' : name);
    t.true(Array.isArray(fieldsOf(known)));
    t.regex(fileOf(known), /^[\w/]+\.proto$/);
  }
});

const UNKNOWN: readonly (readonly [name: string, hint: string])[] = [
  ['', ''],
  ['.', ''],
  ['Block', ' (did you mean common.Block?)'],
  ['block', ' (did you mean common.Block?)'],
  ['common.block', ' (did you mean common.Block?)'],
  ['.common.Block', ' (did you mean common.Block?)'],
  ['common.Blok', ' (did you mean common.Block?)'],
  ['peer.Transaction', ' (did you mean protos.Transaction?)'],
  ['peer.ProcessedTransaction', ' (did you mean protos.ProcessedTransaction?)'],
  ['msp.MSPPrincipal', ' (did you mean common.MSPPrincipal?)'],
  ['smartbft.Options', ' (did you mean etcdraft.Options, orderer.smartbft.Options?)'],
  ['lifecycle.InstallChaincodeArgs', ''],
  ['common.ConfigGroup.GroupsEntry', ''],
  ['google.protobuf.Struct', ''],
  ['__proto__', ''],
  ['constructor', ''],
  ['toString', ''],
  ['hasOwnProperty', ''],
];
for (const [name, hint] of UNKNOWN) {
  test(`'${name}' is not found${hint}`, (t) => {
    t.deepEqual(
      errorOf(() => resolveName(name)),
      { code: 'UNKNOWN_TYPE', message: `proto: not found${hint}`, path: '' },
    );
  });
}

test('the name of an enum is not a message', (t) => {
  t.deepEqual(
    errorOf(() => resolveName('common.HeaderType')),
    { code: 'UNKNOWN_TYPE', message: 'proto: found wrong type: got enum, want message', path: '' },
  );
});

test('enumOf has the values by name and number; other names are unknown', (t) => {
  const status = enumOf('common.Status');
  t.is(status?.numbers.get('SUCCESS'), 200);
  t.is(status?.names.get(200), 'SUCCESS');
  t.is(status?.names.get(201), undefined);
  t.is(status?.numbers.get('constructor'), undefined);
  for (const name of ['', '__proto__', 'constructor', 'common.Block', 'string'])
    t.is(enumOf(name), undefined);
});
