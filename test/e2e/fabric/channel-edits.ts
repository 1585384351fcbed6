// Changes the channel of a network with the commands of configtxlator; the peer program only fetches and submits.

import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelView, readConfigFile, type ChannelView } from '../../../translator/config/index.js';
import { TRANSLATOR } from '../../helpers/program.js';
import { check, eventually } from '../daemon.js';
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

/** An accepted change. */
export interface AcceptedChange {
  /** What the command wrote to standard error. */
  readonly notes: string;
  /** The channel with the change. */
  readonly view: ChannelView;
}

/**
 * Makes an update with a command, has it signed by each of some people on a copy of their own, merges their signatures, and submits it;
 * waits for its config block.
 *
 * @param command the name of the command and what follows the block
 * @param signers the first one submits
 */
export async function changeChannel(
  network: FabricNetwork,
  [name, ...args]: readonly [name: string, ...args: string[]],
  signers: readonly [Identity, ...Identity[]],
): Promise<AcceptedChange> {
  const { directory } = network;
  const before = await fetchBlock(network);
  const notes = translate(directory, [...name.split(' '), 'block.pb', ...args, '-o', 'update.pb']);
  const signed = signers.map(({ mspId, admin }) => {
    const file = `signed-${mspId}.pb`;
    copyFileSync(join(directory, 'update.pb'), join(directory, file));
    translate(directory, ['sign', file, '--msp', admin, '--mspid', mspId, '-o', file]);
    return file;
  });
  const [only = ''] = signed;
  if (signed.length === 1) copyFileSync(join(directory, only), join(directory, 'envelope.pb'));
  else translate(directory, ['merge', ...signed, '-o', 'envelope.pb']);
  const envelope = join(directory, 'envelope.pb');
  reviewAccepted(network, signers[0]);
  // There may be no leader for a moment, after a consenter was restarted.
  await eventually(async () => runPeer(network, signers[0], ['update', '-f', envelope]));
  // With BFT the block comes after the response.
  await eventually(async () => {
    check((await fetchBlock(network)) > before, 'the config block is not there yet');
  });
  translate(directory, ['verify', 'envelope.pb', '--block', 'block.pb']);
  return { notes, view: channelView(readConfigFile(readFileSync(blockFile(network))).config) };
}

/** The exit statuses of `review` for an update that orderers accept: fine, and accepted although harmful. */
const ACCEPTED: ReadonlySet<number | null> = new Set([0, 4]);

/** @throws Error unless the review predicts that orderers accept the envelope */
function reviewAccepted({ directory }: FabricNetwork, submitter: Identity): void {
  const { status, output } = review(directory, submitter);
  check(ACCEPTED.has(status), `review: ${String(status)} ${output}`);
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

/** Signs `update.pb` once; writes `envelope.pb`. */
export function signUpdate({ directory }: FabricNetwork, { admin, mspId }: Identity): void {
  translate(directory, ['sign', 'update.pb', '--msp', admin, '--mspid', mspId, '-o', 'envelope.pb']);
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
