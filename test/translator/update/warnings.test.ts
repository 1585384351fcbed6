// Warnings about updates that are valid but probably not intended.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { configBytes, type GroupObject } from '../../helpers/config.js';
import { delimited, mapEntry } from '../../helpers/wire.js';

const older = (reason: string): string =>
  `the updated config is older than the original one (${reason}), so the update reverts changes: are the two swapped?`;

const removes = (names: string): string =>
  `the update removes ${names} from the channel, with everything in it`;

const value = (version: string, content: string): GroupObject => ({
  values: { BatchSize: { version, value: content } },
});

/** A channel whose Orderer group has these elements. */
const orderer = (group: GroupObject): GroupObject => ({ groups: { Orderer: group } });

const CASES: readonly (readonly [
  what: string,
  original: readonly [group: GroupObject, sequence: string],
  updated: readonly [group: GroupObject, sequence: string],
  warnings: readonly string[],
])[] = [
  ['an edit with equal versions', [orderer(value('2', 'AQ==')), '2'], [orderer(value('2', 'Ag==')), '2'], []],
  ['a newer config', [orderer(value('1', 'AQ==')), '1'], [orderer(value('2', 'Ag==')), '2'], []],
  [
    'a lower sequence',
    [orderer(value('1', 'AQ==')), '3'],
    [orderer(value('1', 'Ag==')), '2'],
    [older('sequence 2, original 3')],
  ],
  [
    'a lower version',
    [orderer(value('3', 'AQ==')), '3'],
    [orderer(value('2', 'Ag==')), '3'],
    [older('version 2 of Orderer/BatchSize, original 3')],
  ],
  [
    'the first config of the channel, which has no sequence',
    [orderer(value('1', 'AQ==')), '1'],
    [orderer(value('0', 'Ag==')), '0'],
    [older('version 0 of Orderer/BatchSize, original 1')],
  ],
  [
    'a handwritten element without a version',
    [orderer(value('1', 'AQ==')), '1'],
    [orderer(value('0', 'Ag==')), '1'],
    [],
  ],
  [
    'a lower version of an element that does not change',
    [orderer({ ...value('3', 'AQ=='), mod_policy: 'Admins' }), '3'],
    [orderer(value('2', 'AQ==')), '3'],
    [],
  ],
  [
    'a lower version of a policy',
    [orderer({ policies: { Admins: { version: '4', policy: { type: 1, value: 'AQ==' } } } }), '4'],
    [orderer({ policies: { Admins: { version: '3', policy: { type: 1, value: 'Ag==' } } } }), '4'],
    [older('version 3 of Orderer/Admins, original 4')],
  ],
  [
    'a lower version of a group that loses a member',
    [orderer({ version: '2', ...value('0', 'AQ==') }), '2'],
    [orderer({ version: '1' }), '2'],
    [older('version 1 of Orderer, original 2')],
  ],
  ['a removed group', [orderer({}), '1'], [{}, '1'], [removes('the group Orderer')]],
  [
    'an empty updated config',
    [{ groups: { Orderer: {}, Application: {} } }, '1'],
    [{}, '1'],
    [removes('the groups Application, Orderer')],
  ],
  [
    'a removed organisation',
    [{ groups: { Application: { groups: { Org1MSP: {} } } } }, '1'],
    [{ groups: { Application: {} } }, '1'],
    [],
  ],
];

for (const [what, original, updated, warnings] of CASES) {
  test(`${what}: ${warnings.join(' and ') || 'no warning'}`, (t) => {
    const found: string[] = [];
    const [before, after] = [configBytes(...original), configBytes(...updated)];
    const update = computeUpdate(before, after, 'c', (text) => found.push(text));
    t.deepEqual(found, warnings);
    t.deepEqual(update, computeUpdate(before, after, 'c'));
  });
}

test('a lowered version is found below thousands of groups', (t) => {
  const chain = (innermost: Buffer): Buffer => {
    let group = innermost;
    for (let depth = 0; depth < 5000; depth += 1) group = mapEntry(2, 'a', group);
    return delimited(2, group);
  };
  const found: string[] = [];
  const before = chain(mapEntry(3, 'BatchSize', '0802120141'));
  const after = chain(mapEntry(3, 'BatchSize', '0801120142'));
  computeUpdate(before, after, 'c', (text) => found.push(text));
  t.is(found.length, 1);
  t.true(found[0]?.includes('/a/a/BatchSize, original 2'), found[0]);
});
