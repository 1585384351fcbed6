// The beginning and the path of errors about a field.

import test from 'ava';
import { descriptorOf, plainDescriptor } from '../../proto/descriptor.js';
import { contentError, fieldError, type FieldPath } from '../../proto/field-path.js';
import { Message } from '../../proto/message.js';

const pathOf = (type: string): FieldPath => ({
  message: new Message(descriptorOf(type)),
  depth: 1,
  container: undefined,
});

function inside(path: FieldPath, name: string, type: string, key?: string | number): FieldPath {
  const field = path.message.descriptor.byName.get(name)!;
  const descriptor = field.traversed ? descriptorOf(type) : plainDescriptor(descriptorOf(type));
  return {
    message: new Message(descriptor, path.message),
    depth: path.depth + 1,
    container: { path, field, key },
  };
}

test('an error in the outermost message begins with its Go type; the path is the field name', (t) => {
  const { code, message, path } = fieldError(pathOf('common.Block'), 'zzz', 'a reason');
  t.deepEqual([code, message, path], ['BAD_FIELD', '*common.Block: a reason', 'zzz']);
});

test('an error in an inner message names each field on the way, with index or key', (t) => {
  const data = inside(pathOf('common.Block'), 'data', 'common.BlockData');
  const envelope = inside(data, 'data', 'common.Envelope', 3);
  const { message, path } = fieldError(envelope, 'signature', 'a reason');
  t.is(
    message,
    '*common.Block: error in PopulateFrom for field data for message *common.Block: ' +
      '*commonext.BlockData: error in PopulateFrom for slice field data at index 3 for message *commonext.BlockData: ' +
      '*commonext.Envelope: a reason',
  );
  t.is(path, 'data.data[3].signature');
});

for (const key of ['Org1', '', '__proto__', 'a"b\n', 'é']) {
  test(`the map key ${JSON.stringify(key)} is unquoted in the message and quoted as JSON in the path`, (t) => {
    const group = pathOf('common.ConfigGroup');
    const field = group.message.descriptor.byName.get('values')!;
    const { message, path } = contentError(group, field, key, 'a reason');
    t.is(
      message,
      `*common.ConfigGroup: error in PopulateFrom for map field values with key ${key} for message *common.ConfigGroup: a reason`,
    );
    t.is(path, `values[${JSON.stringify(key)}]`);
  });
}

test('plain fields are in the path, but not in the message', (t) => {
  const inner = inside(pathOf('common.SignaturePolicy'), 'n_out_of', 'common.SignaturePolicy.NOutOf');
  const { message, path } = fieldError(inner, 'n', 'a reason');
  t.is(message, '*common.SignaturePolicy: a reason');
  t.is(path, 'n_out_of.n');
});
