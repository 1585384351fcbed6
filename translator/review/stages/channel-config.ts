// Stage: the channel group of the resulting config (Fabric's common/channelconfig: bundle.go preValidate, channel.go).

import {
  allowsOrganizationEndpoints,
  requiresOrganizationEndpoints,
  unsupported,
  channelOf,
  type Channel,
  type ConfigGroup,
} from '../../channel/index.js';
import { applicationRefusals, consortiumsRefusals } from './application-config.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../documents/index.js';
import { applying, refused, type Refusal } from '../finding.js';
import { valueRefusals } from './group-values.js';
import { ordererRefusals } from './orderer-config.js';

const MAX_UINT32 = 0xffff_ffff;
const HASHES = ['SHA256', 'SHA3_256'];
const GROUPS = ['Application', 'Orderer', 'Consortiums'];

/** Findings that depend on the capabilities of the channel. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'orderer-addresses-missing',
  'orderer-addresses-global',
  'endpoints-not-allowed',
  'endpoints-missing',
]);

/** Everything that Fabric refuses in the values and groups of the config, except MSPs and policies. */
export function channelConfigFindings(proposal: Proposal): Finding[] {
  const { applied, fabric } = proposal;
  const root = applied.config.channelGroup;
  const prefix = applying(proposal);
  const inChannel = `${prefix}initializing channelconfig failed: `;
  const inGroup = (name: string): string => `${inChannel}could not create channel ${name} sub-group config: `;
  const channel = channelOf(applied.config);
  const { group: orderer } = channel.orderer;
  const { group: application } = channel.application;
  const consortiums = root.groups.get('Consortiums');
  const early = capabilityOrderRefusals(root, channel).map((refusal) => refused(prefix, refusal));
  const garbage = valueRefusals(root, 'channel', '/Channel');
  if (garbage.length > 0) return [...early, ...garbage.map((refusal) => refused(inChannel, refusal))];
  const { capabilities } = channel;
  const findings = [
    ...early,
    ...[...channelRefusals(channel), ...groupRefusals(root)].map((refusal) => refused(inChannel, refusal)),
    ...(orderer === undefined
      ? []
      : ordererRefusals(orderer, capabilities, fabric).map((refusal) =>
          refused(inGroup('Orderer'), refusal),
        )),
    ...(application === undefined
      ? []
      : applicationRefusals(application).map((refusal) => refused(inGroup('Application'), refusal))),
    ...(consortiums === undefined
      ? []
      : consortiumsRefusals(consortiums).map((refusal) => refused(inGroup('Consortiums'), refusal))),
  ];
  // Capabilities that the orderers do not support are a finding of their own, and have no effect on addresses.
  const isSupported = unsupported('channel', capabilities, fabric).length === 0;
  return isSupported ? findings : findings.filter(({ id }) => !ADDRESSES.has(id));
}

function capabilityOrderRefusals(
  root: ConfigGroup,
  { orderer: { group: orderer }, application }: Channel,
): Refusal[] {
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
    .map(([kind, path]) => ({
      id: 'capabilities-order',
      orderer: `cannot enable ${kind} capabilities without orderer support first`,
      path,
      data: { group: kind },
    }));
}

function channelRefusals(channel: Channel): Refusal[] {
  const refusals: Refusal[] = [];
  const { hashingAlgorithm: name, hashingWidth: width, ordererAddresses: addresses, capabilities } = channel;
  if (!HASHES.includes(name))
    refusals.push({
      id: 'hashing-algorithm',
      orderer: `Unknown hashing algorithm type: ${name}`,
      path: '/Channel/HashingAlgorithm',
      data: { algorithm: name, known: HASHES },
    });
  if (width !== MAX_UINT32)
    refusals.push({
      id: 'hashing-width',
      orderer: 'BlockDataHashStructure width only supported at MaxUint32 in this version',
      path: '/Channel/BlockDataHashingStructure',
      data: { width, supported: MAX_UINT32 },
    });
  if (!allowsOrganizationEndpoints(capabilities) && addresses.length === 0)
    refusals.push({
      id: 'orderer-addresses-missing',
      orderer: 'Must set some OrdererAddresses',
      path: '/Channel/OrdererAddresses',
      data: {},
    });
  if (requiresOrganizationEndpoints(capabilities) && addresses.length > 0)
    refusals.push({
      id: 'orderer-addresses-global',
      orderer:
        'global OrdererAddresses are not allowed with V3_0 capability, use org specific addresses only',
      path: '/Channel/OrdererAddresses',
      data: {},
    });
  return refusals;
}

function groupRefusals(root: ConfigGroup): Refusal[] {
  return [...root.groups.keys()]
    .filter((name) => !GROUPS.includes(name))
    .map((name) => ({
      id: 'group-unknown',
      orderer: 'Disallowed channel group: …',
      path: `/Channel/${name}`,
      data: { group: name, known: GROUPS },
    }));
}
