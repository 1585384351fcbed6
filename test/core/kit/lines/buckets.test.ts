import test from 'ava';
import type { Labels } from '../../../../core/contract/index.js';
import {
  createBuckets,
  type NodePrefix,
  normalPrefix,
  type TagStyle,
} from '../../../../core/kit/lines/buckets.js';
import { sample } from '../../../helpers/statsd-sink.js';

const PREFIXES = [
  ['pre', 'pre.'],
  ['pre.', 'pre.'],
  ['o3..', 'o3..'],
  ['', ''],
  ['a.b', 'a.b.'],
  ['#@/', '#@/.'],
] as const;
for (const [prefix, expected] of PREFIXES) {
  test(`the prefix '${prefix}' is written as '${expected}'`, (t) => {
    t.is(normalPrefix(prefix), expected);
  });
}

const STYLES: readonly TagStyle[] = ['none', 'dogstatsd', 'influx', 'graphite'];
const FAMILIES = [
  [['ns', 'sub', 'name'], 'ns.sub.name'],
  [['ns', '', 'name'], 'ns.name'],
  [['', '', 'name'], 'name'],
  [['fabric_ops_agent', '', 'process_cpu_seconds_total'], 'fabric_ops_agent.process_cpu_seconds_total'],
  [['', '', 'process_cpu_seconds_total'], 'process_cpu_seconds_total'],
  [['a.b', 'c', 'd'], 'a.b.c.d'],
  [['a:b', 'c|d', 'e f\n'], 'a_b.c_d.e_f_'],
] as const;
for (const style of STYLES) {
  for (const [[namespace, subsystem, name], bucket] of FAMILIES) {
    const family = JSON.stringify([namespace, subsystem, name]);
    test(`with tags: ${style} the family ${family} without labels has the bucket ${bucket}`, (t) => {
      const of = sample(name, 1, {}, [namespace, subsystem]);
      t.deepEqual(createBuckets(style)(of), { name: bucket, tags: [] });
    });
  }
}

const NAMES: readonly (readonly [TagStyle, string, string])[] = [
  ['none', 'a;b', 'a_b'],
  ['none', 'a,b=c#d', 'a,b=c#d'],
  ['dogstatsd', 'a,b=c#d;e', 'a_b_c_d_e'],
  ['influx', 'a,b=c#d;e', 'a_b_c_d_e'],
  ['graphite', 'a~b!c', 'a_b_c'],
];
for (const [style, name, bucket] of NAMES) {
  test(`with tags: ${style} the name ${name} has the bucket ${bucket}`, (t) => {
    t.is(createBuckets(style)(sample(name, 1)).name, bucket);
  });
}

const LABELS: readonly (readonly [TagStyle, Labels, string, readonly string[]])[] = [
  ['none', { a: 'x', b: 'y' }, 'm.x.y', []],
  ['none', { b: 'y', a: 'x' }, 'm.y.x', []],
  ['none', { a: 'a.b' }, 'm.a_b', []],
  ['none', { a: 'a|b' }, 'm.a_b', []],
  ['none', { a: 'a:b' }, 'm.a_b', []],
  ['none', { a: 'a;b' }, 'm.a_b', []],
  ['none', { a: 'a b\tc\n' }, 'm.a_b_c_', []],
  ['none', { a: '\0\x7f\x85\u2028' }, String.raw`m.\u0000\u007f\u0085\u2028`, []],
  ['none', { a: 'x\u202etxt.exe' }, String.raw`m.x\u202etxt_exe`, []],
  ['none', { a: 'a@b/c#d,e=f' }, 'm.a@b/c#d,e=f', []],
  ['none', { a: 'größe' }, 'm.größe', []],
  ['none', { a: '..' }, 'm.__', []],
  ['none', { a: '', b: 'z' }, 'm..z', []],
  ['none', { a: 5, b: true }, 'm.5.true', []],
  ['dogstatsd', { a: 'x', b: 'y' }, 'm', ['a:x', 'b:y']],
  ['dogstatsd', { a: 'a.b' }, 'm', ['a:a.b']],
  ['dogstatsd', { a: '' }, 'm', ['a:_']],
  ['dogstatsd', { a: 'x,y:z|#' }, 'm', ['a:x_y_z__']],
  ['dogstatsd', { a: 'x\u202etxt.exe' }, 'm', [String.raw`a:x\u202etxt.exe`]],
  ['dogstatsd', { 'a\u200b': '\n\u007f' }, 'm', [String.raw`a\u200b:_\u007f`]],
  ['dogstatsd', { 'a:b': 'x', '': 'y' }, 'm', ['a_b:x', '_:y']],
  ['dogstatsd', { a: 5, b: true }, 'm', ['a:5', 'b:true']],
  ['influx', { a: 'x', b: 'y' }, 'm,a=x,b=y', []],
  ['influx', { 'a,b': 'x=y', c: '' }, 'm,a_b=x_y,c=_', []],
  ['influx', { a: 'x\u202etxt.exe' }, String.raw`m,a=x\u202etxt.exe`, []],
  ['graphite', { a: 'x\u202etxt.exe' }, String.raw`m;a=x\u202etxt.exe`, []],
  ['graphite', { a: 'x', b: 'y' }, 'm;a=x;b=y', []],
  ['graphite', { 'a;b': '~x!', c: '' }, 'm;a_b=_x_;c=_', []],
];
for (const [style, labels, name, tags] of LABELS) {
  const expected = tags.length === 0 ? name : `${name} and the tags ${tags.join(', ')}`;
  test(`with tags: ${style} the labels ${JSON.stringify(labels)} give the bucket ${expected}`, (t) => {
    t.deepEqual(createBuckets(style)({ ...sample('m', 1), labels }), { name, tags: [...tags] });
  });
}

for (const [other, bucket] of [
  [sample('a', 1, {}, ['n', 't']), 'n.t.a'],
  [sample('a', 1, {}, ['m', 's']), 'm.s.a'],
  [sample('b', 1, {}, ['n', 's']), 'n.s.b'],
] as const) {
  test(`a sample of n.s.a is followed by one of ${bucket}, and each has its own bucket`, (t) => {
    const bucketOf = createBuckets('none');
    const first = sample('a', 1, {}, ['n', 's']);
    t.deepEqual(
      [first, other, first].map((of) => bucketOf(of).name),
      ['n.s.a', bucket, 'n.s.a'],
    );
  });
}

const NODES: readonly (readonly [TagStyle, NodePrefix, Labels, string, readonly string[]])[] = [
  ['none', 'escaped', { a: 'x' }, 'peer0_org1_example_com.m.x', []],
  ['none', 'escaped', { a: '', b: 'x' }, 'peer0_org1_example_com.m._.x', []],
  ['none', 'dotted', { a: 'x' }, 'peer0.org1.example.com.m.x', []],
  ['none', 'dotted', { a: '', b: 'x' }, 'peer0.org1.example.com.m..x', []],
  ['dogstatsd', 'escaped', { a: 'x' }, 'm', ['node:peer0.org1.example.com', 'a:x']],
  ['dogstatsd', 'dotted', { a: 'x' }, 'peer0.org1.example.com.m', ['a:x']],
  ['influx', 'escaped', {}, 'm,node=peer0.org1.example.com', []],
  ['influx', 'dotted', {}, 'peer0.org1.example.com.m', []],
  ['graphite', 'escaped', { a: 'x' }, 'm;node=peer0.org1.example.com;a=x', []],
  ['graphite', 'escaped', { node: 'x' }, 'm;node=peer0.org1.example.com;exported_node=x', []],
  ['graphite', 'dotted', { node: 'x' }, 'peer0.org1.example.com.m;node=x', []],
];
for (const [style, nodePrefix, labels, name, tags] of NODES) {
  const expected = tags.length === 0 ? name : `${name} and the tags ${tags.join(', ')}`;
  test(`with tags: ${style} and nodePrefix: ${nodePrefix} the labels ${JSON.stringify(labels)} of a node give the bucket ${expected}`, (t) => {
    const of = { ...sample('m', 1), labels, node: 'peer0.org1.example.com' };
    t.deepEqual(createBuckets(style, nodePrefix)(of), { name, tags: [...tags] });
  });
}
