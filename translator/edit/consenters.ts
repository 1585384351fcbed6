// Adds, removes and rotates consenters and their endpoints. Raft stores consenters in the metadata of the consensus type, BFT in the
// value Orderers, and the policy BlockValidation must match them exactly.

import { decodePem } from '../../core/common/certificates/pem.js';
import {
  CommonConsenter,
  CommonOrderers,
  EtcdraftConfigMetadata,
  EtcdraftConsenter,
  OrdererConsensusType,
} from '../../proto/messages.js';
import { replaceFields, writeMessage } from '../../proto/typed.js';
import { sameBytes, NO_BYTES } from '../../proto/bytes.js';
import {
  addressText,
  sameAddress,
  type Address,
  channelOf,
  type OrdererGroup,
  type Organization,
  bftQuorum,
  blockValidationPolicy,
  raftQuorum,
  readBftConsenters,
  type Consenter,
  type Config,
  type ConfigGroup,
  pathOf,
  valueOrEmpty,
} from '../channel/index.js';
import { addEndpoint, parseAddress, removeEndpoint } from './addresses.js';
import { badEdit, edited, type Edited } from './edited.js';
import { changeGroup, findOrganization, requiredOrderer, withPolicy, withValue } from './tree.js';

/** Certificates of a consenter in PEM. */
export interface ConsenterCertificates {
  /** Its TLS client certificate; without `serverTls` also its TLS server certificate. */
  readonly tls?: Uint8Array | undefined;
  readonly serverTls?: Uint8Array | undefined;
  /** Its signing certificate, only for BFT. */
  readonly identity?: Uint8Array | undefined;
}

/** A consenter to add. */
export interface NewConsenter extends ConsenterCertificates {
  /** `host:port` for the other consenters. */
  readonly address: string;
  /** Its organisation; optional if there is only one orderer organisation. */
  readonly organization?: string | undefined;
  /** `host:port` for peers and clients. @default the address */
  readonly endpoint?: string | undefined;
  /** For BFT. @default one more than the highest id */
  readonly id?: number | undefined;
}

type Consensus = 'etcdraft' | 'BFT';

function consensusOf({ consensus: { type } }: OrdererGroup): Consensus {
  if (type === 'etcdraft' || type === 'BFT') return type;
  throw badEdit(`the consensus type is ${JSON.stringify(type)}; etcdraft and BFT have consenters`);
}

/** A consenter to write. */
type Written = Pick<Consenter, 'bytes'>;

/** Replaces the consenters in the channel. */
function withConsenters(config: Config, consensus: Consensus, consenters: readonly Written[]): Config {
  const change = consensus === 'BFT' ? withBftConsenters : withRaftConsenters;
  const channelGroup = changeGroup(config.channelGroup, ['Orderer'], (orderer) =>
    change(orderer, consenters),
  );
  return { ...config, channelGroup };
}

function withRaftConsenters(orderer: ConfigGroup, entries: readonly Written[]): ConfigGroup {
  const value = orderer.values.get('ConsensusType')!.value;
  const { metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const consenters = entries.map(({ bytes }) => bytes);
  const changed = { metadata: replaceFields(EtcdraftConfigMetadata, metadata, { consenters }) };
  return withValue(orderer, 'ConsensusType', replaceFields(OrdererConsensusType, value, changed));
}

/** Replaces the consenters in the group Orderer of a BFT channel, and the policy BlockValidation. */
export function withBftConsenters(orderer: ConfigGroup, entries: readonly Written[]): ConfigGroup {
  const value = orderer.values.get('Orderers')?.value ?? NO_BYTES;
  const consenterMapping = entries.map(({ bytes }) => bytes);
  const changed = replaceFields(CommonOrderers, value, { consenterMapping });
  return withPolicy(
    withValue(orderer, 'Orderers', changed),
    'BlockValidation',
    blockValidationPolicy(readBftConsenters(changed)),
  );
}

/** Adds a consenter and its endpoint. @throws TranslateError BAD_EDIT */
export function addConsenter(config: Config, consenter: NewConsenter): Edited {
  const orderer = requiredOrderer(config);
  const consensus = consensusOf(orderer);
  const { consenters: entries } = orderer;
  const address = parseAddress(consenter.address);
  const text = addressText(address);
  if (entries.some((each) => sameAddress(each, address)))
    throw badEdit(`${text} is a consenter already; replace its certificates instead`);
  const client = certificate(consenter.tls, 'the TLS certificate');
  if (entries.some((each) => sameBytes(each.clientTlsCert, client)))
    throw badEdit('another consenter has this TLS certificate');
  const server =
    consenter.serverTls === undefined ? client : certificate(consenter.serverTls, 'the server certificate');
  const organization = organizationFor(config, address, consenter.organization);
  if (consensus === 'etcdraft') refuseBftParts(consenter);
  const bytes =
    consensus === 'BFT'
      ? newBftConsenter(entries, organization, consenter, { address, client, server })
      : writeMessage(EtcdraftConsenter, { ...address, clientTlsCert: client, serverTlsCert: server });
  const added = withConsenters(config, consensus, [...entries, { bytes }]);
  const endpoint = addressText(parseAddress(consenter.endpoint ?? consenter.address));
  const result = addEndpoint(added, organization, endpoint);
  return {
    config: result.config,
    notes: [
      `consenter ${text} added`,
      ...blockValidationNote(consensus),
      ...result.notes,
      quorumNote(consensus, entries.length + 1),
      `after the update, join ${text} to the channel: osnadmin channel join with the new config block`,
    ],
  };
}

function newBftConsenter(
  others: readonly Consenter[],
  organization: Organization,
  { identity, id }: NewConsenter,
  {
    address,
    client,
    server,
  }: { readonly address: Address; readonly client: Uint8Array; readonly server: Uint8Array },
): Uint8Array {
  const used = others.map((each) => each.id ?? 0);
  const next = id ?? Math.max(0, ...used) + 1;
  if (used.includes(next))
    throw badEdit(`the id ${next} is used by another consenter; used are ${used.join(', ')}`);
  return writeMessage(CommonConsenter, {
    id: next,
    ...address,
    mspId: organization.mspId ?? '',
    identity: certificate(identity, 'the signing certificate of a BFT consenter'),
    clientTlsCert: client,
    serverTlsCert: server,
  });
}

/** @throws TranslateError BAD_EDIT for fields that only BFT consenters have */
function refuseBftParts({ identity, id }: Pick<NewConsenter, 'identity' | 'id'>): void {
  if (identity !== undefined || id !== undefined)
    throw badEdit(
      `the consensus type is etcdraft: only BFT consenters have ${id === undefined ? 'a signing certificate' : 'an id'}`,
    );
}

/** Removes a consenter and its endpoint. @throws TranslateError BAD_EDIT */
export function removeConsenter(config: Config, address: string, endpoint = address): Edited {
  const orderer = requiredOrderer(config);
  const consensus = consensusOf(orderer);
  const { consenters: entries } = orderer;
  const found = findConsenter(entries, address);
  if (entries.length === 1) throw badEdit(`${address} is the only consenter of the channel`);
  const rest = entries.filter((each) => each !== found);
  const text = addressText(found);
  const result = removeEndpoint(withConsenters(config, consensus, rest), addressText(parseAddress(endpoint)));
  return {
    config: result.config,
    notes: [
      `consenter ${text} removed`,
      ...blockValidationNote(consensus),
      ...result.notes,
      quorumNote(consensus, rest.length),
    ],
  };
}

/** Replaces certificates of a consenter. @throws TranslateError BAD_EDIT */
export function rotateConsenter(
  config: Config,
  address: string,
  certificates: ConsenterCertificates,
): Edited {
  const orderer = requiredOrderer(config);
  const consensus = consensusOf(orderer);
  const { tls, serverTls, identity } = certificates;
  if (tls === undefined && serverTls === undefined && identity === undefined)
    throw badEdit(
      'a new certificate is needed: the TLS certificate, the TLS certificate of the server, or the signing certificate',
    );
  const { consenters: entries } = orderer;
  const found = findConsenter(entries, address);
  const client = tls === undefined ? found.clientTlsCert : certificate(tls, 'the TLS certificate');
  const server =
    serverTls === undefined
      ? tls === undefined
        ? found.serverTlsCert
        : client
      : certificate(serverTls, 'the server certificate');
  if (entries.some((each) => each !== found && sameBytes(each.clientTlsCert, client)))
    throw badEdit('another consenter has this TLS certificate');
  const bytes = rotatedBytes(found, { client, server, identity });
  if (sameBytes(bytes, found.bytes))
    throw badEdit(`consenter ${addressText(found)} has these certificates already`);
  const rotated = withConsenters(
    config,
    consensus,
    entries.map((each) => (each === found ? { bytes } : each)),
  );
  return edited(
    config,
    rotated.channelGroup,
    `certificates of consenter ${addressText(found)} replaced`,
    ...(identity === undefined ? [] : blockValidationNote(consensus)),
    `after the update, restart ${addressText(found)} with the new certificate before the next one is rotated`,
  );
}

function rotatedBytes(
  found: Consenter,
  {
    client,
    server,
    identity,
  }: { readonly client: Uint8Array; readonly server: Uint8Array; readonly identity: Uint8Array | undefined },
): Uint8Array {
  const certificates = { clientTlsCert: client, serverTlsCert: server };
  if (found.identity === undefined) {
    refuseBftParts({ identity });
    return replaceFields(EtcdraftConsenter, found.bytes, certificates);
  }
  const next = identity === undefined ? found.identity : certificate(identity, 'the signing certificate');
  return replaceFields(CommonConsenter, found.bytes, { ...certificates, identity: next });
}

function findConsenter(entries: readonly Consenter[], text: string): Consenter {
  const address = parseAddress(text);
  const [found, other] = entries.filter((each) => sameAddress(each, address));
  if (found === undefined)
    throw badEdit(`${text} is not a consenter; the consenters are ${entries.map(addressText).join(', ')}`);
  if (other !== undefined) throw badEdit(`${text} is the address of several consenters`);
  return found;
}

/** The organisation of a new consenter: the named one, the only one, or the one with an endpoint on the same host. */
function organizationFor(config: Config, { host }: Address, wanted: string | undefined): Organization {
  if (wanted !== undefined) return findOrganization(config, wanted, 'Orderer');
  const all = channelOf(config).orderer.organizations;
  const sameHost = all.filter(({ endpoints }) =>
    endpoints.some((each) => each.replace(/:\d+$/, '') === host),
  );
  const found = all.length === 1 ? all : sameHost;
  if (found.length === 1) return found[0]!;
  throw badEdit(
    `the organisation of the consenter is needed: one of ${all.map(({ name }) => name).join(', ')}`,
  );
}

function certificate(pem: Uint8Array | undefined, what: string): Uint8Array {
  if (pem === undefined) throw badEdit(`${what} is needed`);
  const label = decodePem(pem)?.label;
  if (label === 'CERTIFICATE') return pem;
  throw badEdit(
    `${what} is ${label === undefined ? 'not PEM' : `a PEM file (${label})`}; a certificate in PEM is needed`,
  );
}

const blockValidationNote = (consensus: Consensus): string[] =>
  consensus === 'BFT' ? [`policy ${pathOf('Orderer', 'BlockValidation')} set to match the consenters`] : [];

function quorumNote(consensus: Consensus, consenters: number): string {
  const quorum = consensus === 'BFT' ? bftQuorum(consenters).quorum : raftQuorum(consenters);
  return `${consenters} consenters: ${quorum} of them must be running`;
}
