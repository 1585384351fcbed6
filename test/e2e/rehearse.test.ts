// Rehearsals of updates with real nodes: what is lost, and when.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import { rehearse, type Rehearsal } from '../../translator/rehearse/rehearse.js';
import { findFabric, type FabricVersion } from './fabric/programs.js';

const CASES = JSON.parse(readFileSync('test/vectors/powers/cases.json', 'utf8')) as readonly {
  readonly name: string;
  readonly network: 'raft' | 'bft';
  readonly update: string;
}[];

/** Rehearses a recorded update of a network whose keys are not known. */
function rehearsalOf(name: string, version: FabricVersion): Promise<Rehearsal> {
  const { network, update } = CASES.find((each) => each.name === name)!;
  const block = readConfigFile(readFileSync(`test/vectors/powers/${network}.block`));
  const updates = [{ name: 'update.pb', update: readUpdateFile(Buffer.from(update, 'base64')) }];
  return rehearse(updates, block, { programs: findFabric(version).bin });
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
