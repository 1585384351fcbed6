// The channel of a network as its administrators see it: the newest config, signed updates, and what orderers answer.

import { readFileSync } from 'node:fs';
import { computeUpdate, decode, encode } from '../../translator/index.js';
import { readSignerFiles } from '../../translator/msp-folder.js';
import { openOrderer, seekEnvelope, type OpenedOrderer } from '../../translator/orderer/connection.js';
import { lastConfigOf, parseBlock } from '../../translator/ledger/index.js';
import { findSigningIdentity, signEnvelope, type SigningIdentity } from '../../translator/sign/index.js';
import type { ConfigGroupJson } from '../e2e/fabric/channel-edits.js';
import { write } from '../e2e/fabric/messages.js';
import type { FabricNetwork } from '../e2e/fabric/network.js';
import { CHANNEL } from '../e2e/fabric/network-files.js';
import type { FabricNode } from '../e2e/fabric/node.js';

/** Time limit of a call, in milliseconds. */
const TIMEOUT = 8_000;

/** Somebody with an identity of an organisation. */
export interface Person {
  readonly mspId: string;
  readonly signer: SigningIdentity;
}

/** The people of a network; the first admin is that of the orderers. */
export interface People {
  readonly admins: readonly Person[];
  /** Of the application organisations. */
  readonly clients: readonly Person[];
}

async function personOf(mspId: string, directory: string): Promise<Person> {
  return { mspId, signer: await findSigningIdentity({ mspid: mspId, ...readSignerFiles(directory) }) };
}

/** Reads the identities of the people of a network. */
export async function peopleOf({ orderers: [orderer], peers }: FabricNetwork): Promise<People> {
  const admins = [orderer, ...peers].map(({ identity }) => personOf(identity.mspId, identity.admin));
  const clients = peers.map(({ identity }) => personOf(identity.mspId, identity.client));
  return { admins: await Promise.all(admins), clients: await Promise.all(clients) };
}

/** Connections to orderers that run: a new one costs more than all calls of a case. */
const connections = new Map<FabricNode, Promise<OpenedOrderer>>();

/** Calls an orderer; after a call that failed it connects again: gRPC would wait longer after each failure. */
async function withOrderer<T>(node: FabricNode, call: (orderer: OpenedOrderer) => Promise<T>): Promise<T> {
  const { address, identity } = node;
  let connection = connections.get(node);
  if (connection === undefined) {
    connection = openOrderer({ address, cas: readFileSync(identity.tls.ca), timeout: TIMEOUT });
    connections.set(node, connection);
  }
  const orderer = await connection;
  try {
    return await call(orderer);
  } catch (error) {
    if (connections.get(node) === connection) connections.delete(node);
    orderer.close();
    throw error;
  }
}

/** Closes the connections to orderers. */
export async function disconnect(nodes: readonly FabricNode[]): Promise<void> {
  for (const node of nodes) {
    (await connections.get(node))?.close();
    connections.delete(node);
  }
}

/** Fetches a block of an orderer as a person. @throws Error with the reason of the orderer */
export function fetchBlockAs(
  node: FabricNode,
  { signer }: Person,
  position: 'newest' | bigint,
): Promise<Uint8Array> {
  return withOrderer(node, async (orderer) => {
    const request = { channel: CHANNEL, position, signer, clientCertificateHash: undefined, now: new Date() };
    return orderer.deliver(await seekEnvelope(request));
  });
}

/** A config block and its number. */
export interface ConfigBlock {
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

/** Fetches the newest config block of an orderer as a person. */
export async function fetchConfigAs(node: FabricNode, person: Person): Promise<ConfigBlock> {
  const newest = parseBlock(await fetchBlockAs(node, person, 'newest'));
  const number = lastConfigOf(newest);
  return { number, bytes: await fetchBlockAs(node, person, number) };
}

/** What an orderer answers to an envelope. */
export interface Answer {
  /** `common.Status`; undefined if no answer came. */
  readonly status: number | undefined;
  readonly reason: string;
}

/** Submits an envelope to an orderer. */
export async function broadcast(node: FabricNode, envelope: Uint8Array): Promise<Answer> {
  try {
    const { status, info } = await withOrderer(node, (orderer) => orderer.broadcast(envelope));
    return { status, reason: info };
  } catch (error) {
    return { status: undefined, reason: (error as Error).message };
  }
}

/** The channel group of a config block in its JSON form. */
function configOf(block: Uint8Array): { config: Uint8Array; tree: { channel_group: ConfigGroupJson } } {
  const json = JSON.parse(decode('common.Block', block)) as {
    data: { data: [{ payload: { data: { config: { channel_group: ConfigGroupJson } } } }] };
  };
  const { config: tree } = json.data.data[0].payload.data;
  return { config: encode('common.Config', Buffer.from(JSON.stringify(tree))), tree };
}

/**
 * Makes the envelope of a change of a config, signed by all admins and submitted by the first of them.
 *
 * @throws TranslateError if it changes nothing, or a message cannot have such a value
 */
export async function signedUpdate(
  block: Uint8Array,
  admins: readonly Person[],
  edit: (channel: ConfigGroupJson) => void,
): Promise<Uint8Array> {
  const { config, tree } = configOf(block);
  edit(tree.channel_group);
  const update = computeUpdate(config, encode('common.Config', Buffer.from(JSON.stringify(tree))), CHANNEL);
  let envelope: Uint8Array = unsigned(update);
  // The last one who signs is the submitter.
  for (const { signer } of admins.toReversed()) envelope = await signEnvelope(envelope, signer, new Date());
  return envelope;
}

/** common.HeaderType */
const CONFIG_UPDATE = 2;

const unsigned = (update: Uint8Array): Buffer =>
  write('common.Envelope', {
    payload: write('common.Payload', {
      header: { channel_header: write('common.ChannelHeader', { type: CONFIG_UPDATE, channel_id: CHANNEL }) },
      data: write('common.ConfigUpdateEnvelope', { config_update: update }),
    }),
  });
