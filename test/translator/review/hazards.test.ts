// What orderers accept although it breaks a channel or hands it over, and what a review says about it.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../../translator/policy/index.js';
import { documentText } from '../../../translator/documents/index.js';
import { review, reviewDocument } from '../../../translator/review/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import {
  application,
  inBft,
  inMsp,
  inRaft,
  inValue,
  orderer,
  ordererOrg,
  org1,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';

const { now, configs } = readReviewCases();

const signatureOf = (text: string): Tree => ({
  type: 1,
  value: writeSignaturePolicy(parseSignaturePolicy(text)),
});
const meta = (rule: number, sub_policy: string): Tree => ({
  type: 3,
  value: serialize('common.ImplicitMetaPolicy', { rule, sub_policy }),
});
const [ANY, MAJORITY] = [0, 2];

/** Puts another CA in the place of the one that issued all identities. */
const replaceCa = (msp: Tree): void => {
  const certificate = makeCertificate({ commonName: 'ca.new' }).pem;
  msp.root_certs = [certificate];
  for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
    unit.certificate &&= certificate;
};

interface Case {
  readonly title: string;
  readonly config: string;
  readonly change: (channel: Group) => void;
  /** The ids of all dangers. */
  readonly dangers: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: 'the CA of an application organisation is replaced',
    config: 'app3',
    change: (channel) => inMsp(org1(channel), replaceCa),
    dangers: ['msp-ca-removed'],
  },
  {
    title: 'the CA of the orderer organisation is replaced',
    config: 'app3',
    change: (channel) => inMsp(ordererOrg(channel), replaceCa),
    dangers: ['msp-ca-removed'],
  },
  {
    title: 'the units of admins and clients are exchanged',
    config: 'app3',
    change: (channel) =>
      inMsp(org1(channel), (msp) => {
        const units = msp.fabric_node_ous as Tree;
        [units.admin_ou_identifier, units.client_ou_identifier] = [
          units.client_ou_identifier,
          units.admin_ou_identifier,
        ];
      }),
    dangers: ['msp-node-ou-changed'],
  },
  {
    title: 'an organisation requires a unit that it did not require',
    config: 'app3',
    change: (channel) =>
      inMsp(org1(channel), (msp) => {
        const [certificate] = msp.root_certs as Uint8Array[];
        msp.organizational_unit_identifiers = [{ certificate, organizational_unit_identifier: 'staff' }];
      }),
    dangers: ['msp-unit-required'],
  },
  {
    title: 'the Admins of the orderers become ANY Readers',
    config: 'app3',
    change: (channel) => (orderer(channel).policies.Admins!.policy = meta(ANY, 'Readers')),
    dangers: ['policy-weakened'],
  },
  {
    title: 'the Admins of the application become any member of one organisation',
    config: 'app3',
    change: (channel) => (application(channel).policies.Admins!.policy = signatureOf("OR('Org1MSP.member')")),
    dangers: ['policy-weakened'],
  },
  {
    title: 'the same with 60 gates around each rule has nothing that is not shown',
    config: 'app3',
    change: (channel) =>
      (application(channel).policies.Admins!.policy = signatureOf(
        `${'OR('.repeat(60)}'Org1MSP.member'${')'.repeat(60)}`,
      )),
    dangers: ['policy-weakened'],
  },
  {
    title: 'the same behind 130 added policies',
    config: 'app3',
    change: (channel) => {
      for (let index = 0; index < 130; index += 1)
        application(channel).policies[`A${index}`] = {
          policy: meta(MAJORITY, 'Admins'),
          mod_policy: 'Admins',
        };
      application(channel).policies.Admins!.policy = signatureOf("OR('Org1MSP.member')");
    },
    dangers: ['policy-weakened'],
  },
  {
    title: 'BlockValidation becomes a policy of application members',
    config: 'app3',
    change: (channel) =>
      (orderer(channel).policies.BlockValidation!.policy = signatureOf("OR('Org1MSP.member')")),
    dangers: ['block-validation', 'policy-weakened'],
  },
  {
    title: 'BlockValidation is removed',
    config: 'app3',
    change: (channel) => delete orderer(channel).policies.BlockValidation,
    dangers: ['policy-missing'],
  },
  {
    title: 'a mod_policy names no policy',
    config: 'app3',
    change: (channel) => (org1(channel).values.AnchorPeers!.mod_policy = 'Nobody'),
    dangers: ['mod-policy-missing'],
  },
  {
    title: 'the election timeout of Raft is 10 hours',
    config: 'app3',
    change: (channel) => inRaft(channel, ({ options }) => (options.tick_interval = '1h')),
    dangers: ['raft-election-timeout'],
  },
  {
    title: 'the tick interval of Raft is negative',
    config: 'app3',
    change: (channel) => inRaft(channel, ({ options }) => (options.tick_interval = '-1s')),
    dangers: ['raft-tick-negative'],
  },
  {
    title: 'the heartbeat count of BFT is 0',
    config: 'bft4',
    change: (channel) => inBft(channel, { leader_heartbeat_count: 0 }),
    dangers: ['bft-option'],
  },
  {
    title: 'the pool of BFT is empty',
    config: 'bft4',
    change: (channel) => inBft(channel, { request_pool_size: 0 }),
    dangers: ['bft-option'],
  },
  {
    title: 'requests of BFT are complained about before they are forwarded',
    config: 'bft4',
    change: (channel) => inBft(channel, { request_complain_timeout: '1s', request_forward_timeout: '2s' }),
    dangers: ['bft-option'],
  },
];

for (const { title, config, change, dangers } of CASES)
  test(`danger: ${title}`, async (t) => {
    const { findings } = await reviewOf(config, change);
    t.deepEqual(
      findings.filter(({ severity }) => severity === 'danger').map(({ id }) => id),
      dangers,
    );
  });

test('a CA that is replaced without those of the units makes the MSP invalid, and no policy is reported because of it', async (t) => {
  const { findings } = await reviewOf('app3', (channel) =>
    inMsp(org1(channel), (msp) => {
      msp.root_certs = [makeCertificate({ commonName: 'ca.new' }).pem];
    }),
  );
  t.deepEqual(
    findings
      .filter(({ severity, explainedBy }) => severity !== 'unsigned' && explainedBy === undefined)
      .map(({ id }) => id),
    // The unit of admins is of another CA, and without it nobody is an admin.
    ['msp-invalid', 'msp-invalid', 'msp-ca-removed'],
  );
});

test('a policy that names another certificate with the same subject is weakened, and both fingerprints are shown', async (t) => {
  const identity = (pem: Uint8Array): Tree => ({
    type: 1,
    value: serialize('common.SignaturePolicyEnvelope', {
      rule: { n_out_of: { n: 1, rules: [{ signed_by: 0 }] } },
      identities: [
        {
          principal_classification: 2,
          principal: serialize('msp.SerializedIdentity', { mspid: 'Org1MSP', id_bytes: pem }),
        },
      ],
    }),
  });
  const [one, other] = [1, 2].map(() => makeCertificate({ commonName: 'Admin@org1', unit: 'admin' }).pem);
  const original = bytesIn(configs.app3!);
  const tree = parse('common.Config', original);
  const { policies } = application(tree.channel_group as Group);
  policies.Admins!.policy = identity(one!);
  const before = serialize('common.Config', tree);
  policies.Admins!.policy = identity(other!);
  const update = computeUpdate(before, serialize('common.Config', tree), 'testchannel');
  const { findings, elements } = await review(readUpdateFile(update), readConfigFile(before), {
    now: new Date(now),
  });
  t.true(findings.some(({ id, severity }) => id === 'policy-weakened' && severity === 'danger'));
  const [, from, to] =
    /^OR\(the certificate CN=Admin@org1 \(SHA-256 (\w{16})…\) of Org1MSP\) → OR\(the certificate CN=Admin@org1 \(SHA-256 (\w{16})…\) of Org1MSP\)$/.exec(
      elements[0]!.words[0]!,
    )!;
  t.not(from, to);
});

test('the mod_policy of a new element is shown', async (t) => {
  const { elements } = await reviewOf('app3', (channel) => {
    application(channel).policies.New = { policy: meta(MAJORITY, 'Admins'), mod_policy: 'Readers' };
  });
  const words = elements.find(({ element }) => element.endsWith('/New'))!.words;
  t.deepEqual(words, ['policy added: MAJORITY Admins (2 of Org1, Org2, Org3); mod_policy Readers']);
});

test('characters that a reader does not see are escaped', async (t) => {
  const result = await reviewOf('app3', (channel) => {
    inValue(org1(channel), 'AnchorPeers', 'protos.AnchorPeers', (message) => {
      message.anchor_peers = [{ host: 'a\u202eb\u200bc', port: 7051 }];
    });
  });
  const text = documentText(reviewDocument(result));
  t.regex(text, /a\\u202eb\\u200bc:7051 added/);
  t.notRegex(text, /[\u202e\u200b]/);
});

test('an unknown field in a value is a change that is not shown', async (t) => {
  const { findings } = await reviewOf('app3', (channel) => {
    const value = org1(channel).values.AnchorPeers!;
    value.value = Buffer.concat([value.value, Buffer.from('980601', 'hex')]);
  });
  t.deepEqual(
    findings.filter(({ severity }) => severity === 'danger').map(({ id, text }) => [id, text]),
    [
      [
        'change-not-shown',
        'the review does not show everything that the update changes here: protos.AnchorPeers has an unknown field 99',
      ],
    ],
  );
});
