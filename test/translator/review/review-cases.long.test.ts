// Reviews against recorded verdicts: of Fabric's own code, and of the orderers of a real network.

import { createHash } from 'node:crypto';
import test from 'ava';
import { applyUpdate } from '../../../translator/channel/apply.js';
import { readConfigFile, readUpdateFile, type ConfigFile } from '../../../translator/channel/file.js';
import { writeConfig } from '../../../translator/channel/write.js';
import { MspCache } from '../../../translator/msp/channel-msps.js';
import { summaryOf, type Review } from '../../../translator/review/index.js';
import { review } from '../../../translator/review/review.js';
import {
  LONGEST_HEADLINE,
  agree,
  bytesIn,
  readReviewCases,
  readVerdicts,
  type ReviewCase,
} from '../../helpers/review-cases.js';

const { now, configs, cases } = readReviewCases();
const { blobs, submitters, verdicts } = readVerdicts();
const msps = new MspCache();

/** Files that are not config updates: a review does not begin. */
const UNREADABLE = new Set(['061', '062', '064', '065', '066', '068'].map((number) => `versions-${number}`));
/** The orderer would not find this channel; the recorder skipped that. */
const OTHER_CHANNEL = 'versions-060';
/** The number of those alive does not tell whether the consenter that goes is one of them. */
const UNKNOWN_ALIVE = new Set(['016', '018', '024', '029'].map((number) => `consenters-${number}`));

const blocks = new Map<string, ConfigFile>();

function blockOf(name: string): ConfigFile {
  const known = blocks.get(name) ?? readConfigFile(bytesIn(configs[name]!));
  blocks.set(name, known);
  return known;
}

const reviewCase = ({ config, envelope, active }: ReviewCase): Promise<Review> =>
  review(readUpdateFile(bytesIn(envelope)), blockOf(config), { now: new Date(now), active, msps });

const ordererTexts = ({ findings }: Review): string[] => findings.flatMap(({ orderer }) => orderer ?? []);

/** Orderers accept it. The review refuses it: nothing shows its isolated data, so nobody can know what they sign. */
const NOT_SHOWN = 'versions-070';

const groups = new Map<string, ReviewCase[]>();
for (const each of cases) {
  const group = each.id.replace(/-\d+$/, '');
  groups.set(group, [...(groups.get(group) ?? []), each]);
}

/** The orderers do not support a capability. Fabric may report what follows from it, the review does not. */
const lacksCapability = ({ findings }: Review): boolean =>
  findings.some(({ id }) => id === 'capability-unsupported');

for (const [group, members] of groups)
  test(`${members.length} recorded updates about ${group}: acceptance, texts, policies and results are Fabric's`, async (t) => {
    for (const each of members) {
      const title = `${each.id}, ${each.note}`;
      if (UNREADABLE.has(each.id)) {
        t.false(each.accepted, title);
        t.throws(() => readUpdateFile(bytesIn(each.envelope)), { name: 'TranslateError' }, title);
        continue;
      }
      const result = await reviewCase(each);
      t.true(summaryOf(result).length <= LONGEST_HEADLINE, `${title}: ${summaryOf(result)}`);
      const differs = UNKNOWN_ALIVE.has(each.id) || each.id === OTHER_CHANNEL || each.id === NOT_SHOWN;
      t.is(result.accepted, differs ? !each.accepted : each.accepted, title);
      if (!each.accepted && !differs && !lacksCapability(result))
        for (const error of each.errors)
          t.true(
            ordererTexts(result).some((text) => agree(text, error)),
            `${title}: ${error}`,
          );
      checkElements(each, result, (actual, expected) => t.deepEqual(actual, expected, title));
      if (each.propose) t.is(resultOf(each), each.sha256 ?? '', title);
    }
  });

/** Recorded cases call the policies of new elements not satisfied; Fabric does not evaluate them. */
function checkElements(
  { elements }: ReviewCase,
  result: Review,
  compare: (actual: unknown, expected: unknown) => void,
): void {
  for (const [key, policy, satisfied] of elements) {
    const [, kind = '', path = ''] = /^\[(\w+)\] +(.*)$/.exec(key)!;
    const found = result.elements.find(
      (each) => each.element === path && each.kind === kind.toLowerCase() && each.change !== 'removed',
    );
    const expected = { policy, satisfied: satisfied || found?.change === 'new' };
    compare(found && { policy: found.policy, satisfied: found.satisfied }, expected);
  }
}

function resultOf({ config, envelope, channel }: ReviewCase): string {
  const { config: result } = applyUpdate(
    blockOf(config).config,
    readUpdateFile(bytesIn(envelope)).update,
    channel,
  );
  return createHash('sha256').update(writeConfig(result)).digest('hex');
}

/** Refused by the peer CLI before it sent anything. */
const REFUSED_BY_CLIENT = new Set([
  'rej3/41-wrong-channel-in-envelope',
  'rej3/42-submit-with-wrong-c',
  'rej6/70-expired-admin-submits',
  'rej6/78b-config-submitted',
  'rej6/78c-block-submitted',
]);
const STATUS = /^(?:got unexpected status: \w+ -- |(?:BAD_REQUEST|FORBIDDEN) )/;

for (const each of verdicts.filter(({ name }) => !REFUSED_BY_CLIENT.has(name)))
  test(`a real orderer ${each.accepted ? 'accepted' : 'refused'} ${each.name}, so does the review`, async (t) => {
    const submitter = each.submitter === undefined ? undefined : bytesIn(submitters[each.submitter]!);
    const result = await review(
      readUpdateFile(bytesIn(blobs[each.envelope]!)),
      readConfigFile(bytesIn(blobs[each.block]!)),
      { now: new Date(each.time * 1000), msps, submitter },
    );
    t.is(result.accepted, each.accepted, ordererTexts(result).join('\n'));
    if (each.accepted || lacksCapability(result)) return;
    const text = each.text.replace(STATUS, '').trim();
    t.true(
      ordererTexts(result).some((found) => agree(found, text)),
      `${text}\n${ordererTexts(result).join('\n')}`,
    );
  });

/** Updates that the real orderers accepted although harmful, and the finding that says so. */
const DAMAGE: readonly (readonly [verdict: string, finding: string])[] = [
  ['rej/20-anchor-empty-host', 'anchor-peer-incomplete'],
  ['rej2/33-consenter-empty-host', 'consenter-address'],
  ['rej3/46-endpoint-malformed', 'endpoint-malformed'],
  ['rej3/47-new-org-same-mspid', 'msp-id-shared'],
  ['rej4/49-new-org-expired-ca', 'msp-ca-expired'],
  ['rej4/56-acl-unknown-policy', 'acl-policy-missing'],
  ['rej4/57-acl-unknown-name', 'acl-unknown-resource'],
  ['rej4/58-modpolicy-nonexistent', 'mod-policy-missing'],
  ['rej4/60-org1-admins-impossible', 'policy-unsatisfiable'],
  ['rej5/81-remove-last-org', 'policy-always-satisfied'],
  ['rej7/01-anchor-bad-port0', 'anchor-peer-incomplete'],
  ['rej7/02-app-cap-unknown', 'application-capability-unknown'],
  ['rej8/08-org-admins-delete', 'policy-missing'],
  ['rej9/03-swapped', 'update-without-effect'],
];

for (const [name, id] of DAMAGE)
  test(`${name}, which a real orderer accepted, has the finding ${id}`, async (t) => {
    const each = verdicts.find((verdict) => verdict.name === name)!;
    const result = await review(
      readUpdateFile(bytesIn(blobs[each.envelope]!)),
      readConfigFile(bytesIn(blobs[each.block]!)),
      { now: new Date(each.time * 1000), msps },
    );
    t.true(
      result.findings.some((finding) => finding.id === id),
      result.findings.map((finding) => `${finding.severity} ${finding.id}`).join('\n'),
    );
  });

/** Recorded updates that Fabric accepts, rules of Fabric that do damage, and the finding. */
const ACCEPTED: readonly (readonly [note: RegExp, finding: string])[] = [
  [/^application capability V9_9/, 'application-capability-unknown'],
  [/^no metadata$/, 'raft-metadata-empty'],
  [/^the policy BlockValidation goes$/, 'policy-missing'],
  [/^the policy Admins of the application goes/, 'mod-policy-missing'],
  [/^the last application organisation goes/, 'policy-always-satisfied'],
  [/^policy: an empty meta policy$/, 'policy-unsatisfiable'],
  [/^a new policy with the mod_policy "Nobody"$/, 'mod-policy-missing'],
  [/^a changed value with the new mod_policy "\/Channel"/, 'mod-policy-missing'],
  [/^ACLs that name a policy that does not exist/, 'acl-policy-missing'],
  [/^an id twice$/, 'bft-id-duplicate'],
  [/^a consenter with a certificate of garbage$/, 'bft-certificate'],
  [/^a timeout that is none/, 'bft-duration'],
  [/^V3_0 goes$/, 'bft-without-v3'],
  [/^an unknown state$/, 'consensus-state-unknown'],
  [/^a new one whose certificate is for servers only$/, 'consenter-key-usage'],
  [/^two organisations of one MSP$/, 'msp-id-shared'],
  [/^MSP: an unknown hash family/, 'msp-hash-family'],
  [/^MSP: an expired root certificate as well/, 'msp-ca-expired'],
  [/^MSP: an admin certificate that is expired$/, 'msp-admin-expired'],
  [/^MSP: an admin certificate that is revoked$/, 'msp-admin-revoked'],
  [/^MSP: no TLS root certificates$/, 'msp-tls-ca-missing'],
  [/^KafkaBrokers/, 'kafka-brokers'],
  [/^the state changes to maintenance$/, 'maintenance-entered'],
  [/^signed by an expired admin, submitted by another$/, 'signer-expired'],
  [/^the certificate of an existing consenter is expired: an unrelated/, 'consenter-expired'],
];

for (const [note, id] of ACCEPTED)
  test(`"${note.source}", which Fabric accepts, has the finding ${id}`, async (t) => {
    const each = cases.find((one) => note.test(one.note))!;
    const { findings } = await reviewCase(each);
    t.true(
      findings.some((finding) => finding.id === id),
      findings.map((finding) => `${finding.severity} ${finding.id}`).join('\n'),
    );
  });
