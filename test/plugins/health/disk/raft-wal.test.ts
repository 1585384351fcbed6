import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readRaftWals } from '../../../../plugins/health/disk/raft-wal.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const SEGMENT = '0000000000000001-00000000000000a6.wal';
const SINCE = new Date('2026-01-01T00:00:00Z');

test('the raft channels of a WAL directory are those with segments of etcd', async (t) => {
  const directory = temporaryFolder(t, {
    [`ch1/${SEGMENT}`]: 'x',
    'ch1/0.tmp': 'allocated',
    [`ch2/${SEGMENT}`]: 'x',
    'bft/0000000000000001.wal': 'x',
    'empty/other': '',
    [`new.tmp/${SEGMENT}`]: 'x',
    file: '',
  });
  t.deepEqual(await readRaftWals(directory), [{ channel: 'ch1' }, { channel: 'ch2' }]);
});

test('a next segment without bytes could not be allocated', async (t) => {
  const directory = temporaryFolder(t, { [`ch1/${SEGMENT}`]: 'x', 'ch1/12.tmp': '' });
  utimesSync(join(directory, 'ch1/12.tmp'), SINCE, SINCE);
  t.deepEqual(await readRaftWals(directory), [{ channel: 'ch1', failedAt: SINCE.getTime() }]);
});

test('a WAL directory that does not exist yet has no channels', async (t) => {
  t.deepEqual(await readRaftWals(join(temporaryFolder(t), 'etcdraft/wal')), []);
});
