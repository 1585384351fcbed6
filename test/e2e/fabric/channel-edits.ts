// Changes the channel of a network: with the commands of configtxlator, and with the peer program where an update is refused.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelOf, readConfigFile, type Channel } from '../../../translator/channel/index.js';
import { TRANSLATOR } from '../../helpers/program.js';
import { eventually } from '../daemon.js';
import { channelAt, writeProfile } from './live-channel.js';
import type { FabricNetwork } from './network.js';
import { CHANNEL, runTool, type Identity } from './network-files.js';

/** Runs configtxlator; an error has its output. */
export function translate(directory: string, args: readonly string[]): string {
  const { status, stderr } = spawnSync(process.execPath, [TRANSLATOR, ...args], {
    cwd: directory,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`configtxlator ${args.join(' ')}: ${stderr}`);
  return stderr;
}

/** Fetches the newest config block into `block.pb`; returns its number. */
export async function fetchBlock(network: FabricNetwork): Promise<bigint> {
  const [orderer] = network.orderers;
  await eventually(async () => runPeer(network, orderer.identity, ['fetch', 'config', blockFile(network)]));
  return readConfigFile(readFileSync(blockFile(network))).number ?? 0n;
}

/** The file of the newest config block. */
export const blockFile = ({ directory }: FabricNetwork): string => join(directory, 'block.pb');

function runPeer(
  { tools, peers, orderers: [orderer] }: FabricNetwork,
  as: Identity,
  args: readonly string[],
): void {
  const connection = ['-o', orderer.address, '-c', CHANNEL, '--tls', '--cafile', orderer.identity.tls.ca];
  runTool(tools, 'peer', ['channel', ...args, ...connection], {
    FABRIC_CFG_PATH: peers[0].directory,
    CORE_PEER_LOCALMSPID: as.mspId,
    CORE_PEER_MSPCONFIGPATH: as.admin,
  });
}

/**
 * Makes an update with a command, has each of some people sign it, and submits it, with our commands alone.
 *
 * @param command the name of the command and what follows the channel
 * @param signers the first one makes and submits it
 * @param allow the dangers that are wanted
 * @returns the channel with the change
 */
export async function changeChannel(
  network: FabricNetwork,
  [name, ...args]: readonly [name: string, ...args: string[]],
  [first, ...others]: readonly [Identity, ...Identity[]],
  allow: readonly string[] = [],
): Promise<Channel> {
  const channel = channelAt(...network.orderers);
  const allowed = allow.flatMap((id) => ['--allow', id]);
  const run = (identity: Identity, ...command: readonly string[]): string =>
    translate(network.directory, [...command, '--profile', writeProfile(network, identity)]);
  // There may be no leader for a moment, after a consenter was restarted.
  await eventually(async () =>
    run(first, ...name.split(' '), channel, ...args, '--sign', ...allowed, '-o', 'update.pb'),
  );
  for (const each of others)
    run(each, 'sign', 'update.pb', '--block', channel, ...allowed, '--quiet', '-o', 'update.pb');
  await eventually(async () => run(first, 'submit', 'update.pb', ...allowed, '--quiet'));
  run(first, 'verify', 'update.pb', '--block', channel);
  run(first, 'fetch', channel, '-o', 'block.pb');
  return channelOf(readConfigFile(readFileSync(blockFile(network))).config);
}

/** What `review --json` prints for the envelope, for this submitter. */
export function review(directory: string, submitter: Identity): { status: number | null; output: string } {
  const options = ['--block', 'block.pb', '--submitter', adminCertificate(submitter), '--json'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [TRANSLATOR, 'review', 'envelope.pb', ...options],
    { cwd: directory, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

function adminCertificate({ admin }: Identity): string {
  const [name = ''] = readdirSync(join(admin, 'signcerts'));
  return join(admin, 'signcerts', name);
}

/** Submits an envelope that orderers refuse; returns what the peer program prints. */
export function submitRefused(network: FabricNetwork, submitter: Identity): string {
  return refusalOf(() =>
    runPeer(network, submitter, ['update', '-f', join(network.directory, 'envelope.pb')]),
  );
}

/** Fetches the newest config block, which orderers refuse; returns what the peer program prints. */
export function fetchRefused(network: FabricNetwork, reader: Identity): string {
  return refusalOf(() =>
    runPeer(network, reader, ['fetch', 'config', join(network.directory, 'refused.pb')]),
  );
}

function refusalOf(attempt: () => void): string {
  try {
    attempt();
    return '';
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

/** A group of a config in its JSON form. */
export interface ConfigGroupJson {
  readonly groups: Readonly<Record<string, ConfigGroupJson>>;
  // The values of a group have many forms, and the edits of tests name a field of one of them.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly values: Record<string, any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly policies: Record<string, any>;
}

/** Writes `update.pb`: the newest config with an edit of its JSON form. The block was fetched before. */
export function editJson({ directory }: FabricNetwork, edit: (channel: ConfigGroupJson) => void): void {
  const [block, edited] = ['block.json', 'edited.json'].map((name) => join(directory, name));
  const types = ['--type', 'common.Block', '--input', 'block.pb', '--output', 'block.json'];
  translate(directory, ['proto_decode', ...types]);
  const json = JSON.parse(readFileSync(block!, 'utf8')) as {
    data: { data: [{ payload: { data: { config: { channel_group: ConfigGroupJson } } } }] };
  };
  const { config } = json.data.data[0].payload.data;
  edit(config.channel_group);
  writeFileSync(edited!, JSON.stringify(config));
  translate(directory, ['edit', 'block.pb', '--with', 'edited.json', '-o', 'update.pb']);
}

/** Signs `update.pb` once, also what orderers refuse; writes `envelope.pb`. */
export function signUpdate({ directory }: FabricNetwork, { admin, mspId }: Identity): void {
  const signer = ['--msp', admin, '--mspid', mspId];
  translate(directory, ['sign', 'update.pb', '--unreviewed', ...signer, '-o', 'envelope.pb']);
}

/** Submits `envelope.pb`, which orderers accept; retries while there is no leader. */
export async function submit(network: FabricNetwork, submitter: Identity): Promise<void> {
  const envelope = join(network.directory, 'envelope.pb');
  await eventually(async () => runPeer(network, submitter, ['update', '-f', envelope]));
}

/** The addresses of consenters. */
export const addressesOf = (
  consenters: readonly { readonly host: string; readonly port: number }[],
): string[] => consenters.map(({ host, port }) => `${host}:${port}`);
