// Compares the schema with the messages that the Fabric project publishes for JavaScript: same bytes in both directions.

import test from 'ava';
import type protobuf from 'protobufjs';
import { loadPublished, makePublished, readPublished } from '../helpers/published-messages.js';
import type { PublishedClass } from '../helpers/published-messages.js';
import { samplesOf, type Sample, type SampleValue } from '../helpers/schema-sample.js';
import { protobufRootOf, readSchemaTable } from '../helpers/schema.js';

const table = readSchemaTable();
const root = protobufRootOf(table);

const published = loadPublished(table.files);

function classOf(name: string): PublishedClass {
  const found = published.classes.get(name);
  if (found === undefined) throw new Error(`${name} is not published`);
  return found;
}

/** A map key as a string; large numbers without exponent. */
const digits = (key: string | number): string => (typeof key === 'number' ? `${BigInt(key)}` : key);

/** The object form of a sample in protobufjs. */
function plain(sample: Sample): Record<string, unknown> {
  const value = (each: SampleValue | undefined): unknown =>
    typeof each === 'object' && 'fields' in each ? plain(each) : each;
  const entries = sample.fields.map(({ row: [, name, , , rule], values, keys }): [string, unknown] => {
    if (rule === 'map')
      return [name, Object.fromEntries(keys.map((key, index) => [digits(key), value(values[index])]))];
    return [name, rule === 'list' ? values.map(value) : value(values[0])];
  });
  return Object.fromEntries(entries);
}

function ourBytes(type: protobuf.Type, sample: Sample): Uint8Array {
  return Uint8Array.from(type.encode(plain(sample)).finish());
}

function readOurs(type: protobuf.Type, bytes: Uint8Array): unknown {
  return type.toObject(type.decode(bytes), { longs: Number });
}

test('the published package has all messages except removed ones and the messages of the binary log of gRPC', (t) => {
  t.deepEqual(
    Object.keys(table.messages)
      .filter((name) => !published.classes.has(name))
      .sort(),
    [
      'grpc.binarylog.v1.Address',
      'grpc.binarylog.v1.ClientHeader',
      'grpc.binarylog.v1.GrpcLogEntry',
      'grpc.binarylog.v1.Message',
      'grpc.binarylog.v1.Metadata',
      'grpc.binarylog.v1.MetadataEntry',
      'grpc.binarylog.v1.ServerHeader',
      'grpc.binarylog.v1.Trailer',
      'orderer.BlockAttestation',
      'orderer.BlockAttestationResponse',
      'orderer.KafkaMessage',
      'orderer.KafkaMessageConnect',
      'orderer.KafkaMessageRegular',
      'orderer.KafkaMessageTimeToCut',
      'orderer.KafkaMetadata',
    ],
  );
});

test('the schema has all published messages and enums', (t) => {
  t.deepEqual(
    [...published.classes.keys()].filter((name) => !(name in table.messages)),
    [],
  );
  t.deepEqual(
    [...published.enums.keys()].filter((name) => !(name in table.enums)),
    [],
  );
});

test('the enums that are not published belong to messages that are not published', (t) => {
  t.deepEqual(
    Object.keys(table.enums).filter((name) => !published.enums.has(name)),
    [
      'grpc.binarylog.v1.GrpcLogEntry.EventType',
      'grpc.binarylog.v1.GrpcLogEntry.Logger',
      'grpc.binarylog.v1.Address.Type',
      'orderer.KafkaMessageRegular.Class',
    ],
  );
});

for (const [name, values] of published.enums) {
  test(`${name}: the published enum has the same values`, (t) => {
    t.deepEqual({ ...values }, table.enums[name]);
  });
}

for (const name of published.classes.keys()) {
  test(`${name}: the published message has the same bytes in both directions`, (t) => {
    const type = root.lookupType(name);
    t.is(Object.keys(new (classOf(name))().toObject()).length, type.fieldsArray.length);
    for (const sample of samplesOf(table, name)) {
      const theirs = makePublished(sample, classOf).serializeBinary();
      const ours = ourBytes(type, sample);
      t.is(Buffer.from(theirs).toString('hex'), Buffer.from(ours).toString('hex'));
      t.deepEqual(readPublished(sample, classOf(name).deserializeBinary(ours), classOf), sample);
      t.deepEqual(readOurs(type, theirs), plain(sample));
    }
  });
}
