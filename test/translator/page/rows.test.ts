// The rows of the tree, and the files, of the channel page.

import test from 'ava';
import { decode, encode } from '../../../proto/index.js';
import { readEnvelope } from '../../../translator/channel/index.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { readPageFile, type Dropped } from '../../../translator/page/files.js';
import { rowsOf, visibleRows } from '../../../translator/page/rows.js';
import { BLOCK, CONFIG } from '../../helpers/edits.js';

const dropped = (path: string, bytes: Uint8Array): Dropped => ({ path, bytes, size: bytes.length });

const ROWS = rowsOf(CONFIG.channelGroup, new Date('2026-11-24T00:00:00Z'));
const pathsOf = (...args: Parameters<typeof visibleRows>): readonly string[] =>
  visibleRows(...args).map(({ path }) => path);

test('every group, value and policy has a row with its content in words', (t) => {
  const [first] = ROWS;
  t.deepEqual([first?.path, first?.kind, first?.depth], ['/Channel', 'group', 0]);
  const batch = ROWS.find(({ path }) => path === '/Channel/Orderer/BatchSize');
  t.deepEqual(
    [batch?.kind, batch?.depth, batch?.modPolicy, batch?.text],
    ['value', 2, 'Admins', '10 messages, at most 99 MiB, preferred 512 KiB'],
  );
  const admins = ROWS.find(({ path }) => path === '/Channel/Admins');
  t.deepEqual([admins?.kind, admins?.text], ['policy', 'MAJORITY Admins']);
});

test('a closed group hides the rows below it, and no other rows', (t) => {
  const visible = pathsOf(ROWS, new Set(['/Channel/Orderer']), '');
  t.true(visible.includes('/Channel/Orderer'));
  t.false(visible.some((path) => path.startsWith('/Channel/Orderer/')));
  t.true(visible.some((path) => path.startsWith('/Channel/Application/')));
});

test('a search finds paths, contents and policies of changes, also in closed groups', (t) => {
  const closed = new Set(['/Channel']);
  t.deepEqual(pathsOf(ROWS, closed, 'batchsize'), ['/Channel/Orderer/BatchSize']);
  t.deepEqual(pathsOf(ROWS, closed, '99 mib'), ['/Channel/Orderer/BatchSize']);
  t.deepEqual(pathsOf(ROWS, closed, 'no such thing'), []);
});

test('a file that is neither a config nor an update has an error', (t) => {
  const { error, config, update } = readPageFile(dropped('photo.png', Buffer.from('not a config')));
  t.deepEqual([typeof error, config, update], ['string', undefined, undefined]);
  t.is(readPageFile(dropped('block.pb', BLOCK)).error, undefined);
});

test('an update without its envelope gets one, with the bytes of the update and the signatures', (t) => {
  const { envelope } = largeChannel(3, 2);
  const read = readEnvelope(envelope);
  const config = decode('common.ConfigUpdate', read.update.bytes);
  const bare = readPageFile(dropped('update.pb', read.update.bytes));
  const { channel, update, signatures, submission } = readEnvelope(bare.update!.bytes);
  t.deepEqual([channel, update.bytes, signatures], [read.channel, read.update.bytes, []]);
  t.deepEqual([submission!.header.length, submission!.signature.length], [0, 0]);
  const payload = JSON.parse(decode('common.Envelope', envelope)) as { payload: { data: unknown } };
  const json = encode('common.ConfigUpdateEnvelope', JSON.stringify(payload.payload.data));
  const wrapped = readPageFile(dropped('update.pb', json));
  t.deepEqual(readEnvelope(wrapped.update!.bytes).signatures.length, 2);
  t.is(decode('common.ConfigUpdate', readEnvelope(wrapped.update!.bytes).update.bytes), config);
});
