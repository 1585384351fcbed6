// The services of powers/README.md on a real network: how members of the organisation of the first peer use one, and how an update takes
// one away.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { check, eventually } from '../daemon.js';
import { fetchBlock, review, signUpdate, submit, translate } from './channel-edits.js';
import { peerVariables, type FabricNetwork } from './network.js';
import { CHANNEL } from './network-files.js';
import type { FabricNode } from './node.js';

/** Uses a service; returns the error that its user sees, or nothing. */
export type Use = (network: FabricNetwork) => string | Promise<string>;

/** An update that takes services away. */
export interface Loss {
  /** What `review` names: `<service>: <role> of <organisation>`, and `<service> <resource>` for ACLs. */
  readonly lost: readonly string[];
  readonly dangers: readonly string[];
  /** The command of configtxlator, and what follows the block. */
  readonly edit: readonly [string, ...string[]];
  /** Who signs the edit and submits it. @default the first peer */
  readonly by?: (network: FabricNetwork) => FabricNode;
}

/** Runs the peer program as a member of the organisation of the first peer; returns what it prints when it fails. */
export async function peerFails(
  { tools, peers: [peer] }: FabricNetwork,
  who: 'admin' | 'client',
  command: readonly string[],
): Promise<string> {
  const { identity } = peer;
  const variables = peerVariables({ ...peer, identity: { ...identity, admin: identity[who] } });
  const env = { PATH: process.env.PATH, ...variables };
  try {
    await promisify(execFile)(join(tools, 'peer'), command, { env, timeout: 60_000 });
    return '';
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

/** The arguments of the peer program that call a chaincode. */
export const call = (chaincode: string, ...args: readonly string[]): string[] => [
  '-C',
  CHANNEL,
  '-n',
  chaincode,
  '-c',
  JSON.stringify({ Args: args }),
];

/** A query of a chaincode as a client. */
export const query =
  (chaincode: string, ...args: readonly string[]): Use =>
  (network) =>
    peerFails(network, 'client', ['chaincode', 'query', ...call(chaincode, ...args)]);

/**
 * A transaction of a chaincode as a client.
 *
 * @param options of the command: `--waitForEvent` until the peer has the transaction
 */
export const invoke =
  (options: readonly string[], chaincode: string, ...args: readonly string[]): Use =>
  (network) =>
    peerFails(network, 'client', [
      'chaincode',
      'invoke',
      ...options,
      ...call(chaincode, ...args),
      ...ordererOf(network),
      ...peerOf(network),
    ]);

/** The arguments of the peer program that name the first orderer. */
export const ordererOf = ({ orderers: [{ address, identity }] }: FabricNetwork): string[] => [
  '-o',
  address,
  '--tls',
  '--cafile',
  identity.tls.ca,
];

/** The arguments of the peer program that name the first peer. */
export const peerOf = ({ peers: [{ address, identity }] }: FabricNetwork): string[] => [
  '--peerAddresses',
  address,
  '--tlsRootCertFiles',
  identity.tls.ca,
];

/** Runs a command of the lifecycle for a definition, and waits until the peer has the transaction. */
export const lifecycle = (
  network: FabricNetwork,
  command: 'approveformyorg' | 'commit',
  name: string,
  ...more: readonly string[]
): Promise<string> =>
  peerFails(network, 'admin', [
    ...`lifecycle chaincode ${command} -C ${CHANNEL} -n ${name} -v 1 --sequence 1`.split(' '),
    ...more,
    ...ordererOf(network),
    ...peerOf(network),
  ]);

interface LostService {
  readonly service: string;
  readonly resources: readonly string[];
  readonly actors: readonly { readonly role: string; readonly organizations: readonly string[] }[];
}

/** What `review` says is lost, in the words of {@link Loss}. */
function lostIn(output: string): string[] {
  const { findings } = JSON.parse(output) as {
    findings: readonly { id: string; data: { services?: readonly LostService[] } }[];
  };
  return findings
    .filter(({ id }) => id === 'service-lost')
    .flatMap(({ data }) => data.services ?? [])
    .flatMap(({ service, resources, actors }) => [
      ...actors.flatMap(({ role, organizations }) =>
        organizations.map((each) => `${service}: ${role} of ${each}`),
      ),
      ...resources.map((each) => `${service} ${each}`),
    ]);
}

/** Makes, reviews, signs and submits an update. */
export async function take(t: ExecutionContext, network: FabricNetwork, loss: Loss): Promise<void> {
  const { edit, lost, dangers, by = ({ peers }) => peers[0] } = loss;
  const { identity } = by(network);
  await fetchBlock(network);
  const [command, ...args] = edit;
  translate(network.directory, [...command.split(' '), 'block.pb', ...args, '-o', 'update.pb']);
  signUpdate(network, identity);
  const { status, output } = review(network.directory, identity);
  const { findings } = JSON.parse(output) as {
    findings: readonly { id: string; severity: string; explainedBy?: string }[];
  };
  const found = findings
    .filter(({ severity, explainedBy }) => severity === 'danger' && explainedBy === undefined)
    .map(({ id }) => id);
  t.deepEqual([status, ...found.toSorted()], [4, ...dangers]);
  const named = lostIn(output);
  t.deepEqual(
    lost.filter((each) => !named.includes(each)),
    [],
    named.join(),
  );
  await submit(network, identity);
}

/** Uses a service until its user sees a text. */
export async function seen(network: FabricNetwork, use: Use, text: RegExp): Promise<void> {
  await eventually(async () => {
    const printed = await use(network);
    check(text.test(printed), printed);
  });
}

const ORDERERS = '/Channel/Orderer/Admins';

/** What a peer says when the policy of {@link aclLoss} denies. */
export const DENIED =
  /failed evaluating policy on signed data during check policy \[\/Channel\/Orderer\/Admins\]/;

/** The ACL of a resource names the admins of the orderers: clients lose its service. */
export const aclLoss = (service: string, resource: string): Loss => ({
  lost: [`${service}: client of Org1MSP`, `${service} ${resource}`],
  dangers: ['service-lost'],
  edit: ['acl set', resource, ORDERERS],
});
