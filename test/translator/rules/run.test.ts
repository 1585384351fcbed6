// The order of the checks, their findings and their progress.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import type { Progress } from '../../../translator/long-call.js';
import { review } from '../../../translator/review/index.js';
import {
  application,
  harmOf,
  inConsenters,
  inMsp,
  inRaft,
  inValue,
  orderer,
  ordererOrg,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';
import { serialize, type Tree } from '../../fuzz/review/messages.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../../translator/policy/index.js';

const NOW = new Date('2026-11-22T00:00:00Z');
const { config, envelope } = largeChannel(2, 1);

test('a review reports half of its work for the MSPs, and each hundredth of the checks', async (t) => {
  const reports: Progress[] = [];
  await review(readUpdateFile(envelope), readConfigFile(config), {
    now: NOW,
    fabric: ['3.1.5'],
    onProgress: (progress) => reports.push(progress),
  });
  const doneOf = (part: string): number[] =>
    reports.flatMap(({ what, done }) => (what === part ? [done] : []));
  t.is(doneOf('msps').at(-1), 50);
  t.deepEqual(
    doneOf('rules'),
    Array.from({ length: 31 }, (_, index) => 70 + index),
  );
});

test('dangers come before warnings, whatever their checks are', async (t) => {
  const found = await harmOf('app3', (channel) => {
    inValue(orderer(channel), 'BatchSize', 'orderer.BatchSize', (message) => {
      message.absolute_max_bytes = 524_287;
      message.preferred_max_bytes = 1000;
    });
    inRaft(channel, ({ options }) => void (options.tick_interval = '9ms'));
  });
  t.deepEqual(
    found.map((text) => text.split(':')[0]),
    ['danger raft-election-short', 'warning absolute-max-bytes-low'],
  );
});

test('a fault from before the update is found only where the update changes its element', async (t) => {
  const set = (changes: Readonly<Record<string, unknown>>) => (channel: Parameters<typeof orderer>[0]) =>
    inRaft(channel, ({ options }) => void Object.assign(options, changes));
  const prepare = set({ tick_interval: '9ms' });
  const elsewhere = await reviewOf(
    'app3',
    (channel) =>
      inValue(orderer(channel), 'BatchTimeout', 'orderer.BatchTimeout', (message) => {
        message.timeout = '3s';
      }),
    prepare,
  );
  t.false(elsewhere.findings.some(({ id }) => id === 'raft-election-short'));
  const same = await reviewOf('app3', set({ snapshot_interval_size: 100_000 }), prepare);
  t.true(same.findings.some(({ id }) => id === 'raft-election-short'));
});

const signature = (text: string): { policy: Tree; mod_policy: string } => ({
  policy: { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(text)) },
  mod_policy: 'Admins',
});
const organization = (channel: Group, name: string): Group => application(channel).groups[name]!;
const rootsOf = (msp: Tree): Uint8Array[] => msp.root_certs as Uint8Array[];
const otherCa = makeCertificate({ commonName: 'ca.other' });

/** A finding of one subject before the update; the update adds another subject without setting the element of the finding. */
for (const [id, channelName, what, prepare, change] of [
  [
    'bft-identity-invalid',
    'bft4',
    'its MSP requires a unit that the other consenters do not have',
    (channel) =>
      inConsenters(channel, ([first]) => {
        first!.identity = makeCertificate({ commonName: 'node', unit: 'orderer', issuer: otherCa }).pem;
      }),
    (channel) =>
      inMsp(ordererOrg(channel), (msp) => {
        const unit = (msp.fabric_node_ous as Tree).orderer_ou_identifier as Tree;
        msp.organizational_unit_identifiers = [{ ...unit, organizational_unit_identifier: 'Finance' }];
      }),
  ],
  [
    'bft-msp-unknown',
    'bft4',
    'the organisation of the second consenter is removed',
    (channel) =>
      inConsenters(channel, ([first, second]) => {
        first!.msp_id = 'X';
        second!.msp_id = 'Org2MSP';
      }),
    (channel) => delete application(channel).groups.Org2,
  ],
  [
    'policy-unknown-msp',
    'app3',
    'an organisation that the policy names is removed',
    (channel) =>
      (application(channel).policies.Own = signature(
        "OR('OldMSP.member', 'Org1MSP.member', 'Org3MSP.member')",
      )),
    (channel) => delete application(channel).groups.Org3,
  ],
  [
    'sub-policy-missing',
    'app3',
    'a second organisation loses the policy',
    (channel) => {
      for (const name of ['Org1', 'Org2'])
        organization(channel, name).policies.Clerks = organization(channel, name).policies.Admins!;
      application(channel).policies.Own = {
        policy: { type: 3, value: serialize('common.ImplicitMetaPolicy', { rule: 0, sub_policy: 'Clerks' }) },
        mod_policy: 'Admins',
      };
    },
    (channel) => delete organization(channel, 'Org2').policies.Clerks,
  ],
  [
    'msp-ca-shared',
    'app3',
    'another organisation gets another CA of it',
    (channel) => {
      const shared: Uint8Array[] = [];
      inMsp(organization(channel, 'Org1'), (msp) => shared.push(...rootsOf(msp)));
      inMsp(organization(channel, 'Org3'), (msp) => rootsOf(msp).push(...shared, otherCa.pem));
    },
    (channel) => inMsp(organization(channel, 'Org2'), (msp) => rootsOf(msp).push(otherCa.pem)),
  ],
] as const satisfies readonly (readonly [
  string,
  string,
  string,
  (channel: Group) => unknown,
  (channel: Group) => unknown,
])[])
  test(`${id} of before the update is found again when ${what}`, async (t) => {
    const { findings } = await reviewOf(
      channelName,
      (channel) => void change(channel),
      (channel) => void prepare(channel),
    );
    t.true(
      findings.some((each) => each.id === id),
      findings.map((each) => `${each.severity} ${each.id}`).join('\n'),
    );
  });
