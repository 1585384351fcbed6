// Checks whether the program of a node can set up each channel in its ledger (Fabric: orderer/common/multichannel and
// orderer/common/server/main.go, core/peer/peer.go). If it cannot, an orderer exits; a peer starts without the channel, unless it lacks a
// capability.

import { basename } from 'node:path';
import {
  APPLICATION_CAPABILITIES,
  EXPERIMENTAL,
  allowsOrganizationEndpoints,
  unsupported,
  type Channel,
} from '../../../translator/channel/index.js';
import { expiredSigners, setupChannelMsps, type Program } from '../../../translator/msp/index.js';
import type { NodeValues } from '../../../config/index.js';
import { reasonOf } from '../../contract/index.js';
import { readStoredChannel, type StoredChannel } from '../../fabric/stored-channel.js';
import { finding, type Finding } from './cause.js';
import { channelFolders } from './ledger.js';

/** The channels in the ledger of a node, and a finding for each channel with an unreadable config. */
export function storedChannels(node: NodeValues): {
  readonly channels: readonly StoredChannel[];
  readonly unreadable: readonly Finding[];
} {
  const channels: StoredChannel[] = [];
  const unreadable: Finding[] = [];
  for (const folder of channelFolders(node))
    try {
      channels.push(readStoredChannel(folder));
    } catch (error) {
      unreadable.push(unreadableFinding(folder, error));
    }
  return { channels, unreadable };
}

/** A warning, because Fabric itself may be able to read the config. */
const unreadableFinding = (folder: string, error: unknown): Finding =>
  finding('channel-unreadable', folder, { channel: basename(folder), problem: reasonOf(error) });

/** Startup errors of channels that a program of a version cannot set up. */
export async function channelCauses(
  { kind }: NodeValues,
  channels: readonly StoredChannel[],
  program: Program,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const stored of channels) {
    const system = kind === 'orderer' ? systemCause(stored, program) : undefined;
    if (system !== undefined) found.push(system);
    else found.push(...(await setupCauses(kind, stored, program)));
  }
  return found;
}

/** Since 3.0 there is no system channel: it must be removed before the upgrade, with 2.5 (Fabric: `verifyNoSystemChannel`). */
function systemCause(
  { name, folder, config, number }: StoredChannel,
  { fabric }: Program,
): Finding | undefined {
  if (fabric === '2.5' || !config.channelGroup.groups.has('Consortiums')) return undefined;
  return finding('system-channel', folder, { channel: name, block: number });
}

async function setupCauses(
  kind: NodeValues['kind'],
  { name, folder, config, channel }: StoredChannel,
  program: Program,
): Promise<Finding[]> {
  try {
    const names = [...channel.capabilities].filter(
      (each) => unsupported('channel', new Set([each]), program.fabric).length === 0,
    );
    if (channel.ordererAddresses.length === 0 && !allowsOrganizationEndpoints(new Set(names)))
      return [
        finding('channel-too-new', folder, { kind, channel: name, capabilities: [...channel.capabilities] }),
      ];
    const lacking = [
      ['Channel', unsupported('channel', channel.capabilities, program.fabric)],
      [
        'Orderer',
        kind === 'orderer' ? unsupported('orderer', channel.orderer.capabilities, program.fabric) : [],
      ],
      ['Application', kind === 'peer' ? unknownToPeers(channel) : []],
    ] as const;
    for (const [group, [capability]] of lacking)
      if (capability !== undefined)
        return [finding('capability-missing', folder, { channel: name, group, capability })];
    const { faults } = await setupChannelMsps(config, { program });
    const expired = expiredSigners(config, { now: new Date(), program });
    return [
      ...faults.map(({ path, message }) =>
        finding('channel-msp', folder, { kind, channel: name, path, message }),
      ),
      ...expired.map(({ path }) => finding('channel-signer-expired', folder, { kind, channel: name, path })),
    ].slice(0, 1);
  } catch (error) {
    return [unreadableFinding(folder, error)];
  }
}

const unknownToPeers = ({ application }: Channel): string[] =>
  [...application.capabilities].filter(
    (name) => !APPLICATION_CAPABILITIES.includes(name) && !EXPERIMENTAL.includes(name),
  );
