// Reviews against what happened on real networks: whether orderers accepted an update, and whether something stopped afterwards.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { summaryOf, type Review } from '../../../translator/review/index.js';
import { review } from '../../../translator/review/review.js';
import { LONGEST_HEADLINE, bytesIn, readOutcomes, type Outcome } from '../../helpers/review-cases.js';

const { blocks, updates } = readOutcomes();

/** Other transactions, which a review refuses to read; orderers accept the second as an ordinary one. */
const NO_UPDATE = /game-type-(?:1-config|3-endorser)$/;
/** Accepted by orderers and refused by a review: nobody should sign it. */
const NOT_UNDERSTOOD = /game-unknown-field$/;
/**
 * The next update failed on the recorded network, for a reason that the update does not show. The second one followed an update that removed
 * the capability V3_0; on a new network nothing stops after it.
 */
const NOT_EXPLAINED = /game-sig-garbage-creator$|bft-opt-batch-count-0$/;
/** Accepted, and a danger although nothing stopped while it was observed. */
const SEEN_LATER: ReadonlyMap<string, string> = new Map([
  ['acl-policy-missing', 'the ACL is asked only when a client uses the resource'],
  ['application-capability-unknown', 'peers that do not know a capability stop when they read the block'],
  ['batch-timeout-long', 'config updates do not wait for others, and no client submitted a transaction'],
  ['bft-identity-invalid', 'the other consenters went on'],
  ['block-signers-added', 'nothing stops: others than before can sign blocks'],
  ['bft-id-duplicate', 'seen in another run: the orderers stop at the next start'],
  ['bft-not-restarted', 'the orderers were restarted before the update'],
  ['bft-option', 'seen for other options: the pool of requests is closed'],
  ['bft-without-v3', 'the orderers refuse BFT without V3_0 at the next start'],
  ['capability-lowered', 'nobody used the lifecycle or a chaincode'],
  ['consenter-must-join', 'the channel stops when one of the present consenters fails'],
  ['consenter-unreachable', 'the other three consenters went on'],
  ['consenters-changed', 'seen in another run: no leader after the next restart'],
  ['mod-policy-missing', 'nobody can change the element again'],
  ['msp-ca-removed', 'nobody of the organisation took part in the next update'],
  ['msp-node-ou-changed', 'nobody of the organisation took part in the next update'],
  ['msp-revocation-list', 'nobody of the organisation took part in the next update'],
  ['msp-unit-required', 'nobody of the organisation took part in the next update'],
  ['orderer-addresses-replaced', 'peers that were connected stayed connected'],
  ['policy-unsatisfiable', 'nobody used the policy in the next update'],
  ['policy-weakened', 'nothing stops: others than before can change the channel'],
  ['service-lost', 'nobody used the service in the next update'],
]);

const reviewOf = ({ block, envelope, time, fabric, active }: Outcome): Promise<Review> =>
  review(readUpdateFile(bytesIn(envelope)), readConfigFile(bytesIn(blocks[block]!)), {
    now: new Date(time * 1000),
    fabric: [fabric],
    active,
  });

for (const update of updates.filter(({ name }) => !NO_UPDATE.test(name)))
  test(`${update.name}: ${update.accepted ? `accepted${update.stopped ? ', and something stopped' : ''}` : 'refused'}`, async (t) => {
    const result = await reviewOf(update);
    const { accepted, findings } = result;
    t.true(summaryOf(result).length <= LONGEST_HEADLINE, summaryOf(result));
    const dangers = findings
      .filter(({ severity, explainedBy }) => severity === 'danger' && explainedBy === undefined)
      .map(({ id }) => id);
    t.is(accepted, NOT_UNDERSTOOD.test(update.name) ? false : update.accepted);
    if (!accepted || NOT_EXPLAINED.test(update.name)) return;
    if (update.stopped) t.not(dangers.length, 0);
    else
      t.deepEqual(
        dangers.filter((id) => !SEEN_LATER.has(id)),
        [],
      );
  });

for (const { name, envelope } of updates.filter((update) => NO_UPDATE.test(update.name))) {
  const what = name.endsWith('config')
    ? 'an envelope with a config'
    : 'an envelope of type 3, not a config transaction';
  test(`${name}: a review refuses to read ${what}`, (t) => {
    t.is(
      t.throws(() => readUpdateFile(bytesIn(envelope)), { name: 'TranslateError' })?.message,
      `this is ${what}; a config update is needed`,
    );
  });
}
