// Fixed cases of the laboratory of harm: what real networks lose is what reviews say, and nothing else.

import test from 'ava';
import { FIXED } from '../harm/fixed.js';
import { PORTS } from '../harm/options.js';
import { caseText } from '../harm/report.js';
import { hasDisagreement, runCase } from '../harm/run-case.js';
import { freePort } from '../helpers/free-port.js';
import { PATIENCE } from '../helpers/patience.js';

/** Networks at a time: most of a case is waiting. */
const PARALLEL = 3;

/** What each case loses at least; nothing at all without an update. */
const LOST: ReadonlyMap<string, string | undefined> = new Map([
  ['no-update', undefined],
  ['bft-more-messages-than-bytes', 'restarted start orderer1'],
  ['bft-request-larger-than-a-batch', 'after process orderer1'],
  ['bft-batch-smaller-than-a-request', 'restarted start orderer1'],
  ['bft-identities-renewed', 'restarted update /Channel/Orderer'],
  ['endpoints-of-an-organisation-with-another-tls-ca', 'restarted height peer1'],
  ['endpoints-hide-global-addresses', 'restarted height peer1'],
  ['approval-needs-another-organisation', 'after approve Org1MSP'],
  ['two-chains-of-a-renewed-ca', 'after height peer1'],
  ['gossip-without-peers', 'restarted gossip peer1'],
]);

const firstPort = await freePort();
const ended: Promise<unknown>[] = [];

for (const [index, each] of FIXED.entries()) {
  const wanted = LOST.get(each.id);
  test(`${each.id}: ${wanted ?? 'nothing'} is lost, and nothing that the review does not name`, async (t) => {
    t.timeout(PATIENCE);
    const run = async () => {
      await ended[index - PARALLEL];
      return runCase(each, firstPort + index * PORTS, false);
    };
    const running = run();
    ended[index] = running;
    const report = await running;
    t.is(report.notCounted, null);
    t.false(hasDisagreement(report), caseText(report));
    const lost = report.losses.map(({ phase, probe, who }) => `${phase} ${probe} ${who}`);
    if (wanted === undefined) t.deepEqual(lost, []);
    else t.true(lost.includes(wanted), JSON.stringify(report.losses, null, 1));
  });
}
