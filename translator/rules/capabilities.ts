// Capabilities that the orderers do not support (Fabric's common/channelconfig/bundle.go and
// orderer/common/multichannel/ledgerresources.go, checkResources), capabilities that no peer supports, capabilities that a channel loses
// and the features that stop with them, and capabilities that need newer nodes.

import {
  APPLICATION_CAPABILITIES,
  EXPERIMENTAL,
  addressText,
  consentersOf,
  knownCapabilities,
  unsupported,
} from '../channel/index.js';
import { quoted, shortList, words } from '../documents/index.js';
import { type ChannelState, organizationNames } from '../state/index.js';
import { applying } from './facts/proposal.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The effects of the loss of a capability. */
const LOST = {
  acls: 'ACLs do not count any more',
  'key-endorsement': 'endorsement policies of single keys do not count any more',
  lifecycle:
    'every call of the chaincode lifecycle fails, and chaincodes that were defined with it cannot be called any more',
  purge: 'private data cannot be purged any more',
  'node-ous': 'admins and orderers that have their role by an OU lose it',
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
  /** The names of the organisations with peers that read it. */
  readonly organizations: readonly string[];
}

/** `the consenters a:7050, b:7050 and the peers of Org1, Org2` */
const nodesText = ({ consenters, organizations }: RaisedCapability): string =>
  [
    ...(consenters.length === 0 ? [] : [`the consenters ${shortList(consenters)}`]),
    ...(organizations.length === 0 ? [] : [`the peers of ${shortList(organizations)}`]),
  ].join(' and ');

const capabilityUnsupported = defineRule({
  id: 'capability-unsupported',
  severity: 'refused',
  meaning: 'the orderers do not support a capability',
  words: (data: { capability: string; group: 'orderer' | 'channel'; fabric: string }) =>
    words(
      `orderers of Fabric ${data.fabric} do not support the ${data.group} capability ${data.capability}`,
      'remove the capability, or update the orderers first',
    ),
});

const applicationCapabilityUnknown = defineRule({
  id: 'application-capability-unknown',
  severity: 'danger',
  meaning: 'peers do not support an application capability',
  words: (data: { capability: string; known: readonly string[] }) =>
    words(
      `peers do not support the application capability ${quoted(data.capability)}: the peers of the channel panic, and again at each start`,
      `use one of ${data.known.join(', ')} that all peers support`,
    ),
});

const capabilityLowered = defineRule({
  id: 'capability-lowered',
  severity: ['danger', 'warning'],
  meaning: 'a group loses capabilities',
  words: ({ group, before, after, lost }: LoweredCapability) =>
    words(
      `the capability of the ${group === 'channel' ? group : `${group} group`} falls from ${before} to ${after ?? 'none'}${lost.length === 0 ? '' : `: ${lost.map((each) => LOST[each]).join('; ')}`}`,
      `keep ${before}`,
      lost.length === 0 ? undefined : LOST[lost.includes('lifecycle') ? 'lifecycle' : lost[0]!],
    ),
});

const capabilityRaised = defineRule({
  id: 'capability-raised',
  severity: 'warning',
  meaning: 'a new capability, for which nodes must be new enough',
  words: (data: RaisedCapability) => {
    const { group, capability, version } = data;
    const nodes = nodesText(data);
    return words(
      `the capability ${capability} of the ${group === 'channel' ? group : `${group} group`}: ${NODES[group]} of Fabric below ${version} stop at this block`,
      `check that ${nodes === '' ? `all ${NODES[group]}` : nodes} have Fabric ${version} or later`,
      `${NODES[group]} of Fabric below ${version} stop at this block`,
    );
  },
});

const lifecycleMissing = defineRule({
  id: 'lifecycle-missing',
  severity: 'danger',
  meaning: 'the application has no capability of the chaincode lifecycle',
  words: ({ capability }: { capability: string | null }) =>
    words(
      `the application has ${capability === null ? 'no capability' : `only the capability ${capability}`}: chaincodes cannot be approved and committed, and peers of Fabric 3 have no other lifecycle`,
      'set the application capability V2_0 or V2_5',
    ),
});

const bftWithoutV3 = defineRule({
  id: 'bft-without-v3',
  severity: 'danger',
  meaning: 'a BFT channel lacks the channel capability V3_0',
  words: () =>
    words(
      'the channel is BFT and has no capability V3_0: orderers and peers do not verify its blocks as BFT blocks',
      'keep the channel capability V3_0',
    ),
});

/** The capabilities that the orderers do not support. */
export const unsupportedCapabilities = defineCheck({
  needs: 'proposal',
  rules: [capabilityUnsupported],
  isOfConfig: true,
  find(proposal) {
    const { channel, program } = proposal.after;
    const { fabric } = program;
    const kinds = [
      ['orderer', 'Orderer', '/Channel/Orderer/Capabilities', channel.orderer.capabilities],
      ['channel', 'Channel', '/Channel/Capabilities', channel.capabilities],
    ] as const;
    const prefix = `${applying(proposal)}config update is not compatible: `;
    return kinds.flatMap(([kind, title, path, names]) =>
      unsupported(kind, names, fabric).map((name) => {
        const problem = `${title} capability ${name} is required but not supported`;
        const text = `config requires unsupported ${kind} capabilities: ${problem}: ${problem}`;
        return capabilityUnsupported.refused(prefix + text, path, { capability: name, group: kind, fabric });
      }),
    );
  },
});

const PATHS = {
  channel: '/Channel/Capabilities',
  orderer: '/Channel/Orderer/Capabilities',
  application: '/Channel/Application/Capabilities',
} as const;

type Group = keyof typeof PATHS;

const capabilitiesOf = ({ channel }: ChannelState): Readonly<Record<Group, ReadonlySet<string>>> => ({
  channel: channel.capabilities,
  orderer: channel.orderer.capabilities,
  application: channel.application.capabilities,
});

const lacksV3 = ({ channel }: ChannelState): boolean =>
  channel.orderer.isBft && !channel.capabilities.has('V3_0');

/** Capabilities that stop peers, and a BFT channel without V3_0. */
export const unknownCapabilities = defineCheck({
  needs: 'config',
  rules: [applicationCapabilityUnknown, bftWithoutV3],
  find(state) {
    const known = new Set([...APPLICATION_CAPABILITIES, ...EXPERIMENTAL]);
    const found = [...state.channel.application.capabilities]
      .filter((name) => !known.has(name))
      .map((capability) =>
        applicationCapabilityUnknown.at(PATHS.application, { capability, known: APPLICATION_CAPABILITIES }),
      );
    return lacksV3(state) ? [...found, bftWithoutV3.at(PATHS.channel, {})] : found;
  },
});

/** The features that a capability enables, and whether their loss is harmful (Fabric's common/capabilities and its users). */
const FEATURES = {
  application: [
    ['V1_2', 'acls', 'danger'],
    ['V1_3', 'key-endorsement', 'danger'],
    ['V2_0', 'lifecycle', 'danger'],
    ['V2_5', 'purge', 'warning'],
  ],
  channel: [
    ['V1_4_3', 'node-ous', 'danger'],
    ['V3_0', 'ed25519', 'warning'],
  ],
  orderer: [
    ['V1_1', 'expiration', 'warning'],
    ['V1_4_2', 'maintenance', 'warning'],
  ],
} as const satisfies Readonly<Record<Group, readonly (readonly [string, string, 'danger' | 'warning'])[]>>;

/** The lifecycle of chaincodes in a config. An update that takes it away has another finding. */
export const lifecycleOfConfig = defineCheck({
  needs: 'config',
  rules: [lifecycleMissing],
  find({ channel: { application }, program }) {
    const order = knownCapabilities('application');
    const level = order.findLastIndex((name) => application.capabilities.has(name));
    // Peers of 2.5 have the lifecycle of before, too.
    if (application.group === undefined || level >= order.indexOf('V2_0') || program.fabric === '2.5')
      return [];
    return [lifecycleMissing.at(PATHS.application, { capability: order[level] ?? null })];
  },
});

/** One pass over the groups: the highest capability of each rises or falls. */
export const changedCapabilities = defineCheck({
  needs: 'update',
  rules: [capabilityRaised, capabilityLowered],
  find({ before, after }) {
    const [old, now] = [capabilitiesOf(before), capabilitiesOf(after)];
    return (['channel', 'orderer', 'application'] as const).flatMap((group) => {
      const order = knownCapabilities(group);
      const level = (names: ReadonlySet<string>): number => order.findLastIndex((name) => names.has(name));
      const [from, to] = [level(old[group]), level(now[group])];
      if (to > from) return [raised(group, order[to]!, after)];
      // A separate finding.
      if (to === from || (group === 'channel' && lacksV3(after))) return [];
      const lost = FEATURES[group].filter(([name]) => {
        const at = order.indexOf(name);
        return at <= from && at > to;
      });
      const severity = lost.some(([, , each]) => each === 'danger') ? 'danger' : 'warning';
      return [
        capabilityLowered.at(
          PATHS[group],
          {
            group,
            before: order[from]!,
            after: order[to] ?? null,
            lost: lost.map(([, feature]) => feature),
          },
          severity,
        ),
      ];
    });
  },
});

/** The nodes that stop with the capability if they are too old. Orderers ignore application capabilities, peers orderer capabilities. */
function raised(group: Group, capability: string, { channel }: ChannelState): RawFinding {
  const names = organizationNames([channel]);
  return capabilityRaised.at(PATHS[group], {
    group,
    capability,
    version: capability.slice(1).replaceAll('_', '.'),
    consenters: group === 'application' ? [] : consentersOf(channel).map(addressText),
    organizations:
      group === 'orderer' ? [] : channel.application.organizations.map(({ path }) => names.get(path)!),
  });
}
