// The chain and the path of an error.

import test from 'ava';
import { Message } from '../../proto/message.js';
import { refuse, refuseContent, type Place } from '../../proto/place.js';
import { planOf, plainPlan } from '../../proto/plan.js';

const outermost: Place = { message: new Message(planOf('common.Block')), depth: 1, outer: undefined };

function within(place: Place, name: string, type: string, key?: string | number): Place {
  const field = place.message.plan.byName.get(name)!;
  const message = new Message(field.special ? planOf(type) : plainPlan(planOf(type)), place.message);
  return { message, depth: place.depth + 1, outer: { place, field, key } };
}

test('the outermost message: its Go type, and the name alone', (t) => {
  const { code, message, path } = refuse(outermost, 'zzz', 'a reason');
  t.deepEqual([code, message, path], ['BAD_FIELD', '*common.Block: a reason', 'zzz']);
});

test('messages within: a frame for each field, a list and a map with index and key', (t) => {
  const data = within(outermost, 'data', 'common.BlockData');
  const envelope = within(data, 'data', 'common.Envelope', 3);
  const { message, path } = refuse(envelope, 'signature', 'a reason');
  t.is(
    message,
    '*common.Block: error in PopulateFrom for field data for message *common.Block: ' +
      '*commonext.BlockData: error in PopulateFrom for slice field data at index 3 for message *commonext.BlockData: ' +
      '*commonext.Envelope: a reason',
  );
  t.is(path, 'data.data[3].signature');
});

for (const key of ['Org1', '', '__proto__', 'a"b\n', 'é']) {
  test(`the map key ${JSON.stringify(key)} stands as it is in the text and as JSON in the path`, (t) => {
    const group: Place = { message: new Message(planOf('common.ConfigGroup')), depth: 1, outer: undefined };
    const field = group.message.plan.byName.get('values')!;
    const { message, path } = refuseContent(group, field, key, 'a reason');
    t.is(
      message,
      `*common.ConfigGroup: error in PopulateFrom for map field values with key ${key} for message *common.ConfigGroup: a reason`,
    );
    t.is(path, `values[${JSON.stringify(key)}]`);
  });
}

test('messages that are not looked into are in the path only', (t) => {
  const policy: Place = {
    message: new Message(planOf('common.SignaturePolicy')),
    depth: 1,
    outer: undefined,
  };
  const inner = within(policy, 'n_out_of', 'common.SignaturePolicy.NOutOf');
  const { message, path } = refuse(inner, 'n', 'a reason');
  t.is(message, '*common.SignaturePolicy: a reason');
  t.is(path, 'n_out_of.n');
});
