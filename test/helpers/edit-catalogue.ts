// Edits of a channel that administrators make, routine and harmful, which go together with each other. For channels with the organisations
// of recorded configs.

import { parseSignaturePolicy, writeSignaturePolicy } from '../../translator/policy/index.js';
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
  setCapabilities,
  type Group,
} from './changed-config.js';
import { makeCertificate } from './made-certificates.js';

/** An edit. */
export interface CatalogueEdit {
  readonly id: string;
  /** Whether an administrator makes it every day, and nobody loses anything by it. */
  readonly isRoutine: boolean;
  readonly change: (channel: Group) => void;
}

const CA = makeCertificate({ commonName: 'ca.catalogue' });
const TLS_CA = makeCertificate({ commonName: 'tlsca.catalogue' });

const meta = (rule: number, subPolicy: string): Tree => ({
  type: 3,
  value: serialize('common.ImplicitMetaPolicy', { rule, sub_policy: subPolicy }),
});
const [ANY, ALL, MAJORITY] = [0, 1, 2];
const signature = (text: string): Tree => ({
  type: 1,
  value: writeSignaturePolicy(parseSignaturePolicy(text)),
});
const ANYBODY = signature("OutOf(0, 'Org1MSP.peer')");
const set = (group: Group, name: string, policy: Tree): void => {
  group.policies[name] = { policy, mod_policy: group.policies[name]?.mod_policy ?? 'Admins' };
};

/** The organisations of the recorded channels have one of two names. */
const nameIn = (channel: Group, name: string): string =>
  application(channel).groups[name] === undefined ? `${name}MSP` : name;
const first = (channel: Group): Group => application(channel).groups[nameIn(channel, 'Org1')]!;
/** Changes the second organisation, unless it is removed. */
const inSecond =
  (change: (group: Group, channel: Group) => void) =>
  (channel: Group): void => {
    const group = application(channel).groups[nameIn(channel, 'Org2')];
    if (group !== undefined) change(group, channel);
  };

const mspOf = (group: Group): Tree =>
  parse('msp.FabricMSPConfig', parse('msp.MSPConfig', group.values.MSP!.value).config as Uint8Array);

const batch = (options: Tree) => (channel: Group) =>
  inValue(
    orderer(channel),
    'BatchSize',
    'orderer.BatchSize',
    (message) => void Object.assign(message, options),
  );
const timeout = (text: string) => (channel: Group) =>
  inValue(orderer(channel), 'BatchTimeout', 'orderer.BatchTimeout', (message) => (message.timeout = text));
const acl = (resource: string, policy: string) => (channel: Group) => {
  const { values } = application(channel);
  values.ACLs ??= { value: serialize('protos.ACLs', { acls: {} }), mod_policy: 'Admins' };
  inValue(application(channel), 'ACLs', 'protos.ACLs', (message) =>
    Object.assign(message.acls as Tree, { [resource]: { policy_ref: policy } }),
  );
};
const addCa = (kind: 'root_certs' | 'tls_root_certs', org: (channel: Group) => Group) => (channel: Group) =>
  inMsp(org(channel), (msp) => {
    msp[kind] = [
      ...((msp[kind] as Uint8Array[] | undefined) ?? []),
      (kind === 'root_certs' ? CA : TLS_CA).pem,
    ];
  });
const replaceCa = (org: (channel: Group) => Group) => (channel: Group) =>
  inMsp(org(channel), (msp) => {
    msp.root_certs = [CA.pem];
    for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
      unit.certificate &&= CA.pem;
  });
const endpoints = (change: (addresses: readonly string[]) => readonly string[]) => (channel: Group) => {
  for (const group of Object.values(orderer(channel).groups))
    if (group.values.Endpoints !== undefined)
      inValue(group, 'Endpoints', 'common.OrdererAddresses', (message) => {
        message.addresses = change((message.addresses as string[] | undefined) ?? []);
      });
};
const isBft = (channel: Group): boolean => orderer(channel).values.Orderers !== undefined;
const move = (count: number) => (channel: Group) => {
  const change = (consenters: Tree[]): void => {
    for (const each of consenters.slice(0, count)) each.port = 9;
  };
  if (isBft(channel)) inConsenters(channel, change);
  else inRaft(channel, ({ consenters }) => change(consenters as Tree[]));
};
const addOrganization = (section: (channel: Group) => Group, name: string) => (channel: Group) => {
  const group = structuredClone(first(channel));
  inMsp(group, (msp) => {
    msp.name = `${name}MSP`;
    msp.root_certs = [CA.pem];
    msp.intermediate_certs = [];
    msp.admins = [];
    msp.tls_root_certs = [TLS_CA.pem];
    for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
      unit.certificate &&= CA.pem;
  });
  delete group.values.AnchorPeers;
  const rules = { Admins: 'admin', Readers: 'member', Writers: 'member', Endorsement: 'peer' };
  for (const policy of Object.keys(group.policies))
    set(group, policy, signature(`OR('${name}MSP.${rules[policy as keyof typeof rules] ?? 'member'}')`));
  section(channel).groups[name] = group;
};

/** Elements whose mod_policy can move. */
const MOVABLE = {
  channel: (channel: Group) => channel,
  'channel-admins': (channel: Group) => channel.policies.Admins!,
  application,
  'application-admins': (channel: Group) => application(channel).policies.Admins!,
  orderer,
  'orderer-admins': (channel: Group) => orderer(channel).policies.Admins!,
  capabilities: (channel: Group) => channel.values.Capabilities!,
  org1: first,
  'batch-size': (channel: Group) => orderer(channel).values.BatchSize!,
} satisfies Readonly<Record<string, (channel: Group) => object>>;

const moves = (to: string, policy: string, names: readonly (keyof typeof MOVABLE)[]): CatalogueEdit[] =>
  names.map((name) => ({
    id: `mod-policy of ${name}: ${to}`,
    isRoutine: false,
    change: (channel) => void Object.assign(MOVABLE[name](channel), { mod_policy: policy }),
  }));

const edit =
  (isRoutine: boolean) =>
  (id: string, change: (channel: Group) => void): CatalogueEdit => ({
    id,
    isRoutine,
    change,
  });
const routine = edit(true);
const harmful = edit(false);

/** All edits. */
export const CATALOGUE: readonly CatalogueEdit[] = [
  routine('77 messages a block', batch({ max_message_count: 77 })),
  routine('blocks of at most 50 MB', batch({ absolute_max_bytes: 50_000_000 })),
  routine('BatchTimeout 3s', timeout('3s')),
  routine('a new policy that nothing names', (channel) =>
    set(application(channel), 'Auditors', meta(ANY, 'Readers')),
  ),
  routine('the unused policy Custom needs one signature', (channel) =>
    set(application(channel), 'Custom', signature("OR('Org1MSP.member', 'Org2MSP.member')")),
  ),
  routine('a new policy of Org1', (channel) =>
    set(first(channel), 'Auditors', signature("OR('Org1MSP.admin')")),
  ),
  routine('Readers of Org1 by its roles', (channel) => {
    set(first(channel), 'Readers', signature("OR('Org1MSP.peer', 'Org1MSP.admin', 'Org1MSP.client')"));
  }),
  routine(
    'an anchor peer of Org2',
    inSecond((group) => {
      group.values.AnchorPeers ??= { value: new Uint8Array(), mod_policy: 'Admins' };
      inValue(group, 'AnchorPeers', 'protos.AnchorPeers', (message) => {
        message.anchor_peers = [
          ...((message.anchor_peers as Tree[] | undefined) ?? []),
          { host: 'p9.test', port: 7051 },
        ];
      });
    }),
  ),
  routine('a second TLS CA of Org1', addCa('tls_root_certs', first)),
  routine('a second TLS CA of the orderers', addCa('tls_root_certs', ordererOrg)),
  routine('the ACL of event/Block is its default', acl('event/Block', '/Channel/Application/Readers')),
  routine('the ACL of peer/Propose is its default', acl('peer/Propose', '/Channel/Application/Writers')),
  routine(
    'a further endpoint',
    endpoints((addresses) => [...addresses, 'o9.test:7050']),
  ),
  routine('LifecycleEndorsement of all', (channel) =>
    set(application(channel), 'LifecycleEndorsement', meta(ALL, 'Endorsement')),
  ),
  harmful('a third organisation', addOrganization(application, 'Third')),
  harmful('a second orderer organisation', addOrganization(orderer, 'Ord9')),
  harmful('Org2 is removed', (channel) => {
    delete application(channel).groups[nameIn(channel, 'Org2')];
  }),
  harmful(
    'all endpoints are replaced',
    endpoints((addresses) => addresses.map((_, at) => `x${at}.test:1`)),
  ),
  harmful('the CA of Org1 is replaced', replaceCa(first)),
  harmful('the CA of the orderers is replaced', replaceCa(ordererOrg)),
  harmful(
    'Org2 gets the CA of Org1',
    inSecond((group, channel) => {
      const [ca] = mspOf(first(channel)).root_certs as Uint8Array[];
      inMsp(group, (msp) => {
        (msp.root_certs as Uint8Array[]).push(ca!);
        for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
          unit.certificate &&= Buffer.alloc(0);
      });
    }),
  ),
  harmful('the unit of admins of Org1 has another name', (channel) =>
    inMsp(first(channel), (msp) => {
      const units = msp.fabric_node_ous as { admin_ou_identifier: Tree };
      units.admin_ou_identifier.organizational_unit_identifier = 'boss';
    }),
  ),
  harmful('Application/Admins is ANY', (channel) => set(application(channel), 'Admins', meta(ANY, 'Admins'))),
  harmful('Channel/Admins is ANY', (channel) => set(channel, 'Admins', meta(ANY, 'Admins'))),
  harmful('LifecycleEndorsement is ANY', (channel) =>
    set(application(channel), 'LifecycleEndorsement', meta(ANY, 'Endorsement')),
  ),
  harmful('Application/Writers that nobody satisfies', (channel) =>
    set(application(channel), 'Writers', meta(MAJORITY, 'Nope')),
  ),
  harmful('Application/Readers that anybody satisfies', (channel) =>
    set(application(channel), 'Readers', ANYBODY),
  ),
  harmful('Channel/Readers of Org1 alone', (channel) =>
    set(channel, 'Readers', signature("OR('Org1MSP.member')")),
  ),
  harmful('Admins of Org1 also by Org2', (channel) =>
    set(first(channel), 'Admins', signature("OR('Org1MSP.admin', 'Org2MSP.admin')")),
  ),
  harmful('Endorsement of Org1 also by Org2', (channel) =>
    set(first(channel), 'Endorsement', signature("OR('Org1MSP.peer', 'Org2MSP.peer')")),
  ),
  harmful(
    'Endorsement of the application is removed',
    (channel) => void delete application(channel).policies.Endorsement,
  ),
  harmful('BlockValidation of Org1', (channel) =>
    set(orderer(channel), 'BlockValidation', signature("OR('Org1MSP.member')")),
  ),
  harmful('the ACL of event/Block is a policy that anybody satisfies', acl('event/Block', '/Channel/Free')),
  harmful('the ACL of peer/Propose is a policy that nobody satisfies', acl('peer/Propose', '/Channel/Foo')),
  harmful('the ACL of peer/Propose names no policy', acl('peer/Propose', '/Channel/Missing')),
  harmful('BatchTimeout 2h', timeout('2h')),
  harmful('blocks of at most 2,000 bytes', batch({ absolute_max_bytes: 2000, preferred_max_bytes: 1000 })),
  harmful('two consenters move', move(2)),
  harmful('one consenter moves', move(1)),
  harmful('an option of the consensus', (channel) =>
    isBft(channel)
      ? inBft(channel, { view_change_timeout: '2h' })
      : inRaft(channel, ({ options }) => void (options.tick_interval = '1h')),
  ),
  harmful('the application capability is V1_3', (channel) => setCapabilities(application(channel), 'V1_3')),
  harmful('Org1 is an orderer organisation, too', (channel) => {
    const group = structuredClone(first(channel));
    delete group.policies.Endorsement;
    delete group.values.AnchorPeers;
    orderer(channel).groups.Org1 = group;
  }),
  ...moves('anybody', '/Channel/Free', [
    'channel',
    'channel-admins',
    'application',
    'orderer-admins',
    'capabilities',
    'org1',
  ]),
  ...moves('nobody', '/Channel/Foo', ['channel', 'application-admins', 'orderer', 'capabilities', 'org1']),
  ...moves('missing', '/Channel/Missing', ['orderer-admins', 'batch-size']),
];

/** Adds what edits name: a policy that anybody satisfies, one that nobody satisfies, and one that nothing names. */
export function prepareForCatalogue(channel: Group): void {
  set(channel, 'Free', ANYBODY);
  set(channel, 'Foo', meta(ANY, 'Nope'));
  set(application(channel), 'Custom', signature("AND('Org1MSP.member', 'Org2MSP.member')"));
}
