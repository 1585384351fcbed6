// Summarises a channel: what people look at, as data.

import type { ConfigFile } from '../channel/file.js';
import { ordered } from '../channel/ordered.js';
import { channelView, type ChannelView, type OrganizationView } from '../channel/view.js';
import { mspVersionOf, type MspVersion } from '../msp/version.js';
import { createPolicies, type Policies, type PolicyGroup } from '../policy/policies.js';
import { listPermissions, type Permission } from './permissions.js';
import { summariseOrderer, type OrdererSummary } from './orderer.js';
import { addressText } from '../channel/address.js';
import { valueOf } from '../channel/values.js';
import { summariseMsp, type MspSummary } from './msp.js';
import type { ConfigGroup } from '../channel/element.js';
import { describePolicy } from './policy.js';
import { identityWords } from './certificate.js';

/** A channel. 64-bit numbers are decimal texts. The fields are stable: new ones may be added. */
export interface ChannelSummary {
  readonly kind: 'channel';
  /** What the file is: `block`, `envelope`, `config envelope` or `config`. */
  readonly form: string;
  /** Absent if the file does not name the channel. */
  readonly channel?: string;
  /** The number of the block. */
  readonly block?: string;
  /** The number of config updates since the genesis block. */
  readonly sequence: string;
  readonly capabilities: {
    readonly channel: readonly string[];
    readonly orderer: readonly string[];
    readonly application: readonly string[];
  };
  readonly hashingAlgorithm: string;
  /** Of channels that were made from a system channel. */
  readonly consortium?: string;
  /** The consortiums of a system channel. */
  readonly consortiums?: readonly string[];
  /** Addresses for the whole channel, `host:port`. */
  readonly ordererAddresses: readonly string[];
  readonly orderer?: OrdererSummary;
  readonly organizations: readonly OrganizationSummary[];
  readonly acls: readonly { readonly resource: string; readonly policy: string }[];
  readonly policies: readonly PolicySummary[];
  readonly permissions: readonly Permission[];
}

/** Summarises a channel. @throws TranslateError BAD_BYTES for a value that cannot be read */
export function summariseChannel({ form, channel, number, config }: ConfigFile): ChannelSummary {
  const view = channelView(config);
  const organizations = organizationsOf(view);
  const policies = createPolicies(config.channelGroup);
  const mspids = new Set(organizations.flatMap(({ mspid }) => mspid ?? []));
  return {
    kind: 'channel',
    form,
    ...(channel !== undefined && { channel }),
    ...(number !== undefined && { block: String(number) }),
    sequence: String(config.sequence),
    capabilities: {
      channel: view.capabilities.toSorted(),
      orderer: (view.orderer?.capabilities ?? []).toSorted(),
      application: (view.application?.capabilities ?? []).toSorted(),
    },
    hashingAlgorithm: view.hashingAlgorithm,
    ...(view.consortium !== undefined && { consortium: view.consortium }),
    ...(view.consortiums !== undefined && {
      consortiums: view.consortiums.map(({ name }) => name).toSorted(),
    }),
    ordererAddresses: view.ordererAddresses,
    ...(view.orderer !== undefined && { orderer: summariseOrderer(view.orderer) }),
    organizations,
    acls: [...ordered(view.application?.acls ?? new Map<string, string>())].map(([resource, policy]) => ({
      resource,
      policy,
    })),
    policies: listPolicies(config.channelGroup, policies),
    permissions: listPermissions(config.channelGroup, policies, mspids),
  };
}

function organizationsOf(view: ChannelView): OrganizationSummary[] {
  const version = mspVersionOf(view.capabilities);
  const all = (section: string, organizations: readonly OrganizationView[] = []): OrganizationSummary[] =>
    organizations
      .map((organization) => summariseOrganization(section, organization, version))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return [
    ...all('Orderer', view.orderer?.organizations),
    ...all('Application', view.application?.organizations),
    ...(view.consortiums ?? []).flatMap(({ name, organizations }) =>
      all(`Consortiums/${name}`, organizations),
    ),
  ];
}

/** An organisation of a group. */
export interface OrganizationSummary {
  /** `Application`, `Orderer`, or `Consortiums/` and the name of the consortium. */
  readonly section: string;
  readonly name: string;
  /** Absent if there is no MSP, or one that cannot be read. */
  readonly mspid?: string;
  readonly msp: MspSummary;
  /** `host:port` */
  readonly anchorPeers: readonly string[];
  /** `host:port` of its orderers. */
  readonly endpoints: readonly string[];
}

/** Summarises an organisation. @param version the rules for MSPs that the channel capabilities allow */
export function summariseOrganization(
  section: string,
  { name, mspId, anchorPeers, endpoints, group }: OrganizationView,
  version: MspVersion,
): OrganizationSummary {
  return {
    section,
    name,
    ...(mspId !== undefined && { mspid: mspId }),
    msp: summariseMsp(() => valueOf(group, 'applicationOrganization', 'MSP'), version),
    anchorPeers: anchorPeers.map(addressText),
    endpoints,
  };
}

/** A policy in words. */
export interface PolicySummary {
  /** `/Channel/Application/Admins` */
  readonly path: string;
  /** `MAJORITY Admins (2 of Org1, Org2, Org3)` or `OR('Org1MSP.admin')`; Fabric's error if it does not accept the policy. */
  readonly text: string;
  /** False if Fabric does not accept the policy. */
  readonly valid: boolean;
}

/** All policies in the order of their groups. */
export function listPolicies(channelGroup: ConfigGroup, { root, problems }: Policies): PolicySummary[] {
  const texts = new Map(problems.map(({ path, text }) => [path, text]));
  const list: PolicySummary[] = [];
  const visit = (path: string, group: ConfigGroup, nodes: PolicyGroup | undefined): void => {
    for (const [name] of ordered(group.policies)) {
      const node = nodes?.policies.get(name);
      const place = `${path}/${name}`;
      list.push(
        node === undefined
          ? { path: place, text: texts.get(place) ?? 'it cannot be read', valid: false }
          : { path: place, text: describePolicy(node, identityWords), valid: true },
      );
    }
    for (const [name, nested] of ordered(group.groups))
      visit(`${path}/${name}`, nested, nodes?.groups.get(name));
  };
  visit('/Channel', channelGroup, root);
  return list;
}
