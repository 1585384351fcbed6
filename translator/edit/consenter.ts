// Adds, removes and rotates consenters of Raft and BFT channels, with the endpoints of the orderers.

import { addressText, sameAddress, type Address } from '../channel/address.js';
import { sameBytes } from '../channel/bytes.js';
import type { Config, ConfigGroup } from '../channel/element.js';
import { raftQuorum } from '../channel/membership.js';
import { bftQuorum } from '../channel/block-validation.js';
import { valueOrEmpty } from '../channel/values.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { addEndpoint, endpointsOf, parseAddress, removeEndpoint } from './addresses.js';
import {
  bftConsenter,
  bftConsenters,
  type ConsenterEntry,
  raftConsenter,
  raftConsenters,
  rotatedBftConsenter,
  rotatedRaftConsenter,
  withBftConsenters,
  withRaftConsenters,
} from './consenters.js';
import { badEdit, edited, type Edited } from './edited.js';
import { findOrganization, organizationsOf, type Organization } from './organizations.js';
import { changeGroup, ordererGroup, pathOf } from './tree.js';

/** Certificates of a consenter in PEM. */
export interface ConsenterCertificates {
  /** Its TLS certificate, as client and, without `serverTls`, as server. */
  readonly tls?: Uint8Array | undefined;
  readonly serverTls?: Uint8Array | undefined;
  /** Its signing certificate, only for BFT. */
  readonly identity?: Uint8Array | undefined;
}

/** A consenter to add. */
export interface NewConsenter extends ConsenterCertificates {
  /** `host:port` for the other consenters. */
  readonly address: string;
  /** Its organisation; may be undefined if the orderers have one. */
  readonly organization?: string | undefined;
  /** `host:port` for peers and clients. @default the address */
  readonly endpoint?: string | undefined;
  /** For BFT. @default one more than the highest one */
  readonly id?: number | undefined;
}

type Consensus = 'etcdraft' | 'BFT';

function consensusOf(orderer: ConfigGroup): Consensus {
  const { type } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  if (type === 'etcdraft' || type === 'BFT') return type;
  throw badEdit(`the consensus type is ${JSON.stringify(type)}; etcdraft and BFT have consenters`);
}

const entriesOf = (orderer: ConfigGroup): readonly ConsenterEntry[] =>
  consensusOf(orderer) === 'BFT' ? bftConsenters(orderer) : raftConsenters(orderer);

/** Replaces the consenters in the channel. */
function withConsenters(config: Config, entries: readonly { readonly bytes: Uint8Array }[]): Config {
  const channelGroup = changeGroup(config.channelGroup, ['Orderer'], (orderer) =>
    consensusOf(orderer) === 'BFT'
      ? withBftConsenters(orderer, entries)
      : withRaftConsenters(orderer, entries),
  );
  return { ...config, channelGroup };
}

/** Adds a consenter and its endpoint. @throws TranslateError BAD_EDIT */
export function addConsenter(config: Config, consenter: NewConsenter): Edited {
  const orderer = ordererGroup(config.channelGroup);
  const consensus = consensusOf(orderer);
  const entries = entriesOf(orderer);
  const address = parseAddress(consenter.address);
  const text = addressText(address);
  if (entries.some((each) => sameAddress(each, address)))
    throw badEdit(`${text} is a consenter already; consenter rotate replaces its certificates`);
  const client = certificate(consenter.tls, 'the TLS certificate');
  if (entries.some((each) => sameBytes(each.clientTlsCert, client)))
    throw badEdit('the TLS certificate is that of another consenter');
  const server =
    consenter.serverTls === undefined ? client : certificate(consenter.serverTls, 'the server certificate');
  const organization = organizationFor(config, address, consenter.organization);
  const bytes =
    consensus === 'BFT'
      ? newBftConsenter(orderer, organization, consenter, { address, client, server })
      : raftConsenter(address, client, withoutBftParts(consenter, server));
  const added = withConsenters(config, [...entries, { bytes }]);
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
  orderer: ConfigGroup,
  organization: Organization,
  { identity, id }: NewConsenter,
  {
    address,
    client,
    server,
  }: { readonly address: Address; readonly client: Uint8Array; readonly server: Uint8Array },
): Uint8Array {
  const others = bftConsenters(orderer);
  const next = id ?? Math.max(0, ...others.map((each) => each.id)) + 1;
  const used = others.map((each) => each.id);
  if (used.includes(next))
    throw badEdit(`the id ${next} is used by another consenter; used are ${used.join(', ')}`);
  return bftConsenter({
    id: next,
    ...address,
    mspId: organization.mspId ?? '',
    identity: certificate(identity, 'the signing certificate (--identity) of a BFT consenter'),
    clientTlsCert: client,
    serverTlsCert: server,
  });
}

/** The server certificate of a Raft consenter. @throws TranslateError BAD_EDIT for what only BFT consenters have */
function withoutBftParts({ identity, id }: NewConsenter, server: Uint8Array): Uint8Array {
  if (identity !== undefined || id !== undefined)
    throw badEdit(
      `the consensus type is etcdraft: only BFT consenters have ${id === undefined ? 'a signing certificate (--identity)' : 'an id'}`,
    );
  return server;
}

/** Removes a consenter and its endpoint. @throws TranslateError BAD_EDIT */
export function removeConsenter(config: Config, address: string, endpoint = address): Edited {
  const orderer = ordererGroup(config.channelGroup);
  const consensus = consensusOf(orderer);
  const entries = entriesOf(orderer);
  const found = findConsenter(entries, address);
  if (entries.length === 1) throw badEdit(`${address} is the only consenter of the channel`);
  const rest = entries.filter((each) => each !== found);
  const text = addressText(found);
  const result = removeEndpoint(withConsenters(config, rest), addressText(parseAddress(endpoint)));
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
  const orderer = ordererGroup(config.channelGroup);
  const consensus = consensusOf(orderer);
  const { tls, serverTls, identity } = certificates;
  if (tls === undefined && serverTls === undefined && identity === undefined)
    throw badEdit('a new certificate is needed: --tls-cert, --server-tls-cert or --identity');
  const entries = entriesOf(orderer);
  const found = findConsenter(entries, address);
  const client = tls === undefined ? found.clientTlsCert : certificate(tls, 'the TLS certificate');
  const server =
    serverTls === undefined
      ? tls === undefined
        ? found.serverTlsCert
        : client
      : certificate(serverTls, 'the server certificate');
  if (entries.some((each) => each !== found && sameBytes(each.clientTlsCert, client)))
    throw badEdit('the TLS certificate is that of another consenter');
  const bytes = rotatedBytes(orderer, found, { client, server, identity });
  if (sameBytes(bytes, found.bytes))
    throw badEdit(`consenter ${addressText(found)} has these certificates already`);
  const rotated = withConsenters(
    config,
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
  orderer: ConfigGroup,
  found: ConsenterEntry,
  {
    client,
    server,
    identity,
  }: { readonly client: Uint8Array; readonly server: Uint8Array; readonly identity: Uint8Array | undefined },
): Uint8Array {
  if (consensusOf(orderer) === 'etcdraft')
    return rotatedRaftConsenter(found.bytes, client, withoutBftParts({ address: '', identity }, server));
  const old = bftConsenters(orderer).find(({ bytes }) => sameBytes(bytes, found.bytes))!;
  const next = identity === undefined ? old.identity : certificate(identity, 'the signing certificate');
  return rotatedBftConsenter(found.bytes, { client, server, identity: next });
}

function findConsenter(entries: readonly ConsenterEntry[], text: string): ConsenterEntry {
  const address = parseAddress(text);
  const [found, other] = entries.filter((each) => sameAddress(each, address));
  if (found === undefined)
    throw badEdit(`${text} is not a consenter; the consenters are ${entries.map(addressText).join(', ')}`);
  if (other !== undefined) throw badEdit(`${text} is the address of several consenters`);
  return found;
}

/** The organisation of a new consenter: the named one, the only one, or the one that has an endpoint with the same host. */
function organizationFor(config: Config, { host }: Address, wanted: string | undefined): Organization {
  if (wanted !== undefined) return findOrganization(config, wanted, ['Orderer']);
  const all = organizationsOf(config, ['Orderer']);
  const sameHost = all.filter(({ group }) =>
    endpointsOf(group).some((each) => each.replace(/:\d+$/, '') === host),
  );
  const found = all.length === 1 ? all : sameHost;
  if (found.length === 1) return found[0]!;
  throw badEdit(
    `the organisation of the consenter is needed, --org with one of ${all.map(({ name }) => name).join(', ')}`,
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
  consensus === 'BFT' ? [`policy ${pathOf('Orderer', 'BlockValidation')} fits the consenters`] : [];

function quorumNote(consensus: Consensus, consenters: number): string {
  const quorum = consensus === 'BFT' ? bftQuorum(consenters).quorum : raftQuorum(consenters);
  return `${consenters} consenters: ${quorum} of them must be running`;
}
