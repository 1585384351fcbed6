// Other code runs between two of many certificates, policies or ACLs: an organisation can put thousands of them into a config.

import test from 'ava';
import { readConfigFile, type Config } from '../../../translator/channel/index.js';
import { rulesOf, setupChannelMsps } from '../../../translator/msp/index.js';
import { ChannelState } from '../../../translator/state/index.js';
import { RULES, compareVersions, differingRules, type FoundBy } from '../../../translator/rules/index.js';
import type { Rule } from '../../../translator/rules/rule.js';
import { findInConfig } from '../../../translator/rules/run.js';
import { parse, serialize } from '../../fuzz/review/messages.js';
import { application, inMsp, org1, type Group } from '../../helpers/changed-config.js';
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
