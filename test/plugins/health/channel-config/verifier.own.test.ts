// The verification of a ledger in steps. The tests replace the clock of their process.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { stub } from 'sinon';
import { ConfigVerifier } from '../../../../plugins/health/channel-config/verifier.js';
import { writeLedger } from '../../../helpers/stored-ledger.js';

/** A ledger with three config blocks, the oldest of which is damaged. */
function damagedLedger(t: ExecutionContext): string {
  const directory = writeLedger(t, { blocks: 6, configs: [2, 4] });
  const file = join(directory, 'blockfile_000000');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Org1MSP');
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(file, bytes);
  return directory;
}

/** The severities that so many calls return, if the clock shows these times, the last one from then on. */
async function severitiesWith(
  t: ExecutionContext,
  times: readonly number[],
  calls: number,
): Promise<(string | undefined)[]> {
  const directory = damagedLedger(t);
  const verifier = new ConfigVerifier();
  const left = [...times];
  const clock = stub(performance, 'now').callsFake(() => (left.length > 1 ? left.shift()! : left[0]!));
  t.teardown(() => clock.restore());
  const found: (string | undefined)[] = [];
  for (let call = 0; call < calls; call += 1) found.push((await verifier.verify(directory))?.severity);
  return found;
}

test.serial('a ledger that can be read in half a second is verified in one call', async (t) => {
  t.deepEqual(await severitiesWith(t, [1000, 1500], 1), ['critical']);
});

test.serial('after more than half a second the next call continues with the next block', async (t) => {
  t.deepEqual(await severitiesWith(t, [1000, 1501], 2), [undefined, 'critical']);
});
