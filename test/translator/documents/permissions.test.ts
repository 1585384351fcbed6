// The permissions of the elements of a group.

import test from 'ava';
import { byGroup, distinctPermissions, type Permission } from '../../../translator/documents/permissions.js';

const permission = (name: string, policy?: string): Permission => ({
  path: `/Channel/${name}`,
  kind: 'value',
  ...(policy !== undefined && { policy }),
  signers: 'A.admin',
  control: 'A',
});

test('the permission of most elements is the first one, and others with it are left out', (t) => {
  const list = [
    permission('a', 'One'),
    permission('b', 'Two'),
    permission('c', 'Two'),
    permission('d'),
    permission('e', 'Two'),
    permission('f', 'One'),
  ];
  t.deepEqual(
    distinctPermissions(list).map(({ path }) => path.slice(-1)),
    ['b', 'a', 'd', 'f'],
  );
  t.deepEqual(distinctPermissions([]), []);
});

test('a group is with its members, and a member of another group is not', (t) => {
  const groups = byGroup([
    { path: '/Channel', kind: 'group' },
    { path: '/Channel/Admins', kind: 'policy' },
    { path: '/Channel/Orderer', kind: 'group' },
    { path: '/Channel/Orderer/BatchSize' },
  ]);
  t.deepEqual(
    [...groups].map(([path, items]) => [path, items.map((each) => each.path)]),
    [
      ['/Channel', ['/Channel', '/Channel/Admins']],
      ['/Channel/Orderer', ['/Channel/Orderer', '/Channel/Orderer/BatchSize']],
    ],
  );
});
