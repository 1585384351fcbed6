// Checks whether the program of a node can set up each channel in its ledger (Fabric: orderer/common/multichannel and
// orderer/common/server/main.go, core/peer/peer.go). If it cannot, an orderer exits; a peer starts without the channel, unless it lacks a
// capability.

import { basename } from 'node:path';
import {
  APPLICATION_CAPABILITIES,
  EXPERIMENTAL,
  allowsOrganizationEndpoints,
  channelOf,
  readConfigFile,
  unsupported,
  type Channel,
  type Config,
} from 'fabric-ops-agent/translator/channel';
import { blockBytes, Ledger, lastConfigOf } from 'fabric-ops-agent/translator/node';
import { setupChannelMsps, type Program } from 'fabric-ops-agent/translator/msp';
import { reasonOf } from '../../contract/index.js';
import type { CauseId, Found } from './cause.js';
import { channelFolders } from './ledger.js';
import type { PreflightNode } from './node.js';

/** A channel of a ledger with its newest config. */
export interface StoredChannel {
  readonly name: string;
  /** The folder of its blocks. */
  readonly folder: string;
  readonly config: Config;
  readonly channel: Channel;
  /** The number of the config block. */
  readonly number: bigint;
}

/** A channel with an unreadable config. */
export interface UnreadableChannel {
  readonly folder: string;
  readonly problem: string;
}

/** The channels in the ledger of a node. */
export function storedChannels(node: PreflightNode): {
  readonly channels: readonly StoredChannel[];
  readonly unreadable: readonly UnreadableChannel[];
} {
  const channels: StoredChannel[] = [];
  const unreadable: UnreadableChannel[] = [];
  for (const folder of channelFolders(node))
    try {
      const block = Ledger.open(folder).newestConfig();
      const { config } = readConfigFile(blockBytes(block));
      const channel = channelOf(config);
      channels.push({ name: basename(folder), folder, config, channel, number: lastConfigOf(block) });
    } catch (error) {
      unreadable.push({ folder, problem: reasonOf(error) });
    }
  return { channels, unreadable };
}

/** A warning, because Fabric itself may be able to read the config. */
export const unreadableCause = ({ folder, problem }: UnreadableChannel): Found => ({
  id: 'channel-unreadable',
  severity: 'warning',
  says: '',
  means: `the config of the channel ${basename(folder)} cannot be read, so it was not judged: ${problem}`,
  where: folder,
  todo: 'compare it with the config that another node has (configtxlator show)',
});

/** Startup errors of channels that a program of a version cannot set up. */
export async function channelCauses(
  { kind }: PreflightNode,
  channels: readonly StoredChannel[],
  program: Program,
): Promise<Found[]> {
  const found: Found[] = [];
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
): Found | undefined {
  if (fabric === '2.5' || !config.channelGroup.groups.has('Consortiums')) return undefined;
  return {
    id: 'system-channel',
    says: `found system channel config block in the ledger, channel: ${name}, block number: ${number}. This version does not support the system channel. Remove it before upgrading.`,
    means: `${name} is a system channel, which Fabric 3 does not have`,
    where: folder,
    todo: `with 2.5 running, put the channels into maintenance, remove the channel with osnadmin channel remove -c ${name}, set General.BootstrapMethod to none, and restart; then upgrade`,
  };
}

async function setupCauses(
  kind: PreflightNode['kind'],
  { name, folder, config, channel }: StoredChannel,
  program: Program,
): Promise<Found[]> {
  const make = (id: CauseId, says: string, means: string, todo: string): Found => ({
    id,
    ...(kind === 'peer' && id !== 'capability-missing' && { severity: 'warning' }),
    says,
    means: kind === 'peer' && id !== 'capability-missing' ? `${means}: the peer starts without it` : means,
    where: folder,
    todo,
  });
  try {
    const names = [...channel.capabilities].filter(
      (each) => unsupported('channel', new Set([each]), program.fabric).length === 0,
    );
    if (channel.ordererAddresses.length === 0 && !allowsOrganizationEndpoints(new Set(names)))
      return [
        make(
          'channel-too-new',
          'initializing channelconfig failed: Must set some OrdererAddresses',
          `the channel ${name} has capabilities of a newer version (${[...channel.capabilities].join(', ')})`,
          'start the node with a version that has these capabilities; capabilities are never removed',
        ),
      ];
    const lacking = [
      ['Channel', unsupported('channel', channel.capabilities, program.fabric)],
      [
        'Orderer',
        kind === 'orderer' ? unsupported('orderer', channel.orderer.capabilities, program.fabric) : [],
      ],
      ['Application', kind === 'peer' ? unknownToPeers(channel) : []],
    ] as const;
    for (const [group, [first]] of lacking)
      if (first !== undefined)
        return [
          make(
            'capability-missing',
            `${group} capability ${first} is required but not supported`,
            `the channel ${name} requires the capability ${first}, which this version does not have`,
            'start the node with a version that has it',
          ),
        ];
    const { faults } = await setupChannelMsps(config, { program });
    return faults
      .slice(0, 1)
      .map(({ path, message }) =>
        make(
          'channel-msp',
          message,
          `this version does not accept a certificate of ${path} in the channel ${name}: after an upgrade it no longer counts`,
          'replace the certificate in the config of the channel before the upgrade (configtxlator set msp)',
        ),
      );
  } catch (error) {
    return [unreadableCause({ folder, problem: reasonOf(error) })];
  }
}

const unknownToPeers = ({ application }: Channel): string[] =>
  [...application.capabilities].filter(
    (name) => !APPLICATION_CAPABILITIES.includes(name) && !EXPERIMENTAL.includes(name),
  );
