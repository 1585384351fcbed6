// The names that Fabric accepts.

import test from 'ava';
import { aclPolicyPath } from '../../../translator/channel/acl-resources.js';
import {
  channelNameFault,
  isChannelName,
  lastName,
  modPolicyProblem,
  nameProblem,
  parentPath,
  pathOf,
} from '../../../translator/channel/names.js';

const LONG = 'a'.repeat(249);

for (const [name, problem] of [
  ['a', undefined],
  ['Org1-MSP.a', undefined],
  ['-', undefined],
  ['...', undefined],
  [LONG, undefined],
  [`${LONG}a`, 'config ID illegal, cannot be longer than 249'],
  [`${'a'.repeat(248)}ä`, 'config ID illegal, cannot be longer than 249'],
  ['', 'config ID illegal, cannot be empty'],
  ['.', "name '.' for config ID is not allowed"],
  ['..', "name '..' for config ID is not allowed"],
  ['a_b', "config ID 'a_b' contains illegal characters"],
  ['a\n', "config ID 'a\n' contains illegal characters"],
] as const)
  test(`the name ${JSON.stringify(name.slice(0, 12))} of ${name.length} characters: ${problem ?? 'accepted'}`, (t) => {
    t.is(nameProblem(name), problem);
  });

for (const [name, problem] of [
  ['a', undefined],
  ['a.B-1'.toLowerCase(), undefined],
  [LONG, undefined],
  [`${LONG}a`, 'channel ID illegal, cannot be longer than 249'],
  ['', 'channel ID illegal, cannot be empty'],
  ['A', "'A' contains illegal characters"],
  ['1a', "'1a' contains illegal characters"],
  ['a/b', "'a/b' contains illegal characters"],
] as const)
  test(`the channel ${JSON.stringify(name.slice(0, 12))} of ${name.length} characters: ${problem ?? 'accepted'}`, (t) => {
    t.is(channelNameFault(name), problem);
    t.is(isChannelName(name), problem === undefined);
  });

for (const [modPolicy, problem] of [
  ['Admins', undefined],
  ['/Channel/Admins', undefined],
  ['', 'mod_policy not set'],
  ['/', 'path element at 0 is invalid: config ID illegal, cannot be empty'],
  ['a//b', 'path element at 1 is invalid: config ID illegal, cannot be empty'],
  ['//a', 'path element at 0 is invalid: config ID illegal, cannot be empty'],
] as const)
  test(`the mod_policy '${modPolicy}': ${problem ?? 'accepted'}`, (t) => {
    t.is(modPolicyProblem(modPolicy), problem);
  });

test('a path has the names of the groups', (t) => {
  t.is(pathOf(), '/Channel');
  t.is(pathOf('Orderer', 'BatchSize'), '/Channel/Orderer/BatchSize');
  t.is(parentPath('/Channel/Orderer/BatchSize'), '/Channel/Orderer');
  t.is(lastName('/Channel/Orderer/BatchSize'), 'BatchSize');
});

for (const [policy, path] of [
  ['', undefined],
  ['Writers', '/Channel/Application/Writers'],
  ['/Channel/Admins', '/Channel/Admins'],
] as const)
  test(`the policy "${policy}" of an ACL is ${path ?? 'none'}`, (t) => {
    t.is(aclPolicyPath(policy), path);
  });
