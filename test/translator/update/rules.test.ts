// The rules of the comparison, each with a small tree.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { configBytes, normal, updateObject, type GroupObject } from '../../helpers/config.js';

interface Rule {
  readonly rule: string;
  readonly original: GroupObject;
  readonly updated: GroupObject;
  readonly read: GroupObject;
  readonly write: GroupObject;
}

const ONE = { version: '4', value: 'AQ==', mod_policy: 'Admins' };
const TWO = { version: '9', value: 'Ag==', mod_policy: 'Writers' };
const ANY = { version: '6', policy: { type: 3, value: 'AQ==' }, mod_policy: 'Admins' };
const ALL = { version: '2', policy: { type: 1, value: 'Ag==' }, mod_policy: 'Writers' };

const RULES: readonly Rule[] = [
  {
    rule: 'a changed value is written at its next version, and its group keeps its version',
    original: { version: '3', values: { a: ONE, b: TWO }, mod_policy: 'Admins' },
    updated: { version: '8', values: { a: { ...ONE, value: 'Ag==' }, b: TWO }, mod_policy: 'Admins' },
    read: { version: '3' },
    write: { version: '3', values: { a: { version: '5', value: 'Ag==', mod_policy: 'Admins' } } },
  },
  {
    rule: 'a value with another mod_policy is changed',
    original: { values: { a: ONE } },
    updated: { values: { a: { ...ONE, mod_policy: 'Writers' } } },
    read: {},
    write: { values: { a: { version: '5', value: 'AQ==', mod_policy: 'Writers' } } },
  },
  {
    rule: 'a changed policy is written at its next version',
    original: { version: '3', policies: { p: ANY, q: ALL } },
    updated: { policies: { p: { ...ALL, version: '40' }, q: ALL } },
    read: { version: '3' },
    write: { version: '3', policies: { p: { ...ALL, version: '7' } } },
  },
  {
    rule: 'a policy with another mod_policy is changed',
    original: { policies: { p: ANY } },
    updated: { policies: { p: { ...ANY, mod_policy: '' } } },
    read: {},
    write: { policies: { p: { ...ANY, version: '7', mod_policy: '' } } },
  },
  {
    rule: 'a policy entry that loses its policy is changed',
    original: { policies: { p: ANY } },
    updated: { policies: { p: { mod_policy: 'Admins' } } },
    read: {},
    write: { policies: { p: { version: '7', mod_policy: 'Admins' } } },
  },
  {
    rule: 'a new value has version 0 and raises the version of the group, and unchanged elements are in both sets',
    original: {
      version: '3',
      values: { a: ONE },
      policies: { p: ANY },
      groups: { G: { version: '5', values: { b: TWO }, mod_policy: 'Admins' } },
      mod_policy: 'Admins',
    },
    updated: {
      values: { a: ONE, b: TWO },
      policies: { p: ANY },
      groups: { G: { values: { b: TWO }, mod_policy: 'Admins' } },
      mod_policy: 'Admins',
    },
    read: {
      version: '3',
      values: { a: { version: '4' } },
      policies: { p: { version: '6' } },
      groups: { G: { version: '5' } },
    },
    write: {
      version: '4',
      values: { a: { version: '4' }, b: { ...TWO, version: '0' } },
      policies: { p: { version: '6' } },
      groups: { G: { version: '5' } },
      mod_policy: 'Admins',
    },
  },
  {
    rule: 'a new policy has version 0 and raises the version of the group',
    original: { values: { a: ONE } },
    updated: { values: { a: ONE }, policies: { p: ANY } },
    read: { values: { a: { version: '4' } } },
    write: { version: '1', values: { a: { version: '4' } }, policies: { p: { ...ANY, version: '0' } } },
  },
  {
    rule: 'a removed value is in neither set and raises the version of the group',
    original: { version: '3', values: { a: ONE, b: TWO } },
    updated: { values: { b: TWO } },
    read: { version: '3', values: { b: { version: '9' } } },
    write: { version: '4', values: { b: { version: '9' } } },
  },
  {
    rule: 'a removed policy is in neither set and raises the version of the group',
    original: { version: '3', policies: { p: ANY, q: ALL } },
    updated: { policies: { p: ANY } },
    read: { version: '3', policies: { p: { version: '6' } } },
    write: { version: '4', policies: { p: { version: '6' } } },
  },
  {
    rule: 'a removed group is in neither set and raises the version of its parent group',
    original: { version: '3', groups: { G: { version: '1', values: { a: ONE } }, H: { version: '2' } } },
    updated: { groups: { H: {} } },
    read: { version: '3', groups: { H: { version: '2' } } },
    write: { version: '4', groups: { H: { version: '2' } } },
  },
  {
    rule: 'an element replaced by one of another kind is removed and added',
    original: { values: { a: ONE } },
    updated: { policies: { a: ANY } },
    read: {},
    write: { version: '1', policies: { a: { ...ANY, version: '0' } } },
  },
  {
    rule: 'a changed element next to a new one is in the write set only',
    original: { version: '3', values: { a: ONE, b: TWO }, policies: { p: ANY } },
    updated: { values: { a: { ...ONE, value: '' }, b: TWO, c: TWO }, policies: { p: ALL } },
    read: { version: '3', values: { b: { version: '9' } } },
    write: {
      version: '4',
      values: { a: { version: '5', mod_policy: 'Admins' }, b: { version: '9' }, c: { ...TWO, version: '0' } },
      policies: { p: { ...ALL, version: '7' } },
    },
  },
  {
    rule: 'another mod_policy raises the version of the group, and unchanged elements are in both sets',
    original: { version: '3', values: { a: ONE }, groups: { G: { version: '2' } }, mod_policy: 'Admins' },
    updated: { values: { a: ONE }, groups: { G: {} }, mod_policy: 'Writers' },
    read: { version: '3', values: { a: { version: '4' } }, groups: { G: { version: '2' } } },
    write: {
      version: '4',
      values: { a: { version: '4' } },
      groups: { G: { version: '2' } },
      mod_policy: 'Writers',
    },
  },
  {
    rule: 'a removed mod_policy raises the version of the group',
    original: { version: '3', mod_policy: 'Admins' },
    updated: {},
    read: { version: '3' },
    write: { version: '4' },
  },
  {
    rule: 'parent groups of a change are in both sets with their versions',
    original: {
      version: '1',
      groups: {
        G: { version: '2', groups: { H: { version: '3', values: { a: ONE } }, I: { version: '9' } } },
      },
    },
    updated: { groups: { G: { groups: { H: { values: { a: TWO } }, I: {} } } } },
    read: { version: '1', groups: { G: { version: '2', groups: { H: { version: '3' } } } } },
    write: {
      version: '1',
      groups: {
        G: { version: '2', groups: { H: { version: '3', values: { a: { ...TWO, version: '5' } } } } },
      },
    },
  },
  {
    rule: 'a changed group next to a new one is in both sets, with its own read and write set',
    original: {
      version: '1',
      groups: { G: { version: '2', values: { a: ONE } }, H: { version: '3' } },
    },
    updated: { groups: { G: { values: { a: ONE, b: TWO } }, H: {}, I: {} } },
    read: {
      version: '1',
      groups: { G: { version: '2', values: { a: { version: '4' } } }, H: { version: '3' } },
    },
    write: {
      version: '2',
      groups: {
        G: { version: '3', values: { a: { version: '4' }, b: { ...TWO, version: '0' } } },
        H: { version: '3' },
        I: {},
      },
    },
  },
  {
    rule: 'a new group and everything in it are written at version 0',
    original: { version: '7' },
    updated: {
      groups: {
        G: {
          version: '5',
          mod_policy: 'Admins',
          values: { a: ONE },
          policies: { p: ANY },
          groups: { H: { version: '6', mod_policy: 'Writers', values: { b: TWO } }, I: { version: '8' } },
        },
      },
    },
    read: { version: '7' },
    write: {
      version: '8',
      groups: {
        G: {
          mod_policy: 'Admins',
          values: { a: { ...ONE, version: '0' } },
          policies: { p: { ...ANY, version: '0' } },
          groups: { H: { mod_policy: 'Writers', values: { b: { ...TWO, version: '0' } } }, I: {} },
        },
      },
    },
  },
  {
    rule: 'a new empty group is written',
    original: {},
    updated: { groups: { G: { version: '5' } } },
    read: {},
    write: { version: '1', groups: { G: {} } },
  },
  {
    rule: 'a new group with only a mod_policy is written at version 0',
    original: {},
    updated: { groups: { G: { version: '5', mod_policy: 'Admins' } } },
    read: {},
    write: { version: '1', groups: { G: { mod_policy: 'Admins' } } },
  },
  {
    rule: 'a new empty value is written',
    original: {},
    updated: { values: { a: { version: '5' } } },
    read: {},
    write: { version: '1', values: { a: {} } },
  },
  {
    rule: 'the version after 2^64 - 1 is 0',
    original: {
      version: '18446744073709551615',
      values: { a: { version: '18446744073709551615' }, b: { version: '9223372036854775807' } },
      policies: { p: { version: '9007199254740991' }, q: { version: '18446744073709551614' } },
    },
    updated: { values: { a: TWO, b: TWO }, policies: { p: ALL, q: ALL }, mod_policy: 'Admins' },
    read: { version: '18446744073709551615' },
    write: {
      values: { a: { ...TWO, version: '0' }, b: { ...TWO, version: '9223372036854775808' } },
      policies: {
        p: { ...ALL, version: '9007199254740992' },
        q: { ...ALL, version: '18446744073709551615' },
      },
      mod_policy: 'Admins',
    },
  },
];

for (const { rule, original, updated, read, write } of RULES) {
  test(rule, (t) => {
    const update = updateObject(computeUpdate(configBytes(original, '5'), configBytes(updated, '6'), 'ch'));
    t.is(update.channel_id, 'ch');
    t.deepEqual(normal(update.read_set ?? {}), normal(read));
    t.deepEqual(normal(update.write_set ?? {}), normal(write));
  });
}
