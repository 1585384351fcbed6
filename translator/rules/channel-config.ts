// The channel group of the resulting config (Fabric's common/channelconfig: bundle.go preValidate, channel.go).

import {
  type Channel,
  type ConfigGroup,
  allowsOrganizationEndpoints,
  requiresOrganizationEndpoints,
  unsupported,
  SECTIONS,
} from '../channel/index.js';
import { words } from '../documents/index.js';
import { APPLICATION_RULES, applicationRefusals, consortiumsRefusals } from './application.js';
import { applying } from './facts/proposal.js';
import { ORDERER_RULES, ordererRefusals } from './orderer.js';
import { type RawFinding, defineCheck, defineRule, prefixed } from './rule.js';
import { VALUE_RULES, groupInOrganization, valueRefusals } from './values.js';

const capabilitiesOrder = defineRule({
  id: 'capabilities-order',
  severity: 'refused',
  meaning: 'the channel or the application has capabilities, the orderer group has none',
  words: ({ group }: { group: 'channel' | 'application' }) =>
    words(
      `the ${group} has capabilities but the orderer group has none`,
      'set the capabilities of the orderer group first',
    ),
});

const groupUnknown = defineRule({
  id: 'group-unknown',
  severity: 'refused',
  meaning: 'the channel has a group with an unknown name',
  words: ({ group, known }: { group: string; known: readonly string[] }) =>
    words(
      `a channel cannot have a group ${group}`,
      `remove it; the groups of a channel are ${known.join(', ')}`,
    ),
});

const hashingAlgorithm = defineRule({
  id: 'hashing-algorithm',
  severity: 'refused',
  meaning: 'the hashing algorithm is unknown',
  words: ({ known }: { algorithm: string; known: readonly string[] }) =>
    words('the hashing algorithm is unknown', `set it to ${known.join(' or ')}`),
});

const hashingWidth = defineRule({
  id: 'hashing-width',
  severity: 'refused',
  meaning: 'the width of the block data hashing structure is not supported',
  words: ({ width, supported }: { width: number; supported: number }) =>
    words(`the width of the hashing structure is ${width}`, `set it to ${supported}`),
});

const ordererAddressesMissing = defineRule({
  id: 'orderer-addresses-missing',
  severity: 'refused',
  needsCapabilities: true,
  meaning: 'the channel has no orderer addresses',
  words: () =>
    words(
      'the channel has no orderer addresses, and its capabilities do not allow endpoints of organisations',
      'keep OrdererAddresses, or keep the channel capability V1_4_2 or later',
    ),
});

const ordererAddressesGlobal = defineRule({
  id: 'orderer-addresses-global',
  severity: 'refused',
  needsCapabilities: true,
  meaning: 'the channel capabilities do not allow addresses for the whole channel',
  words: () =>
    words(
      'the channel capability V3_0 does not allow addresses for the whole channel',
      'remove OrdererAddresses in the same update and set the endpoints of each orderer organisation',
    ),
});

const MAX_UINT32 = 0xffff_ffff;
const HASHES = ['SHA256', 'SHA3_256'];
const GROUPS: readonly string[] = [...SECTIONS, 'Consortiums'];

/**
 * Fabric's refusals of the values and groups of the config, except MSPs and policies: one pass, because each group is read once, and its
 * texts depend on its place.
 */
export const channelConfig = defineCheck({
  needs: 'proposal',
  rules: [
    capabilitiesOrder,
    hashingAlgorithm,
    hashingWidth,
    ordererAddressesMissing,
    ordererAddressesGlobal,
    groupUnknown,
    groupInOrganization,
    ...VALUE_RULES,
    ...ORDERER_RULES,
    ...APPLICATION_RULES,
  ],
  isOfConfig: true,
  find(proposal) {
    const { channel, config, program } = proposal.after;
    const root = config.channelGroup;
    const prefix = applying(proposal);
    const inChannel = `${prefix}initializing channelconfig failed: `;
    const inGroup = (name: string, found: readonly RawFinding[]): RawFinding[] =>
      prefixed(`${inChannel}could not create channel ${name} sub-group config: `, found);
    const { group: orderer } = channel.orderer;
    const { group: application } = channel.application;
    const consortiums = root.groups.get('Consortiums');
    const early = prefixed(prefix, capabilityOrder(root, channel));
    const garbage = valueRefusals(root, 'channel', '/Channel');
    if (garbage.length > 0) return [...early, ...prefixed(inChannel, garbage)];
    const { capabilities } = channel;
    const found = [
      ...early,
      ...prefixed(inChannel, [...ofChannel(channel), ...ofGroups(root)]),
      ...(orderer === undefined
        ? []
        : inGroup('Orderer', ordererRefusals(orderer, capabilities, program.fabric))),
      ...(application === undefined ? [] : inGroup('Application', applicationRefusals(application))),
      ...(consortiums === undefined ? [] : inGroup('Consortiums', consortiumsRefusals(consortiums))),
    ];
    // Capabilities that the orderers do not support are a separate finding.
    const isSupported = unsupported('channel', capabilities, program.fabric).length === 0;
    return isSupported ? found : found.filter(({ rule }) => rule.needsCapabilities !== true);
  },
});

function capabilityOrder(
  root: ConfigGroup,
  { orderer: { group: orderer }, application }: Channel,
): RawFinding[] {
  if (orderer === undefined || orderer.values.has('Capabilities')) return [];
  const kinds = [
    ['channel', '/Channel/Capabilities', root.values.has('Capabilities')],
    [
      'application',
      '/Channel/Application/Capabilities',
      application.group?.values.has('Capabilities') === true,
    ],
  ] as const;
  return kinds
    .filter(([, , isSet]) => isSet)
    .map(([kind, path]) =>
      capabilitiesOrder.refused(`cannot enable ${kind} capabilities without orderer support first`, path, {
        group: kind,
      }),
    );
}

function ofChannel(channel: Channel): RawFinding[] {
  const refusals: RawFinding[] = [];
  const { hashingAlgorithm: name, hashingWidth: width, ordererAddresses: addresses, capabilities } = channel;
  if (!HASHES.includes(name))
    refusals.push(
      hashingAlgorithm.refused(`Unknown hashing algorithm type: ${name}`, '/Channel/HashingAlgorithm', {
        algorithm: name,
        known: HASHES,
      }),
    );
  if (width !== MAX_UINT32)
    refusals.push(
      hashingWidth.refused(
        'BlockDataHashStructure width only supported at MaxUint32 in this version',
        '/Channel/BlockDataHashingStructure',
        { width, supported: MAX_UINT32 },
      ),
    );
  if (!allowsOrganizationEndpoints(capabilities) && addresses.length === 0)
    refusals.push(
      ordererAddressesMissing.refused('Must set some OrdererAddresses', '/Channel/OrdererAddresses', {}),
    );
  if (requiresOrganizationEndpoints(capabilities) && addresses.length > 0)
    refusals.push(
      ordererAddressesGlobal.refused(
        'global OrdererAddresses are not allowed with V3_0 capability, use org specific addresses only',
        '/Channel/OrdererAddresses',
        {},
      ),
    );
  return refusals;
}

function ofGroups(root: ConfigGroup): RawFinding[] {
  return [...root.groups.keys()]
    .filter((name) => !GROUPS.includes(name))
    .map((name) =>
      groupUnknown.refused('Disallowed channel group: …', `/Channel/${name}`, { group: name, known: GROUPS }),
    );
}
