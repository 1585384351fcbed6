// Other code runs between two of many certificates, policies or ACLs: an organisation can put thousands of them into a config.

import test from 'ava';
import {
  applyInSteps,
  applyUpdate,
  creatorOf,
  readConfigFile,
  readUpdateFile,
  walk,
  type Config,
} from '../../../translator/channel/index.js';
import { describeDifference } from '../../../translator/documents/index.js';
import { certificatesInChannel } from '../../../translator/expiry/index.js';
import { explainIdentities, readIdentities } from '../../../translator/identity/index.js';
import { LongCall } from '../../../translator/long-call.js';
import { rulesOf, setupChannelMsps } from '../../../translator/msp/index.js';
import { review } from '../../../translator/review/index.js';
import { ChannelState } from '../../../translator/state/index.js';
import { RULES, compareVersions, differingRules, type FoundBy } from '../../../translator/rules/index.js';
import type { Rule } from '../../../translator/rules/rule.js';
import { findInConfig } from '../../../translator/rules/run.js';
import { parse, serialize } from '../../fuzz/review/messages.js';
import { crowdedUpdate } from '../../helpers/crowded-update.js';
import { application, inMsp, org1, type Group } from '../../helpers/changed-config.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { cpuTimeOf } from '../../helpers/stopwatch.js';
import { turnsOf } from '../../helpers/turns.js';

const COUNT = 200;
const { now, configs } = readReviewCases();

function changed(change: (channel: Group) => void): Config {
  const tree = parse('common.Config', bytesIn(configs.app2!));
  change(tree.channel_group as Group);
  return readConfigFile(serialize('common.Config', tree)).config;
}

const names = (prefix: string): readonly string[] =>
  Array.from({ length: COUNT }, (_, index) => `${prefix}${index}`);

const withCas = (): Config =>
  changed((channel) =>
    inMsp(org1(channel), (msp) => {
      (msp.root_certs as Uint8Array[]).push(
        ...names('CA').map((commonName) => makeCertificate({ commonName }).pem),
      );
    }),
  );

const withAdmins = (): Config =>
  changed((channel) =>
    inMsp(org1(channel), (msp) => {
      const issuer = makeCertificate({ commonName: 'another CA' });
      (msp.root_certs as Uint8Array[]).push(issuer.pem);
      msp.admins = names('Admin').map(
        (commonName) => makeCertificate({ commonName, unit: 'admin', issuer }).pem,
      );
    }),
  );

const withPolicies = (): Config =>
  changed((channel) => {
    const { policies } = application(channel);
    for (const name of names('P')) policies[name] = policies.Admins!;
  });

const withAcls = (): Config =>
  changed((channel) => {
    const acls = Object.fromEntries(names('acl').map((name) => [name, { policy_ref: 'Nobody' }]));
    application(channel).values.ACLs = { value: serialize('protos.ACLs', { acls }) };
  });

async function stateIn(config: Config): Promise<ChannelState> {
  const state = new ChannelState(config, { now: new Date(now) });
  await state.msps;
  return state;
}

for (const [what, configWith] of [
  ['certificates', withCas],
  ['policies', withPolicies],
  ['ACLs', withAcls],
] as const)
  test.serial(`the search for dangers pauses between two of ${COUNT} ${what}`, async (t) => {
    const state = await stateIn(configWith());
    const turns = await turnsOf(t, () => findInConfig(state));
    t.true(turns >= COUNT, `${turns} turns`);
  });

test.serial(
  `the look for what versions judge differently pauses between two of ${COUNT} certificates`,
  async (t) => {
    const state = await stateIn(withCas());
    const turns = await turnsOf(t, () => differingRules({ after: state }, rulesOf(['2.5'])));
    t.true(turns >= COUNT, `${turns} turns`);
  },
);

test.serial(`the set-up of an MSP with ${COUNT} admins pauses five times for each`, async (t) => {
  const config = withAdmins();
  const turns = await turnsOf(t, () => setupChannelMsps(config));
  // For its key, for the work that it takes, and at three places for its chain.
  t.true(turns >= 5 * COUNT, `${turns} turns`);
});

test.serial(`the reading of ${COUNT} policies pauses between two of them`, async (t) => {
  const state = new ChannelState(withPolicies());
  const turns = await turnsOf(t, () => state.readAhead());
  t.true(turns >= COUNT, `${turns} turns`);
});

test.serial('findings of two versions are compared in a time that grows with their number', (t) => {
  const rule = RULES.get('policy-unknown-msp') as Rule<string, { readonly mspid: string }>;
  const all = ['3.1.5', '2.5.12'].map((version): FoundBy => {
    const [rules] = rulesOf([version]);
    const found = Array.from({ length: 5000 }, (_, index) =>
      rule.at(`/Channel/${version}/${index}`, { mspid: 'Org9MSP' }),
    );
    return { rules, found };
  });
  t.true(cpuTimeOf(() => void compareVersions(all, [])) < 500);
});

/** A channel with 24 organisations, and an update of all their MSPs. */
const LARGE = largeChannel(24, 2);
const BLOCK = readConfigFile(LARGE.config);
const UPDATE = readUpdateFile(LARGE.envelope);
const ELEMENTS = [...walk(BLOCK.config.channelGroup)].length;

test.serial(`the application of an update pauses between two of ${ELEMENTS} elements`, async (t) => {
  const steps = applyInSteps(BLOCK.config, UPDATE.update);
  const turns = await turnsOf(t, () => new LongCall().run(steps));
  t.true(turns >= ELEMENTS, `${turns} turns`);
});

test.serial('an update that is too large for a review is counted with pauses', async (t) => {
  const update = readUpdateFile(crowdedUpdate('policies', 5000));
  const turns = await turnsOf(t, () =>
    t.throwsAsync(review(update, BLOCK, { now: new Date(now) }), { code: 'TOO_LARGE' }),
  );
  t.true(turns >= 5000, `${turns} turns`);
});

test.serial(
  'the explanation of each identity pauses between the policies of two of 24 organisations',
  async (t) => {
    const identities = UPDATE.signatures.flatMap(({ header }) => readIdentities(creatorOf(header)));
    const [one, two] = [identities.slice(0, 1), identities];
    const explain = (found: typeof identities) => () =>
      explainIdentities(found, BLOCK, { now: new Date(now) });
    const more = (await turnsOf(t, explain(two))) - (await turnsOf(t, explain(one)));
    t.true(more >= 2 * 24, `${more} more turns for a second identity`);
  },
);

test.serial('the comparison of two configs pauses between two of the elements that differ', async (t) => {
  const { config } = applyUpdate(BLOCK.config, UPDATE.update);
  const turns = await turnsOf(t, () => describeDifference(BLOCK.config, config));
  t.true(turns >= ELEMENTS + 24, `${turns} turns`);
});

test.serial('the list of certificates that end pauses between two of 25 organisations', async (t) => {
  const turns = await turnsOf(t, () => certificatesInChannel(BLOCK, 'block.pb'));
  t.true(turns >= 25, `${turns} turns`);
});
