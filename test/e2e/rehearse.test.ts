// Rehearsals of updates with real nodes: what is lost, and when.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import { rehearse, type Rehearsal, type RehearseOptions } from '../../translator/rehearse/index.js';
import { temporaryFolder } from '../helpers/folder.js';
import { until } from '../helpers/until.js';
import { findFabric, type FabricVersion } from './fabric/programs.js';

const CASES = JSON.parse(readFileSync('test/vectors/powers/cases.json', 'utf8')) as readonly {
  readonly name: string;
  readonly network: 'raft' | 'bft';
  readonly update: string;
}[];

/** Rehearses a recorded update of a network whose keys are not known. */
function rehearsalOf(
  name: string,
  version: FabricVersion,
  options: Partial<RehearseOptions> = {},
): Promise<Rehearsal> {
  const { network, update } = CASES.find((each) => each.name === name)!;
  const block = readConfigFile(readFileSync(`test/vectors/powers/${network}.block`));
  const updates = [{ name: 'update.pb', update: readUpdateFile(Buffer.from(update, 'base64')) }];
  return rehearse(updates, block, { programs: findFabric(version).bin, ...options });
}

/** What was lost, in each phase. */
const lossesOf = ({ updates, oneDown, restarted }: Rehearsal): string[] =>
  [...updates.flatMap(({ losses }) => losses), ...(oneDown?.losses ?? []), ...(restarted?.losses ?? [])].map(
    ({ phase, probe, who }) => `${phase}: ${probe} ${who}`,
  );

test.serial('an update after which only the admins of an organisation may read stops its peer', async (t) => {
  t.timeout(300_000);
  const result = await rehearsalOf('readers of one organisation become its admins', 'v3.1.5');
  t.deepEqual(result.failedBefore, []);
  t.is(result.updates[0]!.outcome, 'accepted');
  const losses = lossesOf(result);
  t.true(losses.includes('after: height peer1'), losses.join('\n'));
  t.false(
    losses.some((each) => each.includes('peer2')),
    losses.join('\n'),
  );
  t.deepEqual(result.review.notForetold, []);
});

test.serial('an update after which no consenter starts is accepted, and found at the restart', async (t) => {
  t.timeout(300_000);
  const result = await rehearsalOf('tick interval of one nanosecond', 'v3.0.0');
  t.deepEqual(result.failedBefore, []);
  t.is(result.updates[0]!.outcome, 'accepted');
  t.true(lossesOf(result).some((each) => each.startsWith('restarted: ')));
  t.deepEqual(result.review.notForetold, []);
});

test.serial(
  'a rehearsal that is interrupted rejects with the reason, nothing runs, and a relative directory is kept',
  async (t) => {
    t.timeout(120_000);
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const keep = join(temporaryFolder(t), 'nodes');
    const result = rehearsalOf('tick interval of one nanosecond', 'v3.1.5', {
      keep: relative('.', keep),
      signal: controller.signal,
      onProgress: (step) => {
        if (step === 'before the update') controller.abort(reason);
      },
    });
    t.is(await t.throwsAsync(result), reason);
    // The shells that wait for the end of this process end a moment after the nodes.
    await until(() => runningIn(keep).length === 0);
    t.true(existsSync(join(keep, 'peer1')));
  },
);

/** The processes whose working directory is in a directory. */
function runningIn(directory: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`).startsWith(directory);
    } catch {
      return false;
    }
  });
}
