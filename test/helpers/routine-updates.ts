// Updates that administrators make every day, by the edits of the command line: nobody loses or gains anything that is a danger.

import { readFileSync } from 'node:fs';
import { channelOf, consentersOf, type Organization } from '../../translator/channel/channel.js';
import type { Config } from '../../translator/channel/element.js';
import { readConfigFile } from '../../translator/channel/file.js';
import { readConfig } from '../../translator/channel/read.js';
import { addressText } from '../../translator/channel/address.js';
import {
  addConsenter,
  editAnchorPeers,
  rotateConsenter,
  removeConsenter,
  removeOrganization,
  setAcl,
  setByPath,
  setEndpoints,
  setPolicy,
} from '../../translator/edit/index.js';
import { addOrganization, makeOrganization } from '../../translator/edit/org.js';
import type { MspFiles } from '../../translator/edit/msp.js';
import { parse, serialize } from '../fuzz/review/messages.js';
import { inMsp, type Group } from './changed-config.js';
import { largeChannel } from './large-channel.js';
import { makeCertificate } from './made-certificates.js';
import { bytesIn, readReviewCases } from './review-cases.js';
import { writeConfig } from '../../translator/channel/write.js';

/** An update of a channel. */
export interface RoutineUpdate {
  /** The channel and the edit, as a user would say it. */
  readonly title: string;
  readonly before: Config;
  readonly after: Config;
  /** Whether an organisation leaves, which takes its services. */
  readonly leaves: boolean;
}

const { configs } = readReviewCases();
const TLS = makeCertificate({ commonName: 'tlsca.routine' });
const CA = makeCertificate({ commonName: 'ca.routine' });
const nodeCertificate = (): Uint8Array => makeCertificate({ commonName: 'node', issuer: TLS }).pem;

const unit = (name: string) => ({ unit: name, certificate: CA.pem });
const FILES: MspFiles = {
  roots: [CA.pem],
  intermediates: [],
  admins: [],
  revocationLists: [],
  tlsRoots: [TLS.pem],
  tlsIntermediates: [],
  units: [],
  nodeOus: { client: unit('client'), peer: unit('peer'), admin: unit('admin'), orderer: unit('orderer') },
};

/** The config with a change of its MSPs. */
function withMsps(config: Config, path: readonly string[], change: Parameters<typeof inMsp>[1]): Config {
  const tree = parse('common.Config', writeConfig(config));
  let group = tree.channel_group as Group;
  for (const name of path) group = group.groups[name]!;
  inMsp(group, change);
  return readConfig(serialize('common.Config', tree));
}

const names = ({ section, name }: Organization): readonly string[] => [section, name];

/** The channels; the TLS CA of new nodes is in the MSPs of their orderers. */
function* channels(): Generator<readonly [name: string, Config]> {
  const all: readonly (readonly [string, Config])[] = [
    ['raft', readConfigFile(readFileSync('test/vectors/powers/raft.block')).config],
    ['bft', readConfigFile(readFileSync('test/vectors/powers/bft.block')).config],
    ['app3', readConfig(bytesIn(configs.app3!))],
    ['raft2', readConfig(bytesIn(configs.raft2!))],
    ['large', readConfig(largeChannel(14, 1).config)],
  ];
  for (const [name, config] of all)
    yield [
      name,
      channelOf(config).orderer.organizations.reduce(
        (changed, organization) =>
          withMsps(changed, names(organization), (msp) => {
            (msp.tls_root_certs as Uint8Array[]).push(TLS.pem);
          }),
        config,
      ),
    ];
}

/** All updates. */
export function* routineUpdates(): Generator<RoutineUpdate> {
  for (const [name, before] of channels())
    for (const [title, after, leaves] of editsOf(before))
      yield { title: `${name}: ${title}`, before, after, leaves: leaves ?? false };
}

type Edit = readonly [title: string, after: Config, leaves?: boolean];

function* editsOf(config: Config): Generator<Edit> {
  const { application, orderer, ordererAddresses } = channelOf(config);
  // Peers ignore the addresses of the channel as soon as an organisation has endpoints.
  const shared = orderer.organizations.some(({ endpoints }) => endpoints.length > 0) ? [] : ordererAddresses;
  for (const organization of application.organizations) yield* applicationEdits(config, organization);
  if (application.organizations.length > 2)
    for (const { name } of application.organizations)
      yield [`org remove ${name}`, removeOrganization(config, name, 'Application').config, true];
  for (const section of ['Application', 'Orderer'] as const) {
    const group = makeOrganization(section, 'RoutineMSP', FILES);
    const endpoints = section === 'Orderer' && shared.length === 0 ? ['routine.test:7050'] : [];
    yield [`org add to ${section}`, addOrganization(config, { section, group, endpoints }).config];
  }
  for (const organization of orderer.organizations) {
    const { name, endpoints } = organization;
    const path = ['Orderer', name].join('/');
    yield [
      `endpoints set ${name}`,
      setEndpoints(config, name, [...endpoints, ...shared, 'a.test:7050']).config,
    ];
    yield [`a second CA for ${path}`, withMsps(config, names(organization), addCa)];
  }
  yield* consenterEdits(config);
  for (const [path, text] of SETTINGS) yield [`set ${path} ${text}`, setByPath(config, path, text).config];
  for (const [resource, policy] of ACLS)
    yield [`acl set ${resource} ${policy}`, setAcl(config, resource, policy).config];
  for (const [path, text] of POLICIES)
    yield [`policy set ${path} ${text}`, setPolicy(config, path, text).config];
}

const addCa = (msp: Record<string, unknown>): void => void (msp.root_certs as Uint8Array[]).push(CA.pem);

const SETTINGS = [
  ['orderer.batchSize.maxMessageCount', '77'],
  ['orderer.batchSize.preferredMaxBytes', '1000000'],
  ['orderer.batchSize.absoluteMaxBytes', '50000000'],
  ['orderer.batchTimeout', '3s'],
] as const;

const ACLS = [
  ['peer/Propose', '/Channel/Application/Writers'],
  ['peer/ChaincodeToChaincode', 'Writers'],
  ['_lifecycle/CommitChaincodeDefinition', '/Channel/Application/Writers'],
  ['event/Block', '/Channel/Application/Readers'],
  ['event/FilteredBlock', '/Channel/Readers'],
  ['gateway/CommitStatus', 'Readers'],
  ['qscc/GetBlockByTxID', '/Channel/Application/Readers'],
  ['cscc/GetConfigBlock', '/Channel/Application/Readers'],
  ['lscc/GetChaincodeData', 'Readers'],
] as const;

const POLICIES = [
  ['Application/Extra', 'ANY Readers'],
  ['Application/Auditors', 'MAJORITY Admins'],
  ['Orderer/Extra', 'ANY Writers'],
] as const;

function* applicationEdits(config: Config, organization: Organization): Generator<Edit> {
  const { name, mspId } = organization;
  yield [`anchor-peers set ${name}`, editAnchorPeers(config, 'set', name, ['peer9.test:7051']).config];
  yield [`a second CA for ${name}`, withMsps(config, names(organization), addCa)];
  yield [`anchor-peers add ${name}`, editAnchorPeers(config, 'add', name, ['peer8.test:7051']).config];
  yield [
    `a second TLS CA for ${name}`,
    withMsps(config, names(organization), (msp) => {
      msp.tls_root_certs = [...((msp.tls_root_certs as Uint8Array[] | undefined) ?? []), TLS.pem];
    }),
  ];
  yield [
    `a new policy of ${name}`,
    setPolicy(config, `Application/${name}/Extra`, `OR('${mspId!}.admin')`).config,
  ];
}

function* consenterEdits(config: Config): Generator<Edit> {
  const consenters = consentersOf(channelOf(config));
  for (const consenter of consenters) {
    const address = addressText(consenter);
    yield [
      `consenter rotate ${address}`,
      rotateConsenter(config, address, { tls: nodeCertificate() }).config,
    ];
    if (consenters.length > 3) yield [`consenter remove ${address}`, withoutConsenter(config, address)];
  }
  const [organization] = channelOf(config).orderer.organizations;
  if (channelOf(config).orderer.isBft || organization === undefined) return;
  const added = { address: 'new.test:7050', organization: organization.name, tls: nodeCertificate() };
  yield ['consenter add new.test:7050', addConsenter(config, added).config];
}

const withoutConsenter = (config: Config, address: string): Config => removeConsenter(config, address).config;
