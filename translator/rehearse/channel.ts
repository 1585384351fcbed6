// The channel of a copy as its users see it: the newest config, updates, and the responses of orderers.

import { randomBytes } from 'node:crypto';
import { digest } from '../crypto/index.js';
import { concatBytes, toHex } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonEnvelope,
  CommonPayload,
  CommonSignatureHeader,
} from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { readConfigFile, type Config } from '../channel/index.js';
import { lastConfigOf, parseBlock, type Position } from '../ledger/index.js';
import { openOrderer, seekEnvelope, type OpenedOrderer } from '../orderer/index.js';
import { signatureOf, signEnvelope, type SigningIdentity } from '../sign/index.js';
import type { FabricProcess } from './nodes.js';

/** Time limit of a call, in milliseconds. */
const TIMEOUT = 8_000;

/** A user who signs. */
export interface Person {
  /** Of the results, see `CopiedPerson`. */
  readonly name: string;
  readonly mspId: string;
  readonly role: 'admin' | 'client';
  /** The CA, see `CopiedPerson`; undefined if it does not matter. */
  readonly ca: string | undefined;
  readonly signer: SigningIdentity;
  /** The MSP directory. */
  readonly directory: string;
}

interface Connection {
  readonly orderer: Promise<OpenedOrderer>;
  /** How many calls have not ended. */
  calls: number;
}

/** Connections to orderers: a new one takes longer than a call. */
export class Connections {
  readonly #channel: string;
  /** The TLS CAs of orderers, in PEM. */
  readonly #casOf: (node: FabricProcess) => Uint8Array;
  readonly #open = new Map<FabricProcess, Connection>();

  constructor(channel: string, casOf: (node: FabricProcess) => Uint8Array) {
    this.#channel = channel;
    this.#casOf = casOf;
  }

  /**
   * Calls an orderer; after a call without a response it connects again: gRPC would wait longer after each failure. Other calls of the old
   * connection end first.
   */
  async #with<T>(node: FabricProcess, call: (orderer: OpenedOrderer) => Promise<T>): Promise<T> {
    let connection = this.#open.get(node);
    if (connection === undefined) {
      const options = { address: node.address, cas: this.#casOf(node), timeout: TIMEOUT };
      connection = { orderer: openOrderer(options), calls: 0 };
      this.#open.set(node, connection);
    }
    connection.calls += 1;
    const orderer = await connection.orderer;
    try {
      return await call(orderer);
    } catch (error) {
      const isResponse = error instanceof TranslateError && error.code === 'REFUSED';
      if (!isResponse && this.#open.get(node) === connection) this.#open.delete(node);
      throw error;
    } finally {
      connection.calls -= 1;
      if (connection.calls === 0 && this.#open.get(node) !== connection) orderer.close();
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { orderer } of all) (await orderer).close();
  }

  /** Fetches a serialized block from an orderer. @throws TranslateError UNREACHABLE, REFUSED */
  fetchBlock(node: FabricProcess, { signer }: Person, position: Position): Promise<Uint8Array> {
    const channel = this.#channel;
    return this.#with(node, async (orderer) => {
      const request = { channel, position, signer, clientCertificateHash: undefined, now: new Date() };
      return orderer.deliver(await seekEnvelope(request));
    });
  }

  /** Fetches the newest config block that an orderer has. @throws TranslateError UNREACHABLE, REFUSED, BAD_BLOCK */
  async fetchConfig(node: FabricProcess, person: Person): Promise<ConfigBlock> {
    const newest = parseBlock(await this.fetchBlock(node, person, 'newest'));
    const number = lastConfigOf(newest);
    const bytes = await this.fetchBlock(node, person, number);
    return { number, bytes, config: readConfigFile(bytes).config, newest: newest.number };
  }

  /** Submits an envelope to an orderer. */
  async broadcast(node: FabricProcess, envelope: Uint8Array): Promise<Answer> {
    try {
      const { status, info } = await this.#with(node, (orderer) => orderer.broadcast(envelope));
      return { status, reason: info };
    } catch (error) {
      return { status: undefined, reason: (error as Error).message };
    }
  }
}

/** A config block. */
export interface ConfigBlock {
  readonly number: bigint;
  readonly bytes: Uint8Array;
  readonly config: Config;
  /** The number of the newest block that the orderer has. */
  readonly newest: bigint;
}

/** The response of an orderer to an envelope. */
export interface Answer {
  /** `common.Status`; undefined if there was no response. */
  readonly status: number | undefined;
  readonly reason: string;
}

/** An unsigned update, signed by several people; the first one is the submitter. */
export async function signedBy(envelope: Uint8Array, people: readonly Person[]): Promise<Uint8Array> {
  let signed = envelope;
  for (const { signer } of people.toReversed()) signed = await signEnvelope(signed, signer, new Date());
  return signed;
}

/** common.HeaderType */
const ENDORSER_TRANSACTION = 3;
const NONCE_SIZE = 24;

/** An envelope that orderers put into a block: they verify who has signed it, and that its time is near; peers mark it as invalid. */
export async function transactionOf(channel: string, signer: SigningIdentity): Promise<Uint8Array> {
  const { creator } = signer;
  const nonce = new Uint8Array(randomBytes(NONCE_SIZE));
  const channelHeader = writeMessage(CommonChannelHeader, {
    type: ENDORSER_TRANSACTION,
    timestamp: { seconds: BigInt(Math.floor(Date.now() / 1000)) },
    channelId: channel,
    txId: toHex(digest('SHA-256', [concatBytes(nonce, creator)])),
  });
  const signatureHeader = writeMessage(CommonSignatureHeader, { creator, nonce });
  const data = new TextEncoder().encode('not a transaction');
  const payload = writeMessage(CommonPayload, { header: { channelHeader, signatureHeader }, data });
  return writeMessage(CommonEnvelope, { payload, signature: await signatureOf(signer, payload) });
}
