// Summarises a channel as data.

import { is, requireTypes } from '../../proto/arguments.js';
import { naturally } from '../../core/common/text/naturally.js';
import {
  type ConfigFile,
  type Channel,
  type Organization,
  type Section,
  addressText,
  ordered,
  type ConfigGroup,
  resultTypes,
} from '../channel/index.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import { mspVersionOf, type MspVersion } from '../msp/index.js';
import type { Policies, PolicyGroup } from '../policy/index.js';
import { listPermissions, type Permission } from './permissions.js';
import { summariseOrderer, type OrdererSummary } from './orderer.js';
import { summariseMsp, type MspSummary } from './msp.js';
import { describePolicy } from './policy.js';
import { identityWords } from './certificate.js';
import { controlOf } from '../control/index.js';
import { ChannelState } from '../state/index.js';

/** A channel. 64-bit numbers are decimal texts. The fields are stable: new ones may be added. */
export interface ChannelSummary {
  readonly kind: 'channel';
  /** The message in the file: `block`, `envelope`, `config envelope` or `config`. */
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
  /** Only of a channel that was created with a system channel. */
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

/** The usual shares of a summary, in hundredths. */
const CONTROL = 60;
const WORDS = 40;

/**
 * Summarises a channel.
 *
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_BYTES for a value that cannot be read
 */
export async function summariseChannel(file: ConfigFile, options: CallOptions = {}): Promise<ChannelSummary> {
  requireTypes({ file, options }, { file: resultTypes.configFile, options: is.only(CALL) });
  const { form, channel, number, config } = file;
  const call = new LongCall(options);
  const state = new ChannelState(config, { call });
  await state.readAhead();
  const { channel: summarised } = state;
  const { orderer, application, capabilities, consortium, consortiums } = summarised;
  const organizations = await organizationsOf(summarised, call);
  readOthers(summarised);
  const { policies } = state;
  const mspids = new Set(organizations.flatMap(({ mspid }) => mspid ?? []));
  call.begin('control', CONTROL);
  const control = await controlOf(state);
  call.begin('words', WORDS);
  const permissions = await listPermissions(state, mspids, control);
  call.endRun();
  return {
    kind: 'channel',
    form,
    ...(channel !== undefined && { channel }),
    ...(number !== undefined && { block: String(number) }),
    sequence: String(config.sequence),
    capabilities: {
      channel: [...capabilities].toSorted(naturally),
      orderer: [...orderer.capabilities].toSorted(naturally),
      application: [...application.capabilities].toSorted(naturally),
    },
    hashingAlgorithm: summarised.hashingAlgorithm,
    ...(consortium !== undefined && { consortium }),
    ...(consortiums !== undefined && {
      consortiums: consortiums.map(({ name }) => name).toSorted(naturally),
    }),
    ordererAddresses: summarised.ordererAddresses,
    ...(orderer.group !== undefined && { orderer: summariseOrderer(orderer) }),
    organizations,
    acls: [...ordered(application.acls)].map(([resource, policy]) => ({ resource, policy })),
    policies: listPolicies(config.channelGroup, policies),
    permissions,
  };
}

/** Reads the values that are not in a summary, so that a channel that orderers cannot read has no summary. */
const readOthers = ({ hashingWidth, orderer: { bftOptions } }: Channel): readonly unknown[] => [
  hashingWidth,
  bftOptions,
];

async function organizationsOf(
  { capabilities, orderer, application, consortiums = [] }: Channel,
  call: LongCall,
): Promise<OrganizationSummary[]> {
  const version = mspVersionOf(capabilities);
  const sections: readonly (readonly [section: string, organizations: readonly AnyOrganization[]])[] = [
    ['Orderer', orderer.organizations],
    ['Application', application.organizations],
    ...consortiums.map(({ name, organizations }) => [`Consortiums/${name}`, organizations] as const),
  ];
  const all: OrganizationSummary[] = [];
  for (const [section, organizations] of sections) {
    const sorted = organizations.toSorted((one, other) => naturally(one.name, other.name));
    for (const organization of sorted) {
      await call.pause();
      all.push(summariseOrganization(section, organization, version));
    }
  }
  return all;
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

/** An organisation of any group. */
type AnyOrganization = Organization<Section | 'Consortiums'>;

/** Summarises an organisation. @param version the rules for MSPs that the channel capabilities allow */
function summariseOrganization(
  section: string,
  organization: AnyOrganization,
  version: MspVersion,
): OrganizationSummary {
  const { name, mspId, anchorPeers, endpoints } = organization;
  return {
    section,
    name,
    ...(mspId !== undefined && { mspid: mspId }),
    msp: summariseMsp(() => organization.mspConfig, version),
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
function listPolicies(channelGroup: ConfigGroup, { root, problems }: Policies): PolicySummary[] {
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
