// Capabilities: those that no peer supports, those that a channel loses and what stops with them, and those for which nodes have to be new.

import {
  APPLICATION_CAPABILITIES,
  EXPERIMENTAL,
  knownCapabilities,
  addressText,
  consentersOf,
} from '../../channel/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { organizationNames, type ChannelState } from '../../state/index.js';

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

export function capabilityFindings(state: ChannelState): Finding[] {
  const { application } = capabilitiesOf(state);
  const known = new Set([...APPLICATION_CAPABILITIES, ...EXPERIMENTAL]);
  const findings = [...application]
    .filter((name) => !known.has(name))
    .map((capability) =>
      finding('danger', 'application-capability-unknown', PATHS.application, {
        capability,
        known: APPLICATION_CAPABILITIES,
      }),
    );
  return lacksV3(state) ? [...findings, finding('danger', 'bft-without-v3', PATHS.channel, {})] : findings;
}

const lacksV3 = ({ channel }: ChannelState): boolean =>
  channel.orderer.isBft && !channel.capabilities.has('V3_0');

/** What begins with a capability, and whether its end is harmful (Fabric's common/capabilities and its users). */
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

export function capabilityChangeFindings(before: ChannelState, after: ChannelState): Finding[] {
  const [old, now] = [capabilitiesOf(before), capabilitiesOf(after)];
  return (['channel', 'orderer', 'application'] as const).flatMap((group) => {
    const order = knownCapabilities(group);
    const level = (names: ReadonlySet<string>): number => order.findLastIndex((name) => names.has(name));
    const [from, to] = [level(old[group]), level(now[group])];
    if (to > from) return [raisedFinding(group, order[to]!, after)];
    // A finding of its own.
    if (to === from || (group === 'channel' && lacksV3(after))) return [];
    const lost = FEATURES[group].filter(([name]) => {
      const at = order.indexOf(name);
      return at <= from && at > to;
    });
    const severity = lost.some(([, , each]) => each === 'danger') ? 'danger' : 'warning';
    return [
      finding(severity, 'capability-lowered', PATHS[group], {
        group,
        before: order[from]!,
        after: order[to] ?? null,
        lost: lost.map(([, feature]) => feature),
      }),
    ];
  });
}

/** The nodes that stop with the capability if they are too old: orderers do not read those of applications, nor peers those of orderers. */
function raisedFinding(group: Group, capability: string, { channel }: ChannelState): Finding {
  const names = organizationNames([channel]);
  return finding('warning', 'capability-raised', PATHS[group], {
    group,
    capability,
    version: capability.slice(1).replaceAll('_', '.'),
    consenters: group === 'application' ? [] : consentersOf(channel).map(addressText),
    organizations:
      group === 'orderer' ? [] : channel.application.organizations.map(({ path }) => names.get(path)!),
  });
}
