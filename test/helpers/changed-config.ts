// Changes of the messages in recorded configs, and their reviews.

import { readConfigFile, readUpdateFile, type ConfigFile } from '../../translator/channel/file.js';
import { countingFindings, review, type Review, type ReviewOptions } from '../../translator/review/index.js';
import { computeUpdate } from '../../translator/update/index.js';
import { parse, serialize, type Tree } from '../fuzz/review/messages.js';
import { bytesIn, readReviewCases } from './review-cases.js';

const { now, configs } = readReviewCases();

/** A `common.ConfigGroup` as plain data. */
export interface Group extends Tree {
  readonly groups: Record<string, Group>;
  readonly values: Record<string, { value: Uint8Array; mod_policy?: string }>;
  readonly policies: Record<string, { policy: Tree; mod_policy?: string }>;
}

/** The review of a change of a recorded config, after another change of it. */
export async function reviewOf(
  name: string,
  change: (channel: Group) => void,
  prepare: (channel: Group) => void = () => {},
  {
    fabric,
    orderers = [],
    ...block
  }: Partial<Pick<ConfigFile, 'signers' | 'number'> & Pick<ReviewOptions, 'fabric' | 'orderers'>> = {},
): Promise<Review> {
  const tree = parse('common.Config', bytesIn(configs[name]!));
  prepare(tree.channel_group as Group);
  const original = serialize('common.Config', tree);
  change(tree.channel_group as Group);
  const update = computeUpdate(original, serialize('common.Config', tree), 'testchannel');
  const config = { ...readConfigFile(original), ...block };
  return review(readUpdateFile(update), config, { now: new Date(now), fabric: fabric ?? [], orderers });
}

/** The message in a value. */
export const messageIn = (group: Group, name: string, type: string): Tree =>
  parse(type, group.values[name]!.value);

/** Changes the message in a value. */
export function inValue(group: Group, name: string, type: string, change: (message: Tree) => void): void {
  const message = messageIn(group, name, type);
  change(message);
  group.values[name]!.value = serialize(type, message);
}

export const inMsp = (group: Group, change: (config: Tree) => void): void =>
  inValue(group, 'MSP', 'msp.MSPConfig', (message) => {
    const config = parse('msp.FabricMSPConfig', message.config as Uint8Array);
    change(config);
    message.config = serialize('msp.FabricMSPConfig', config);
  });

export const inRaft = (channel: Group, change: (metadata: Tree & { options: Tree }) => void): void =>
  inMetadata(channel, 'etcdraft.ConfigMetadata', (metadata) => change(metadata as Tree & { options: Tree }));

const inMetadata = (channel: Group, type: string, change: (metadata: Tree) => void): void =>
  inValue(channel.groups.Orderer!, 'ConsensusType', 'orderer.ConsensusType', (message) => {
    const metadata = parse(type, message.metadata as Uint8Array);
    change(metadata);
    message.metadata = serialize(type, metadata);
  });

export const inBft = (channel: Group, options: Tree): void =>
  inMetadata(channel, 'orderer.smartbft.Options', (metadata) => void Object.assign(metadata, options));

export const application = (channel: Group): Group => channel.groups.Application!;
export const orderer = (channel: Group): Group => channel.groups.Orderer!;
export const org1 = (channel: Group): Group => application(channel).groups.Org1!;
export const ordererOrg = (channel: Group): Group => orderer(channel).groups.OrdererOrg!;

/** The dangers and warnings of a change that count, as `severity id: text`. Without refusals and missing signatures. */
export async function harmOf(...args: Parameters<typeof reviewOf>): Promise<string[]> {
  return countingFindings(await reviewOf(...args))
    .filter(({ severity }) => severity === 'danger' || severity === 'warning')
    .map(({ severity, id, text }) => `${severity} ${id}: ${text}`);
}

/** Changes the BFT consenters. */
export const inConsenters = (channel: Group, change: (consenters: Tree[]) => void): void =>
  inValue(orderer(channel), 'Orderers', 'common.Orderers', (message) =>
    change(message.consenter_mapping as Tree[]),
  );

/** Sets the capabilities of a group. */
export const setCapabilities = (group: Group, ...names: readonly string[]): void =>
  inValue(group, 'Capabilities', 'common.Capabilities', (message) => {
    message.capabilities = Object.fromEntries(names.map((name) => [name, {}]));
  });
