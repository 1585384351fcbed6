// For each rule and severity an update or a config that makes it find something: recorded ones, and ones that are made here.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { readConfig, readConfigFile, readUpdateFile, writeConfig } from '../../translator/channel/index.js';
import { makeGroup } from '../../translator/channel/make.js';
import { setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import { certificateIn, MspCache } from '../../translator/msp/index.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../translator/policy/index.js';
import { checkConfig, review, type Finding } from '../../translator/review/index.js';
import { computeUpdate } from '../../translator/update/index.js';
import { parse, serialize, type Tree } from '../fuzz/review/messages.js';
import {
  application,
  inBft,
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
} from './changed-config.js';
import { largeChannel } from './large-channel.js';
import { makeCertificate, makeRevocationList, type Made } from './made-certificates.js';
import { bytesIn, readOutcomes, readReviewCases, readVerdicts } from './review-cases.js';

const { now, configs, cases } = readReviewCases();
const msps = new MspCache();

/** The id of a rule and a severity: `policy-missing danger`. */
type Key = string;

/** Recorded updates, and what is found in them and in no other of the list. */
const RECORDED: readonly (readonly [name: string, keys: readonly Key[]])[] = [
  ['case bft-006', ['consenters-changed danger']],
  ['case bft-012', ['bft-block-validation refused']],
  ['case bft-014', ['bft-id-duplicate danger']],
  ['case bft-016', ['bft-certificate danger']],
  ['case bft-019', ['bft-options refused']],
  ['case bft-022', ['block-validation danger', 'raft-metadata-empty danger']],
  ['case bft-024', ['bft-consenters-missing refused']],
  ['case consenters-004', ['consenters-too-many refused']],
  [
    'case consenters-016',
    ['consenters-no-fault-tolerance warning', 'consenters-quorum warning', 'signature-ignored warning'],
  ],
  ['case consenters-039', ['consenter-key-usage danger']],
  ['case consenters-045', ['raft-election-short danger', 'raft-metadata refused']],
  ['case content-022', ['capability-unsupported refused']],
  ['case content-025', ['application-capability-unknown danger']],
  ['case content-026', ['acls-not-allowed refused']],
  ['case content-033', ['capability-raised warning', 'orderer-addresses-global refused']],
  ['case content-046', ['value-unknown refused']],
  ['case content-049', ['value-undecodable refused']],
  ['case content-051', ['group-unknown refused']],
  ['case content-052', ['group-in-organization refused']],
  ['case content-056', ['consortiums-added refused']],
  [
    'case content-061',
    [
      'consenter-unreachable danger',
      'msp-id-empty refused',
      'policy-unknown-msp warning',
      'policy-unsatisfiable danger',
    ],
  ],
  ['case content-064', ['msp-id-shared warning']],
  ['case content-070', ['msp-ca-shared warning']],
  ['case content-078', ['msp-admin-expired warning']],
  ['case content-079', ['msp-admin-revoked warning', 'msp-revocation warning']],
  ['case content-083', ['msp-invalid refused', 'msp-node-ou-changed danger']],
  ['case content-088', ['msp-hash-family danger']],
  ['case content-092', ['msp-tls-ca-missing warning']],
  ['case content-116', ['policy-always-satisfied danger']],
  ['case content-124', ['kafka-brokers warning']],
  ['case identity-001', ['policy-unsatisfiable warning', 'signer-expired warning']],
  ['case implicit-meta-058', ['mod-policy-unsatisfiable refused']],
  ['case maintenance-012', ['consensus-state-unknown danger']],
  ['case maintenance-015', ['bft-switch-policy danger']],
  ['case maintenance-022', ['endpoints-missing refused', 'maintenance-entered warning']],
  [
    'case maintenance-024',
    [
      'bft-duration danger',
      'bft-option danger',
      'bft-without-v3 danger',
      'change-not-shown danger',
      'consensus-type refused',
    ],
  ],
  ['case mod-policy-091', ['element-policy-missing refused', 'policy-always-satisfied warning']],
  ['case mod-policy-138', ['policy-foreign-msp danger']],
  ['case signature-034', ['signatures-order unsigned']],
  ['case signature-096', ['signature-header-undecodable refused']],
  ['case submit-019', ['message-too-large refused']],
  ['case submit-021', ['anchor-peers-removed warning', 'config-too-large refused']],
  [
    'case versions-015',
    [
      'batch-timeout refused',
      'capability-lowered danger',
      'capability-lowered warning',
      'group-removed refused',
      'hashing-algorithm refused',
      'hashing-width refused',
      'migration-invalid refused',
      'mod-policy-missing danger',
      'orderer-addresses-missing refused',
      'service-lost warning',
      'update-mod-policy refused',
      'update-version refused',
    ],
  ],
  ['case versions-022', ['change-ignored warning']],
  ['case versions-033', ['update-name refused']],
  ['case versions-067', ['update-channel refused', 'update-empty refused']],
  [
    'network two ACLs, one names no policy',
    [
      'acl-policy-missing danger',
      'service-lost danger',
      'signatures-missing unsigned',
      'submitter-missing unsigned',
    ],
  ],
  ['outcome bft/bft-id-zero', ['bft-id-zero danger']],
  ['outcome bft2/bft-mspid-org1', ['consenter-unreachable warning']],
  [
    'outcome raft/consenter-expired',
    ['consenter-certificate refused', 'consenter-expired warning', 'consenter-must-join warning'],
  ],
  ['outcome raft/consenter-same-host-port', ['consenters-quorum refused']],
  ['outcome solo/acl-name-only-key', ['acl-unknown-resource warning']],
  ['outcome solo/batch-preferred-over', ['batch-bytes-large danger', 'batch-size refused']],
  ['outcome solo/cap-channel-removed', ['endpoints-not-allowed refused', 'signer-cut-off danger']],
  ['outcome solo/crl-revokes-admin-orderer', ['msp-revocation-list danger']],
  [
    'outcome solo/game-org-mspid-changed',
    [
      'msp-ca-removed danger',
      'msp-id-changed refused',
      'msp-tls-ca-removed warning',
      'policy-weakened danger',
      'policy-weakened warning',
      'service-gained danger',
    ],
  ],
  ['outcome solo/game-submitter-expired', ['submitter-expired refused']],
  ['outcome solo/game-unknown-field', ['update-not-canonical refused']],
  ['outcome solo/game-wrong-channel-in-header', ['channel-mismatch refused']],
  ['outcome solo/id-submitter-orderer-no-ou', ['submitter-not-writer refused']],
  ['outcome solo/msp-ou-required', ['msp-unit-required danger']],
  ['outcome solo/msp-root-self-expired-only', ['msp-ca-expired warning', 'msp-ca-without-roles warning']],
  ['outcome solo/pol-null', ['policy-invalid refused']],
  ['outcome solo/timeout-300000000000000000ns', ['batch-timeout-long danger']],
  [
    'outcome v25/game-readset-wrong-version',
    ['capabilities-order refused', 'sub-policy-missing warning', 'update-read-set refused'],
  ],
  ['outcome v25/game-sig-twice-same', ['signature-duplicate warning']],
  ['power BFT timeouts of a millisecond that are harmless', ['bft-timeout-short warning']],
  ['power CRL that revokes the orderers', ['msp-revocation danger']],
  ['power largest request of 500 bytes', ['bft-request-bytes danger']],
  ['power request pool and buffer of 2^63-1', ['bft-buffer danger']],
  ['verdict bft/04-unknown-msp', ['bft-msp-unknown danger']],
  ['verdict rej/20-anchor-empty-host', ['anchor-peer-incomplete warning']],
  ['verdict rej2/33-consenter-empty-host', ['consenter-address danger']],
  ['verdict rej3/46-endpoint-malformed', ['endpoint-malformed warning']],
  ['verdict rej4/57-acl-unknown-name', ['service-gained warning']],
  ['verdict rej4/63-anything-after-1000', ['absolute-max-bytes-low warning']],
  ['verdict rej9/03-swapped', ['update-without-effect warning']],
];

const asJson = <Content>(path: string): Content =>
  JSON.parse(
    (path.endsWith('.br') ? brotliDecompressSync(readFileSync(path)) : readFileSync(path)).toString(),
  ) as Content;

interface PowersCase {
  readonly name: string;
  readonly network: string;
  readonly fabric?: string;
  readonly update: string;
}

/** Reviews a recorded update: `case content-001`, `verdict …`, `outcome …`, `power …`, `network …`. */
async function recorded(source: string): Promise<readonly Finding[]> {
  const at = source.indexOf(' ');
  const [kind, name] = [source.slice(0, at), source.slice(at + 1)];
  if (kind === 'case') {
    const { envelope, config, active } = cases.find(({ id }) => id === name)!;
    return reviewed(bytesIn(envelope), bytesIn(configs[config]!), { now: new Date(now), active });
  }
  if (kind === 'verdict') {
    const { blobs, submitters, verdicts } = readVerdicts();
    const { block, envelope, time, submitter } = verdicts.find((each) => each.name === name)!;
    return reviewed(bytesIn(blobs[envelope]!), bytesIn(blobs[block]!), {
      now: new Date(time * 1000),
      submitter: submitter === undefined ? undefined : bytesIn(submitters[submitter]!),
    });
  }
  if (kind === 'outcome') {
    const { blocks, updates } = readOutcomes();
    const { block, envelope, time, fabric, active } = updates.find((each) => each.name === name)!;
    return reviewed(bytesIn(envelope), bytesIn(blocks[block]!), {
      now: new Date(time * 1000),
      fabric: [fabric],
      active,
    });
  }
  const directory = 'test/vectors/powers';
  if (kind === 'power') {
    const { update, network } = asJson<readonly PowersCase[]>(`${directory}/cases.json`).find(
      (each) => each.name === name,
    )!;
    const block = readFileSync(`${directory}/${network}.block`);
    return reviewed(Buffer.from(update, 'base64'), block, { now: new Date('2026-11-25T00:00:00Z') });
  }
  const networks = asJson<{
    readonly now: string;
    readonly blocks: Readonly<Record<string, string>>;
    readonly cases: readonly PowersCase[];
  }>(`${directory}/networks.json.br`);
  const { update, network, fabric } = networks.cases.find((each) => each.name === name)!;
  return reviewed(Buffer.from(update, 'base64'), Buffer.from(networks.blocks[network]!, 'base64'), {
    now: new Date(networks.now),
    fabric: fabric === undefined ? [] : [fabric],
  });
}

const reviewed = async (
  update: Uint8Array,
  block: Uint8Array,
  options: Parameters<typeof review>[2],
): Promise<readonly Finding[]> =>
  (await review(readUpdateFile(update), readConfigFile(block), { ...options, msps })).findings;

const made = async (...args: Parameters<typeof reviewOf>): Promise<readonly Finding[]> =>
  (await reviewOf(...args)).findings;

/** A check of a changed config. */
async function checked(
  name: string,
  change: (channel: Group) => void,
  fabric: readonly string[] = [],
): Promise<readonly Finding[]> {
  const tree = parse('common.Config', bytesIn(configs[name]!));
  change(tree.channel_group as Group);
  const file = readConfigFile(serialize('common.Config', tree));
  return (await checkConfig(file, { now: new Date(now), fabric })).findings;
}

const inOptions =
  (values: Readonly<Record<string, unknown>>) =>
  (channel: Group): void =>
    inRaft(channel, ({ options }) => void Object.assign(options, values));

const setState =
  (state: number) =>
  (channel: Group): void =>
    inValue(orderer(channel), 'ConsensusType', 'orderer.ConsensusType', (message) => (message.state = state));

const setBatch =
  (values: Readonly<Record<string, unknown>>) =>
  (channel: Group): void =>
    inValue(
      orderer(channel),
      'BatchSize',
      'orderer.BatchSize',
      (message) => void Object.assign(message, values),
    );

const CA = makeCertificate({ commonName: 'ca.revoking' });
const withCa = (channel: Group): void =>
  inMsp(ordererOrg(channel), (msp) => (msp.root_certs = [...(msp.root_certs as Uint8Array[]), CA.pem]));
const revokes =
  (node: Made) =>
  (channel: Group): void =>
    inMsp(ordererOrg(channel), (msp) => {
      msp.revocation_list = [makeRevocationList(certificateIn(node.pem)!.issuer.raw, [serialOf(node)], CA)];
    });

const serialOf = ({ pem }: Made): bigint => certificateIn(pem)!.serial;

const ORDERER = makeCertificate({ commonName: 'orderer1', issuer: CA });

/** Fourteen organisations of which each is named by a policy of another one. */
async function manySets(): Promise<readonly Finding[]> {
  const names = Array.from({ length: 14 }, (_, index) => `Org${index + 1}`);
  const before = names.reduce(
    (config, name, index) => {
      const other = names[(index + 1) % names.length]!;
      return setPolicy(config, `/Channel/Application/${name}/Helpers`, `OR('${other}MSP.admin')`).config;
    },
    readConfig(largeChannel(names.length, 1).config),
  );
  const after = setPolicy(before, '/Channel/Application/Clerks', 'ANY Readers').config;
  const { bytes: envelope } = unsignedUpdate(before, after, 'channel');
  return reviewed(envelope, writeConfig(before), { now: new Date(now), fabric: ['3.0'] });
}

/** Seven of fifteen principals: more than a thousand sets. */
const MANY = `OutOf(7, ${['Org1', 'Org2', 'Org3']
  .flatMap((name) => ['admin', 'peer', 'client', 'orderer', 'member'].map((role) => `'${name}MSP.${role}'`))
  .join(', ')})`;

const setRule = (group: Group, name: string, rule: string): void => {
  const value = writeSignaturePolicy(parseSignaturePolicy(rule));
  group.policies[name] = { policy: { type: 1, value }, mod_policy: 'Admins' };
};

/** An update of the batch timeout that also sets the batch size to its content. */
async function sameAgain(): Promise<readonly Finding[]> {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  const { BatchSize: batchSize } = orderer(tree.channel_group as Group).values;
  inValue(
    orderer(tree.channel_group as Group),
    'BatchTimeout',
    'orderer.BatchTimeout',
    (message) => (message.timeout = '3s'),
  );
  const update = parse(
    'common.ConfigUpdate',
    readUpdateFile(computeUpdate(bytesIn(configs.app3!), serialize('common.Config', tree), 'testchannel'))
      .update.bytes,
  );
  const written = orderer(update.write_set as Group);
  const { version = 0 } = batchSize as { version?: number };
  written.values.BatchSize = { ...batchSize!, version: version + 1 } as never;
  return reviewed(serialize('common.ConfigUpdate', update), bytesIn(configs.app3!), { now: new Date(now) });
}

/** A root CA that Go refuses before 1.24. */
const OLD_ROOT = asJson<readonly { readonly id: string; readonly roots: readonly string[] }[]>(
  'test/vectors/certificates/cases.json.br',
).find(({ id }) => id === 'own critical policyConstraints in root')!.roots[0]!;
const addRoot = (channel: Group): void =>
  inMsp(org1(channel), (msp) => void (msp.root_certs as Uint8Array[]).push(Buffer.from(OLD_ROOT)));

/** The size of a config envelope of a config, about. */
const sizeOf = (name: string): number => bytesIn(configs[name]!).length;

const EXPIRED = makeCertificate({
  commonName: 'tlsca.expired',
  validity: ['20200101000000Z', '20210101000000Z'],
});

const TLS_CA = makeCertificate({ commonName: 'tlsca.other' });
const OF_TLS_CA = makeCertificate({ commonName: 'orderer1', issuer: TLS_CA });
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n';

/** A policy of an unknown rule needs no group; nobody satisfies one that counts policies that no group has. */
const metaOf = (rule: number): { policy: Tree; mod_policy: string } => ({
  policy: { type: 3, value: serialize('common.ImplicitMetaPolicy', { rule, sub_policy: 'Nope' }) },
  mod_policy: 'Admins',
});
const [ANY, NEEDS_NONE] = [0, 9];
const withOdd =
  (rule: number) =>
  (channel: Group): void =>
    void (application(channel).policies.Odd = metaOf(rule));
const moveToOdd = (channel: Group): void => void (orderer(channel).mod_policy = '/Channel/Application/Odd');

const ADMINS = { type: 3, value: serialize('common.ImplicitMetaPolicy', { rule: 0, sub_policy: 'Admins' }) };
const anyAdmin = (channel: Group): void =>
  void (application(channel).policies.Admins = { policy: ADMINS, mod_policy: 'Admins' });

const setAddresses =
  (...addresses: readonly string[]) =>
  (channel: Group): void => {
    for (const group of [channel, ...Object.values(orderer(channel).groups)])
      for (const name of ['OrdererAddresses', 'Endpoints'])
        if (group.values[name] !== undefined)
          inValue(group, name, 'common.OrdererAddresses', (message) => (message.addresses = addresses));
  };

/** A second orderer organisation, all members of which are Writers. */
const addOrderers = (channel: Group): void => {
  const group = structuredClone(ordererOrg(channel));
  inMsp(group, (msp) => (msp.name = 'Ord2MSP'));
  for (const name of ['Admins', 'Readers', 'Writers']) setRule(group, name, "OR('Ord2MSP.member')");
  orderer(channel).groups.Ord2 = group;
};

const MADE: Readonly<Record<Key, () => Promise<readonly Finding[]>>> = {
  'absolute-max-bytes-small danger': () =>
    made('app3', setBatch({ absolute_max_bytes: 2000, preferred_max_bytes: 1000 })),
  'acl-policy-open danger': () =>
    made(
      'app3',
      (channel) => {
        const acls = { 'event/Block': { policy_ref: '/Channel/Application/Odd' } };
        application(channel).values.ACLs = {
          value: serialize('protos.ACLs', { acls }),
          mod_policy: 'Admins',
        };
      },
      withOdd(NEEDS_NONE),
    ),
  'batch-timeout-long warning': () =>
    made('app3', (channel) =>
      inValue(
        orderer(channel),
        'BatchTimeout',
        'orderer.BatchTimeout',
        (message) => (message.timeout = '30s'),
      ),
    ),
  'bft-identity-invalid danger': () =>
    checked('bft4', (channel) =>
      inConsenters(channel, ([first]) => {
        first!.identity = makeCertificate({ commonName: 'orderer' }).pem;
      }),
    ),
  'msp-intermediate-ca-added danger': () => {
    const root = makeCertificate({ commonName: 'ca.org1' });
    const intermediate = makeCertificate({ commonName: 'ica.org1', issuer: root, isCa: true });
    return made(
      'app3',
      (channel) => inMsp(org1(channel), (msp) => void (msp.intermediate_certs = [intermediate.pem])),
      (channel) =>
        inMsp(org1(channel), (msp) => void Object.assign(msp, { root_certs: [root.pem], admins: [] })),
    );
  },
  'block-signers-added danger': () =>
    made('app3', (channel) => void (orderer(channel).groups.Org1 = structuredClone(org1(channel)))),
  'block-signers-added warning': () => made('app3', addOrderers),
  'sole-control-lost warning': () =>
    made('raft5', (channel) =>
      setRule(orderer(channel), 'Admins', "AND('OrdererMSP.admin', 'Org1MSP.admin')"),
    ),
  'bft-consenters-missing danger': () =>
    checked('bft4', (channel) => void delete orderer(channel).values.Orderers),
  'bft-duration-long danger': () => made('bft4', (channel) => inBft(channel, { view_change_timeout: '2h' })),
  'bft-not-restarted danger': () => made('bft4', setState(0), setState(1)),
  'bft-rotation refused': () =>
    made('bft4', (channel) => inBft(channel, { leader_rotation: 2, decisions_per_leader: 3 })),
  'bft-timeout-short danger': () =>
    made('bft4', (channel) => inBft(channel, { request_auto_remove_timeout: '1ms' })),
  'change-without-effect warning': sameAgain,
  'config-nearly-too-large warning': () =>
    made(
      'app3',
      setBatch({ max_message_count: 7 }),
      setBatch({ absolute_max_bytes: sizeOf('app3') + 1500, preferred_max_bytes: 1000 }),
    ),
  'consenter-address-shared warning': () =>
    made('raft5', (channel) =>
      inRaft(channel, ({ consenters }) => {
        const [first, second] = consenters as Tree[];
        second!.host = first!.host;
      }),
    ),
  'consenter-moved warning': () =>
    made('raft5', (channel) =>
      inRaft(channel, ({ consenters }) => void ((consenters as Tree[])[0]!.port = 9)),
    ),
  'consenter-must-restart warning': () =>
    made('raft5', (channel) =>
      inRaft(channel, ({ consenters }) => {
        const { pem } = makeCertificate({ commonName: 'o1' });
        Object.assign((consenters as Tree[])[0]!, { client_tls_cert: pem, server_tls_cert: pem });
      }),
    ),
  'consenter-removed warning': () =>
    made('raft5', (channel) => inRaft(channel, ({ consenters }) => void (consenters as Tree[]).pop())),
  'control-not-compared warning': manySets,
  'depends-on-version warning': () => made('app2', addRoot, undefined, { fabric: ['2.5'] }),
  'join-refused refused': () => checked('app3', (channel) => void delete channel.groups.Application),
  'kafka-broker refused': () =>
    made(
      'app3',
      (channel) => {
        const value = serialize('orderer.KafkaBrokers', { brokers: ['localhost'] });
        orderer(channel).values.KafkaBrokers = { value, mod_policy: 'Admins' };
      },
      undefined,
      { fabric: ['2.5'] },
    ),
  'lifecycle-missing danger': () =>
    checked('app3', (channel) => setCapabilities(application(channel), 'V1_3')),
  'mod-policy-frozen danger': () => made('app3', moveToOdd, withOdd(ANY)),
  'mod-policy-open danger': () => made('app3', moveToOdd, withOdd(NEEDS_NONE)),
  'msp-ca-foreign danger': () =>
    made('app3', (channel) =>
      inMsp(application(channel).groups.Org2!, (msp) => {
        (msp.root_certs as Uint8Array[]).push(makeCertificate({ commonName: 'ca.strange' }).pem);
        const units = msp.fabric_node_ous as Record<string, Tree>;
        units.peer_ou_identifier!.certificate = Buffer.alloc(0);
      }),
    ),
  'msp-id-invalid-in-policies warning': () =>
    made('app3', (channel) => {
      const { groups } = application(channel);
      groups.Org9 = structuredClone(groups.Org1!);
      inMsp(groups.Org9, (msp) => (msp.name = 'Org_9'));
    }),
  'msp-idemix danger': () =>
    made('app3', (channel) => inValue(org1(channel), 'MSP', 'msp.MSPConfig', (msp) => (msp.type = 1))),
  'msp-node-ous-enabled warning': () =>
    made(
      'app3',
      (channel) => inMsp(org1(channel), (msp) => ((msp.fabric_node_ous as Tree).enable = true)),
      (channel) => inMsp(org1(channel), (msp) => ((msp.fabric_node_ous as Tree).enable = false)),
    ),
  'msp-not-judged danger': () =>
    made('app3', (channel) =>
      inMsp(org1(channel), (msp) => {
        const root = makeCertificate({ commonName: 'root' });
        const rsaSignature = Buffer.alloc(2048, 1);
        const inner = { commonName: 'root', issuer: root, isCa: true, rsaSignature };
        msp.root_certs = [root.pem];
        msp.intermediate_certs = Array.from({ length: 50 }, () => makeCertificate(inner).pem);
      }),
    ),
  'msp-revocation-removed danger': () =>
    made(
      'app3',
      (channel) => inMsp(ordererOrg(channel), (msp) => (msp.revocation_list = [])),
      (channel) => {
        withCa(channel);
        inMsp(ordererOrg(channel), (msp) => {
          msp.revocation_list = [makeRevocationList(certificateIn(CA.pem)!.subject.raw, [161n], CA)];
        });
      },
    ),
  'msp-revoked danger': () =>
    made('app3', revokes(ORDERER), withCa, {
      signers: [serialize('msp.SerializedIdentity', { mspid: 'OrdererMSP', id_bytes: ORDERER.pem })],
    }),
  'msp-revoked warning': () =>
    made('raft2', revokes(OF_TLS_CA), (channel) => {
      withCa(channel);
      inMsp(ordererOrg(channel), (msp) => (msp.tls_root_certs as Uint8Array[]).push(TLS_CA.pem));
      inRaft(channel, ({ consenters }) => ((consenters as Tree[])[0]!.server_tls_cert = OF_TLS_CA.pem));
    }),
  'msp-signing-identity danger': () =>
    made('app3', (channel) =>
      inMsp(org1(channel), (msp) => {
        const [root] = msp.root_certs as Uint8Array[];
        const key = { key_identifier: 'key', key_material: Buffer.from(PRIVATE_KEY) };
        msp.signing_identity = { public_signer: root, private_signer: key };
      }),
    ),
  'msp-signer-expired refused': () =>
    made('app3', (channel) =>
      inMsp(org1(channel), (msp) => {
        const key = { key_identifier: 'key', key_material: Buffer.from(PRIVATE_KEY) };
        msp.signing_identity = { public_signer: EXPIRED.pem, private_signer: key };
      }),
    ),
  'msp-tls-ca-expired warning': () =>
    made('app3', (channel) =>
      inMsp(org1(channel), (msp) => (msp.tls_root_certs as Uint8Array[]).push(EXPIRED.pem)),
    ),
  'orderers-behind danger': () =>
    made('raft2', setState(1), undefined, {
      number: 5n,
      orderers: [{ address: 'o1.ord.example.com:7050', block: '4', reason: null }],
    }),
  'orderer-address-stale warning': () =>
    made('raft5', (channel) => inRaft(channel, ({ consenters }) => void (consenters as Tree[]).shift())),
  'orderer-addresses-none danger': () => checked('app3', setAddresses()),
  'orderer-addresses-replaced danger': () => made('app3', setAddresses('o9.ord.example.com:7050')),
  'orderer-addresses-replaced warning': () =>
    made(
      'app2',
      setAddresses('o9.ord.example.com:7050'),
      setAddresses('o1.ord.example.com:7050', 'o9.ord.example.com:7050'),
    ),
  'policy-missing danger': () => checked('app3', (channel) => void delete channel.policies.Readers),
  'policy-missing warning': () =>
    checked('app3', (channel) => void delete application(channel).policies.Endorsement),
  'policy-not-compared danger': () =>
    made('app3', (channel) => setRule(application(channel), 'Admins', MANY)),
  'policy-not-compared warning': () =>
    made(
      'app3',
      (channel) => setRule(application(channel), 'Clerks', MANY),
      (channel) => setRule(application(channel), 'Clerks', "AND('Org1MSP.admin', 'Org2MSP.admin')"),
    ),
  'raft-election-short warning': () => made('raft2', inOptions({ tick_interval: '50ms' })),
  'raft-election-timeout warning': () => made('raft2', inOptions({ tick_interval: '5s' })),
  'raft-election-timeout danger': () => made('raft2', inOptions({ tick_interval: '1h' })),
  'raft-inflight-blocks danger': () => made('raft2', inOptions({ max_inflight_blocks: 1_000_000_000 })),
  'raft-inflight-blocks warning': () => made('raft2', inOptions({ max_inflight_blocks: 1_000_000 })),
  'raft-snapshot-interval warning': () => made('raft2', inOptions({ snapshot_interval_size: 1 })),
  'raft-tick-negative danger': () => made('raft2', inOptions({ tick_interval: '-500ms' })),
  'request-nearly-too-large warning': () =>
    made('bft4', setBatch({ max_message_count: 7 }), (channel) =>
      inBft(channel, { request_max_bytes: sizeOf('bft4') + 1500 }),
    ),
  'request-too-large refused': () =>
    made('bft4', setBatch({ max_message_count: 7 }), (channel) => inBft(channel, { request_max_bytes: 500 })),
  'update-of-empty-config refused': () => computedFrom(EMPTY, bytesIn(configs.app3!)),
  'update-to-empty-config refused': () => computedFrom(bytesIn(configs.app3!), EMPTY),
  'service-nobody danger': () =>
    checked('app3', (channel) => void delete application(channel).policies.Endorsement),
  'sole-control-gained warning': () => made('app2', anyAdmin),
  'veto-lost warning': () => made('app2', anyAdmin),
  'versions-disagree danger': () => made('app2', addRoot, undefined, { fabric: ['2.5.12', '3.1.5'] }),
  'writers-missing refused': () =>
    made('app3', setBatch({ max_message_count: 7 }), (channel) => void delete channel.policies.Writers),
};

/** What Fabric's compute_update reads from a block. */
const EMPTY = writeConfig({ sequence: 0n, channelGroup: makeGroup({}) });

async function computedFrom(original: Uint8Array, updated: Uint8Array): Promise<readonly Finding[]> {
  const update = readUpdateFile(computeUpdate(original, updated, 'testchannel'));
  const { findings } = await review(update, readConfigFile(bytesIn(configs.app3!)), { now: new Date(now) });
  return findings;
}

/** Each is reviewed once. */
function once(find: () => Promise<readonly Finding[]>): () => Promise<readonly Finding[]> {
  let found: Promise<readonly Finding[]> | undefined;
  return () => (found ??= find());
}

/** What each rule finds, by id and severity. */
export const RULE_CASES: ReadonlyMap<Key, () => Promise<readonly Finding[]>> = new Map([
  ...RECORDED.flatMap(([source, keys]) => {
    const find = once(() => recorded(source));
    return keys.map((key) => [key, find] as const);
  }),
  ...Object.entries(MADE).map(([key, find]) => [key, once(find)] as const),
]);
