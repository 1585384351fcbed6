// Fixed cases of the laboratory of harm: what real networks lose is what reviews say, and nothing else.

import test from 'ava';
import { FIXED } from '../harm/fixed.js';
import { caseText } from '../harm/report.js';
import { hasDisagreement } from '../harm/run-case.js';
import { runCases } from '../harm/run-cases.js';
import { freePort } from '../helpers/free-port.js';

/** Networks at a time: most of a case is waiting. */
const PARALLEL = 3;

/** What each case loses, and where: the least that the look must see. */
const LOST: Readonly<Record<string, readonly string[]>> = {
  'no-update': [],
  routine: [],
  'bft-more-messages-than-bytes': ['restarted start orderer1'],
  'bft-request-larger-than-a-batch': ['after process orderer1'],
  'bft-batch-smaller-than-a-request': ['restarted start orderer1'],
  'bft-identities-renewed': ['restarted update Orderer'],
  'endpoints-of-an-organisation-with-another-tls-ca': ['restarted height peer1'],
  'endpoints-hide-global-addresses': ['restarted height peer1'],
  'approval-needs-another-organisation': ['after approve Org1MSP'],
  'two-chains-of-a-renewed-ca': ['after height peer1'],
  'gossip-without-peers': ['restarted gossip peer1'],
};

test('fixed cases lose on real networks what their reviews name, and no danger is false', async (t) => {
  const reports = await runCases(FIXED, { parallel: PARALLEL, firstPort: await freePort() }, (report) =>
    t.log(caseText(report)),
  );
  t.deepEqual(reports.filter(({ notCounted }) => notCounted !== null).map(caseText), []);
  t.deepEqual(reports.filter(hasDisagreement).map(caseText), []);
  for (const { id, losses } of reports) {
    const lost = losses.map(({ phase, probe, who }) => `${phase} ${probe} ${who}`);
    const expected = LOST[id]!;
    if (expected.length === 0) t.deepEqual(lost, [], id);
    for (const each of expected) t.true(lost.includes(each), `${id}: ${lost.join(', ')}`);
  }
});
