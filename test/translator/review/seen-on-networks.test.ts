// Kinds of harm that real networks showed, with what they did, and what a review or a check says about them. Others are in test/vectors/powers.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../../translator/policy/index.js';
import { checkConfig, summaryOf, type ConfigCheck } from '../../../translator/review/index.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';
import {
  application,
  inConsenters,
  inMsp,
  inRaft,
  inValue,
  orderer,
  ordererOrg,
  org1,
  reviewOf,
  setCapabilities,
  type Group,
} from '../../helpers/changed-config.js';
import { makeCertificate, makeRevocationList } from '../../helpers/made-certificates.js';
import { certificateIn } from '../../../translator/msp/index.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs } = readReviewCases();

type Change = (channel: Group) => void;

/** What happened on a real network: an update of a recorded config, after other ones. */
interface Kind {
  readonly what: string;
  readonly config: string;
  readonly before?: Change;
  readonly change: Change;
  /** What the real network did. */
  readonly network: string;
  /** The severity, id and path of the finding that says so. */
  readonly finding: string;
  readonly summary: RegExp;
}

const setPolicyOf = (group: Group, name: string, text: string): void => {
  const policy = { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(text)) };
  group.policies[name] = { policy, mod_policy: 'Admins' };
};

const inPolicy = (group: Group, name: string, change: (policy: Tree) => void): void => {
  const { policy } = group.policies[name]!;
  const message = parse('common.SignaturePolicyEnvelope', policy.value as Uint8Array);
  change(message);
  policy.value = serialize('common.SignaturePolicyEnvelope', message);
};

const setEndpoints =
  (...addresses: readonly string[]): Change =>
  (channel) =>
    inValue(
      ordererOrg(channel),
      'Endpoints',
      'common.OrdererAddresses',
      (message) => (message.addresses = addresses),
    );

const inRaftConsenters = (channel: Group, change: (consenters: Tree[]) => void): void =>
  inRaft(channel, ({ consenters }) => change(consenters as Tree[]));
const moveRaft =
  (index: number): Change =>
  (channel) =>
    inRaftConsenters(channel, (consenters) => (consenters[index]!.port = 9));
const newTls =
  (index: number): Change =>
  (channel) =>
    inRaftConsenters(channel, (consenters) => {
      const { pem } = makeCertificate({ commonName: `o${index}`, issuer: TLS_CA });
      Object.assign(consenters[index]!, { client_tls_cert: pem, server_tls_cert: pem });
    });
const TLS_CA = makeCertificate({ commonName: 'tlsca.kinds' });
const withTlsCa: Change = (channel) =>
  inMsp(ordererOrg(channel), (msp) => (msp.tls_root_certs as Uint8Array[]).push(TLS_CA.pem));
const both =
  (...changes: readonly Change[]): Change =>
  (channel) => {
    for (const change of changes) change(channel);
  };

/** A CA in both sections, so that the MSPs of the orderers are valid. */
const CA = makeCertificate({ commonName: 'ca.kinds' });

const KINDS: readonly Kind[] = [
  {
    what: 'all endpoints and the TLS CA of one of two orderer organisations are replaced',
    config: 'app3',
    change: (channel) => {
      for (const group of Object.values(orderer(channel).groups))
        inValue(
          group,
          'Endpoints',
          'common.OrdererAddresses',
          (message) => (message.addresses = ['x.test:1']),
        );
      inMsp(orderer(channel).groups.OrdererOrgB!, (msp) => (msp.tls_root_certs = [TLS_CA.pem]));
    },
    network: 'all endpoints replaced: all running peers stopped at once',
    finding: 'danger orderer-addresses-replaced /Channel/Orderer',
    summary: /^dangerous: .*none of the current orderer addresses is kept/,
  },
  {
    what: 'Org2 gets the CA of Org1, and an unrelated policy needs one signature instead of two',
    config: 'app3',
    before: (channel) =>
      setPolicyOf(application(channel), 'Extra', "AND('Org1MSP.member', 'Org2MSP.member')"),
    change: (channel) => {
      setPolicyOf(application(channel), 'Extra', "OR('Org1MSP.member', 'Org2MSP.member')");
      const [ca] = parse(
        'msp.FabricMSPConfig',
        parse('msp.MSPConfig', org1(channel).values.MSP!.value).config as Uint8Array,
      ).root_certs as Uint8Array[];
      inMsp(application(channel).groups.Org2!, (msp) => {
        (msp.root_certs as Uint8Array[]).push(ca!);
        for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
          if (typeof unit === 'object' && 'certificate' in unit) unit.certificate = Buffer.alloc(0);
      });
    },
    network: 'an admin of Org1 changed Org2: accepted',
    finding: 'danger msp-ca-foreign /Channel/Application/Org2/MSP',
    summary: /^takeover: .*Org1 could change the group Application and its organisations without the others/,
  },
  {
    what: 'an endpoint with a scheme is added, then the others are removed',
    config: 'raft5',
    before: setEndpoints('o1.test:7050', 'https://o1.test:7050'),
    change: setEndpoints('https://o1.test:7050'),
    network: 'no peer took another block, at once',
    finding: 'danger orderer-addresses-none /Channel/Orderer',
    summary: /dangerous/,
  },
  {
    what: 'an endpoint where nobody listens is added, then the others are removed',
    config: 'app2',
    before: setEndpoints('o1.ord.example.com:7050', 'nobody.test:9'),
    change: setEndpoints('nobody.test:9'),
    network: 'no peer took another block',
    finding: 'warning orderer-addresses-replaced /Channel/Orderer',
    summary: /no orderer address that stays is the address of a consenter/,
  },
  {
    what: 'an organisation with other TLS CAs lists the orderers, too, then theirs does not any more',
    config: 'app2',
    before: (channel) => {
      const group = structuredClone(org1(channel));
      delete group.values.AnchorPeers;
      delete group.policies.Endorsement;
      group.values.Endpoints = structuredClone(ordererOrg(channel).values.Endpoints!);
      orderer(channel).groups.Org1 = group;
    },
    change: (channel) => void delete ordererOrg(channel).values.Endpoints,
    network: 'no peer took another block',
    finding: 'danger orderer-addresses-replaced /Channel/Orderer',
    summary: /^dangerous: .*no orderer address has a TLS CA that issued the certificate of its consenter/,
  },
  {
    what: 'the TLS certificate of a second of three Raft consenters, the first may not have been restarted',
    config: 'app2',
    before: both(withTlsCa, newTls(0)),
    change: newTls(1),
    network: 'no leader, for good',
    finding: 'warning consenter-must-restart /Channel/Orderer/ConsensusType',
    summary: /both other consenters must stay up/,
  },
  {
    what: 'a second of three Raft consenters moves to an address where nothing listens',
    config: 'app2',
    before: moveRaft(0),
    change: moveRaft(1),
    network: 'it worked until the restart of the orderers, and never after it',
    finding: 'warning consenter-moved /Channel/Orderer/ConsensusType',
    summary: /both other consenters must stay up/,
  },
  {
    what: 'a BFT consenter gets an identity that no CA of its MSP issued',
    config: 'bft4',
    change: (channel) =>
      inConsenters(channel, ([first]) => {
        first!.identity = makeCertificate({ commonName: 'strange' }).pem;
        inPolicy(orderer(channel), 'BlockValidation', (policy) => {
          const [{ principal }] = policy.identities as [{ principal: Uint8Array }];
          const identity = parse('msp.SerializedIdentity', principal);
          identity.id_bytes = first!.identity;
          Object.assign((policy.identities as Tree[])[0]!, {
            principal: serialize('msp.SerializedIdentity', identity),
          });
        });
      }),
    network: 'it lost the channel, and its signatures never counted',
    finding: 'danger bft-identity-invalid /Channel/Orderer/Orderers',
    summary: /dangerous/,
  },
  {
    what: 'the only revocation list is removed',
    config: 'app3',
    before: (channel) =>
      inMsp(org1(channel), (msp) => {
        (msp.root_certs as Uint8Array[]).push(CA.pem);
        msp.revocation_list = [makeRevocationList(certificateIn(CA.pem)!.subject.raw, [161n], CA)];
      }),
    change: (channel) => inMsp(org1(channel), (msp) => (msp.revocation_list = [])),
    network: 'the revoked user read blocks again',
    finding: 'danger msp-revocation-removed /Channel/Application/Org1/MSP',
    summary: /dangerous/,
  },
  {
    what: 'one of two organisations is removed',
    config: 'app2',
    change: (channel) => void delete application(channel).groups.Org2,
    network: 'Org1 decided alone, Org2 lost everything',
    finding: 'warning sole-control-gained /Channel/Application',
    summary: /^warning: removes organisation Org2; Org1 decides alone/,
  },
];

for (const { what, config, before, change, network, finding, summary } of KINDS)
  test(`seen on a network: ${what}`, async (t) => {
    const review = await reviewOf(config, change, before);
    const found = review.findings.map(({ severity, id, path }) => [severity, id, path].join(' '));
    t.true(found.includes(finding), `${network}; findings: ${found.join(', ')}`);
    t.regex(summaryOf(review), summary, network);
  });

/** What is wrong in a config by itself, which `check` finds. */
const STATES: readonly (readonly [what: string, change: Change, network: string, finding: string])[] = [
  [
    'NodeOUs with the channel capability V1_3',
    (channel) => {
      setCapabilities(channel, 'V1_3');
      for (const group of Object.values(orderer(channel).groups)) delete group.values.Endpoints;
    },
    'every admin is FORBIDDEN for ever',
    'danger policy-unsatisfiable /Channel/Admins',
  ],
  [
    'no address of an orderer',
    (channel) => {
      for (const group of Object.values(orderer(channel).groups)) delete group.values.Endpoints;
    },
    'peers never got a block',
    'danger orderer-addresses-none /Channel/Orderer',
  ],
  [
    'the application capability V1_3',
    (channel) => setCapabilities(application(channel), 'V1_3'),
    'no chaincode could be defined',
    'danger lifecycle-missing /Channel/Application/Capabilities',
  ],
  [
    'no policy Endorsement of the application',
    (channel) => void delete application(channel).policies.Endorsement,
    'approvals of definitions failed',
    'danger service-nobody /Channel',
  ],
];

const checkOf = async (change: Change): Promise<ConfigCheck> => {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  change(tree.channel_group as Group);
  return checkConfig(readConfigFile(serialize('common.Config', tree)), { now: new Date(now) });
};

for (const [what, change, network, finding] of STATES)
  test(`a check of a config with ${what}: ${finding}`, async (t) => {
    const check = await checkOf(change);
    const found = check.findings.map(({ severity, id, path }) => [severity, id, path].join(' '));
    t.true(found.includes(finding), `${network}; findings: ${found.join(', ')}`);
    t.notRegex(summaryOf(check), /^harmless/, network);
  });

test('the certificate of one of four Raft consenters: orderers accept it only if all are alive', async (t) => {
  // Real orderers, one of which never joined, refused it: "3 out of 4 nodes are alive".
  const { acceptedIf } = await reviewOf('raft5', both(newTls(0)), (channel) => {
    withTlsCa(channel);
    inRaftConsenters(channel, (consenters) => void consenters.pop());
  });
  t.deepEqual(acceptedIf, { alive: 4, of: 4 });
});
