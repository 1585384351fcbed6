// Summarises a channel: what people look at, as data.

import type { ConfigFile } from '../config/file.js';
import { ordered } from '../config/ordered.js';
import { channelView, type ChannelView, type OrganizationView } from '../config/view.js';
import { mspVersionOf } from '../msp/version.js';
import { createPolicies } from '../policy/policies.js';
import { listPermissions, type Permission } from './permissions.js';
import { summariseOrderer, type OrdererSummary } from './orderer.js';
import { listPolicies, type PolicySummary } from './policies.js';
import { summariseOrganization, type OrganizationSummary } from './organization.js';

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
