// Updates that real orderers accept and that break something: what `review` says of one, and what is seen afterwards.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { check, eventually } from '../daemon.js';
import {
  editJson,
  fetchBlock,
  fetchRefused,
  review,
  signUpdate,
  submit,
  submitRefused,
  translate,
  type ConfigGroupJson,
} from './channel-edits.js';
import { send } from './endpoint.js';
import type { FabricNetwork } from './network.js';
import { CHANNEL, ordererIdentity, signingCertificate } from './network-files.js';
import type { FabricNode } from './node.js';

/** A change of the config in its JSON form. */
export type Edit = (channel: ConfigGroupJson) => void;

/** The dangers that `review` finds in `envelope.pb`, sorted, and its exit status. */
export function dangersOf(network: FabricNetwork, node: FabricNode): readonly [number | null, ...string[]] {
  const { status, ids } = foundBy(network, node, 'danger');
  return [status, ...ids];
}

/** The reasons of `review` that orderers refuse `envelope.pb`, sorted. */
export const refusalsOf = (network: FabricNetwork, node: FabricNode): readonly string[] =>
  foundBy(network, node, 'refused').ids;

function foundBy({ directory }: FabricNetwork, node: FabricNode, wanted: string) {
  const { status, output } = review(directory, node.identity);
  const { findings } = JSON.parse(output) as {
    findings: readonly { id: string; severity: string; explainedBy?: string }[];
  };
  return {
    status,
    ids: findings
      .flatMap(({ id, severity, explainedBy }) =>
        severity === wanted && explainedBy === undefined ? [id] : [],
      )
      .toSorted(),
  };
}

/** Signs and submits an edit as the administrator of the organisation of a node; `review` names exactly these dangers. */
export async function changeWith(
  t: ExecutionContext,
  network: FabricNetwork,
  edit: Edit,
  node: FabricNode,
  dangers: readonly string[],
): Promise<void> {
  await fetchBlock(network);
  editJson(network, edit);
  signUpdate(network, node.identity);
  t.deepEqual(dangersOf(network, node), [4, ...dangers]);
  await submit(network, node.identity);
}

/** Waits until a text is in the log of a number of these nodes. */
export async function logged(nodes: readonly FabricNode[], count: number, text: string): Promise<void> {
  await eventually(async () => {
    const found = nodes.filter((node) => node.log().includes(text)).length;
    check(found === count, `${found} of ${nodes.length} logs contain ${text}`);
  });
}

/** Waits until the channel of a peer has this number of blocks. */
export async function reaches(peer: FabricNode, height: number): Promise<void> {
  await eventually(async () => {
    const found = await heightOf(peer);
    check(found === height, `${peer.name} has ${found} blocks`);
  });
}

/** How many blocks of the channel a peer has. */
export async function heightOf(peer: FabricNode): Promise<number> {
  const { body } = await send(peer.operations, '/metrics');
  return Number(new RegExp(`^ledger_blockchain_height{channel="${CHANNEL}"} (\\d+)$`, 'm').exec(body)?.[1]);
}

/** Signs a harmless change of the batch size of `block.pb`. */
export function signNext(network: FabricNetwork, maxMessageCount = 77): void {
  const args = ['--set', `orderer.batchSize.maxMessageCount=${maxMessageCount}`, '-o', 'update.pb'];
  translate(network.directory, ['edit', 'block.pb', ...args]);
  signUpdate(network, network.orderers[0].identity);
}

/** Submits a harmless change of the batch size until the orderers refuse it with this text. */
export async function refusesNext(network: FabricNetwork, text: string): Promise<void> {
  signNext(network);
  await eventually(async () => {
    const printed = submitRefused(network, network.orderers[0].identity);
    check(printed.includes(text), printed);
  });
}

/** Waits until the administrator of an organisation may not read the channel. */
export async function cannotFetch(network: FabricNetwork, { identity }: FabricNode): Promise<void> {
  await eventually(async () => {
    const printed = fetchRefused(network, identity);
    check(printed.includes('FORBIDDEN'), printed);
  });
}

export const orderer = ({ groups }: ConfigGroupJson): ConfigGroupJson => groups.Orderer!;
export const bftOptions = (channel: ConfigGroupJson) => orderer(channel).values.ConsensusType.value.metadata;
export const raftOptions = (channel: ConfigGroupJson) => bftOptions(channel).options;
export const mspOf = (organisation: ConfigGroupJson) => organisation.values.MSP.value.config;
export const ordererMsp = (channel: ConfigGroupJson) => mspOf(orderer(channel).groups.OrdererOrg!);
export const peerMsp = (channel: ConfigGroupJson, number: number) =>
  mspOf(channel.groups.Application!.groups[`Org${number}MSP`]!);

/** Settings of `openssl ca`. */
export const CA_SETTINGS: readonly string[] = [
  '[ca]',
  'default_ca=x',
  '[x]',
  'database=index',
  'default_md=sha256',
  'default_crl_days=9',
];

/**
 * A revocation list (base64) of the CA of the orderer organisation with the certificate of its node.
 *
 * @param extensions lines of a section of openssl.cnf
 */
export function revocationList(directory: string, extensions: readonly string[]): string {
  const place = join(directory, 'crypto/ordererOrganizations/example.com');
  const key = readdirSync(join(place, 'ca')).find((name) => name.endsWith('_sk'))!;
  const ca = join(directory, 'ca');
  mkdirSync(ca);
  const settings = [
    ...CA_SETTINGS,
    ...(extensions.length === 0 ? [] : ['crl_extensions=extensions', '[extensions]', ...extensions]),
  ];
  writeFileSync(join(ca, 'openssl.cnf'), settings.join('\n'));
  writeFileSync(join(ca, 'index'), '');
  const openssl = (...args: string[]): Buffer =>
    execFileSync('openssl', ['ca', '-config', 'openssl.cnf', ...args], { cwd: ca, stdio: 'pipe' });
  const issuer = ['-keyfile', join(place, 'ca', key), '-cert', join(place, 'ca/ca.example.com-cert.pem')];
  openssl('-revoke', signingCertificate(ordererIdentity(directory, 1)), ...issuer);
  openssl('-gencrl', ...issuer, '-out', 'crl.pem');
  return readFileSync(join(ca, 'crl.pem'), 'base64');
}
