// Entries of the history of a channel: the time, the fingerprint, the signers and the changes.

import test from 'ava';
import { logEntry } from '../../../translator/documents/log.js';
import { blockBytes } from '../../../translator/ledger/index.js';
import { Consenters } from '../../helpers/made-chain.js';

const consenters = new Consenters(['127.0.0.1:1']);
const chain = consenters.chain(3).map(blockBytes);

test('the first block has no update, and its time is in its envelope', async (t) => {
  const entry = await logEntry(chain[0]!, undefined);
  t.like(entry, { block: '0', fingerprint: null, signers: [], submitter: null, changes: null });
});

test('a later block has its update, and the changes since the block before', async (t) => {
  const entry = await logEntry(chain[2]!, chain[1]);
  t.is(entry.block, '2');
  t.regex(entry.fingerprint ?? '', /^[0-9a-f]{64}$/);
  t.true(entry.changes!.length > 0);
  t.is((await logEntry(chain[2]!, undefined)).changes, null);
});
