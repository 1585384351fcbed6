// Findings about the channel: capabilities, groups, values, hashing, addresses, ACLs.

import { shortList } from '../lists.js';
import { quoted, words, type FindingWords } from './words.js';

/** What a channel loses with a capability. */
const LOST = {
  acls: 'ACLs do not count any more',
  'key-endorsement': 'endorsement policies of single keys do not count any more',
  lifecycle:
    'every call of the chaincode lifecycle fails, and chaincodes that were defined with it cannot be called any more',
  purge: 'private data cannot be purged any more',
  'node-ous': 'admins and orderers that have their role by an organisational unit lose it',
  ed25519: 'signatures with Ed25519 do not count any more',
  expiration: 'submitters with an expired certificate are not refused any more',
  maintenance: 'the channel cannot go into maintenance or change its consensus type',
} as const;

/** The nodes that read the capabilities of a group. */
const NODES = { channel: 'peers and orderers', orderer: 'orderers', application: 'peers' } as const;

/** The highest capability of a group before and after; null for none. */
export interface LoweredCapability {
  readonly group: keyof typeof NODES;
  readonly before: string;
  readonly after: string | null;
  readonly lost: readonly (keyof typeof LOST)[];
}

/** A capability, and the first version of Fabric that has it. */
export interface RaisedCapability {
  readonly group: keyof typeof NODES;
  readonly capability: string;
  readonly version: string;
  /** The addresses of the consenters, if orderers read the capability. */
  readonly consenters: readonly string[];
  /** The names of the organisations whose peers read it. */
  readonly organizations: readonly string[];
}

/** `the consenters a:7050, b:7050 and the peers of Org1, Org2` */
const nodesText = ({ consenters, organizations }: RaisedCapability): string =>
  [
    ...(consenters.length === 0 ? [] : [`the consenters ${shortList(consenters)}`]),
    ...(organizations.length === 0 ? [] : [`the peers of ${shortList(organizations)}`]),
  ].join(' and ');

/** What is found by some releases of Fabric, and not by all. */
export interface VersionVerdict {
  /** Such as `2.5.10 to 2.5.12, 3.0`. */
  readonly releases: string;
  readonly findings: readonly string[];
}

const verdictsText = (verdicts: readonly VersionVerdict[]): string =>
  verdicts
    .map(
      ({ releases, findings }) =>
        `${releases}: ${findings.length === 0 ? 'no such finding' : findings.join(', ')}`,
    )
    .join('; ');

/** Why peers do not find the orderers any more. */
const ADDRESSES = {
  'none-stays': words(
    'no orderer address of today stays: a peer that is offline while this happens never finds the orderers again',
    'first add the new addresses, wait until every peer has that block, then remove the old ones; addressOverrides in core.yaml helps a peer that is cut off',
  ),
  hidden: words(
    'peers ignore OrdererAddresses as soon as an organisation has endpoints, and no endpoint is an address of today: peers take no block any more',
    'set the addresses of OrdererAddresses as endpoints of the organisations in the same update',
  ),
  tls: words(
    'peers verify an orderer with the TLS CAs of the organisation that lists its address, and no address stays with a TLS CA of today: peers take no block any more',
    'keep the TLS CAs that have issued the certificates of the orderers in the organisation that lists their addresses',
  ),
} as const;

export const CHANNEL = {
  'acls-not-allowed': () =>
    words(
      'the capabilities of the application do not allow ACLs',
      'set the application capability V1_2 or later, or remove ACLs',
    ),
  'acl-policy-missing': ({ acl, policy }: { acl: string; policy: string }) =>
    words(
      `the ACL ${quoted(acl)} names the policy ${quoted(policy)}, which does not exist: peers refuse everybody`,
      'name a policy that exists, for example /Channel/Application/Writers',
    ),
  'acl-unknown-resource': ({ acl }: { acl: string }) =>
    words(
      `peers know no resource ${quoted(acl)}; the ACL has no effect`,
      'correct the name, for example peer/Propose or qscc/GetChainInfo',
    ),

  'capabilities-order': ({ group }: { group: 'channel' | 'application' }) =>
    words(
      `the ${group} has capabilities but the orderer group has none`,
      'set the capabilities of the orderer group first',
    ),
  'depends-on-version': ({ verdicts }: { verdicts: readonly VersionVerdict[] }) =>
    words(
      `what nodes do depends on their version of Fabric: ${verdictsText(verdicts)}`,
      'say which versions of Fabric all nodes run, for example 2.5.16,3.1.5, or change what is named here',
    ),
  'versions-disagree': ({ verdicts }: { verdicts: readonly VersionVerdict[] }) =>
    words(
      `the versions of the nodes give different verdicts: ${verdictsText(verdicts)}`,
      'change what is named here, or upgrade the nodes first: nodes with different verdicts do not agree on blocks and configs',
    ),
  'capability-unsupported': (data: { capability: string; group: 'orderer' | 'channel'; fabric: string }) =>
    words(
      `orderers of Fabric ${data.fabric} do not support the ${data.group} capability ${data.capability}`,
      'remove the capability, or update the orderers first',
    ),
  'application-capability-unknown': (data: { capability: string; known: readonly string[] }) =>
    words(
      `peers do not support the application capability ${quoted(data.capability)}: those of the channel panic, and again at each start`,
      `use one of ${data.known.join(', ')} that all peers support`,
    ),

  'capability-lowered': ({ group, before, after, lost }: LoweredCapability) =>
    words(
      `the capability of the ${group === 'channel' ? group : `${group} group`} falls from ${before} to ${after ?? 'none'}${lost.length === 0 ? '' : `: ${lost.map((each) => LOST[each]).join('; ')}`}`,
      `keep ${before}`,
    ),
  'capability-raised': (data: RaisedCapability) => {
    const { group, capability, version } = data;
    const nodes = nodesText(data);
    return words(
      `the capability ${capability} of the ${group === 'channel' ? group : `${group} group`}: ${NODES[group]} of Fabric below ${version} stop at this block`,
      `check that ${nodes === '' ? `all ${NODES[group]}` : nodes} have Fabric ${version} or later`,
    );
  },

  'group-unknown': ({ group, known }: { group: string; known: readonly string[] }) =>
    words(
      `a channel cannot have a group ${group}`,
      `remove it; the groups of a channel are ${known.join(', ')}`,
    ),
  'group-removed': ({ group }: { group: string }) =>
    words(
      `the update removes the group ${group}`,
      'keep the group; if the update was computed, the updated config was probably not a whole config',
    ),
  'group-in-organization': ({ organization }: { organization: string }) =>
    words(
      `the organisation ${organization} contains groups`,
      'remove them: an organisation has only values and policies',
    ),
  'consortiums-added': () =>
    words(
      'the update adds the group Consortiums, which only a system channel has',
      'remove the group from the updated config',
    ),
  'value-unknown': ({ value, known }: { value: string; known: readonly string[] }) =>
    words(
      `orderers do not know a value ${value} in this group`,
      `remove the value; this group may have ${known.join(', ')}`,
    ),
  'value-undecodable': ({ value }: { value: string }) =>
    words(`the content of ${value} is not a serialized message`, 'set the value again from its JSON form'),
  'hashing-algorithm': ({ known }: { algorithm: string; known: readonly string[] }) =>
    words('the hashing algorithm is unknown', `set it to ${known.join(' or ')}`),
  'hashing-width': ({ width, supported }: { width: number; supported: number }) =>
    words(`the width of the hashing structure is ${width}`, `set it to ${supported}`),

  'orderer-addresses-missing': () =>
    words(
      'the channel has no orderer addresses, and its capabilities do not allow endpoints of organisations',
      'keep OrdererAddresses, or keep the channel capability V1_4_2 or later',
    ),
  'orderer-addresses-global': () =>
    words(
      'the channel capability V3_0 does not allow addresses for the whole channel',
      'remove OrdererAddresses in the same update and set the endpoints of each orderer organisation',
    ),
  'anchor-peers-removed': ({ organization }: { organization: string }) =>
    words(
      `${organization} has no anchor peer any more: after a restart its peers and those of the other organisations do not know each other, so no private data and no discovery between them`,
      'keep an anchor peer',
    ),
  'orderer-addresses-replaced': ({ problem }: { problem: keyof typeof ADDRESSES }) => ADDRESSES[problem],
  'endpoints-not-allowed': ({ organization }: { organization: string }) =>
    words(
      `the capabilities of the channel do not allow endpoints of the organisation ${organization}`,
      'set the channel capability V1_4_2 or later, or remove Endpoints',
    ),
  'endpoints-missing': ({ organizations }: { organizations: readonly string[] }) =>
    words(
      `the channel capability V3_0 needs endpoints of every orderer organisation; ${organizations.join(', ')} has none`,
      'set the endpoints of each orderer organisation',
    ),
  'endpoint-malformed': ({ address }: { address: string }) =>
    words(
      `the address ${quoted(address)} is not host:port: peers and clients cannot connect to it`,
      'write it as host:port',
    ),
  'anchor-peer-incomplete': ({ address }: { address: string }) =>
    words(
      `the anchor peer ${quoted(address)} has no valid host and port: peers of other organisations cannot reach it`,
      'set its host and port',
    ),
} as const satisfies Readonly<Record<string, (data: never) => FindingWords>>;
