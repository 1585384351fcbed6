// Asks the orderers of the channels of a peer for their newest block.

import { createHash, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readConfigFile } from 'fabric-ops-agent/translator/channel';
import { TranslateError } from 'fabric-ops-agent/translator/errors';
import { blockBytes, channelFoldersOf, LedgerFollower } from 'fabric-ops-agent/translator/ledger';
import { readSignerFiles } from 'fabric-ops-agent/translator/msp-folder';
import {
  heightAt,
  openOrderer,
  orderersOf,
  type Asking,
  type Orderer,
  type OrdererPlace,
} from 'fabric-ops-agent/translator/orderer';
import {
  findSigningIdentity,
  readSigningIdentity,
  type SigningIdentity,
} from 'fabric-ops-agent/translator/sign';
import { createYielder, reasonOf } from '../../../core/contract/index.js';
import { callFile, describeUnreadable, readForeignBytes } from '../../../core/kit/index.js';
import type { ChannelLink, LinkResponse } from './judge.js';

/** Who asks, and where the channels are. */
export interface LinkOptions {
  readonly ledger: string;
  readonly msp: string;
  readonly mspid: string;
  readonly certificate: string;
  readonly key: string;
  readonly tls: boolean;
  readonly tlsCert: string;
  readonly tlsKey: string;
  readonly timeout: number;
}

/** What to do when TLS fails. */
const ADVICE = {
  'other-ca': 'the CAs of the orderer organisations in the channel are trusted',
  'no-tls': 'this peer does, by `options.tls`',
  'needs-tls': 'see `options.tls`',
} as const;

/** Largest file with a certificate or a key, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** A channel of the ledger folder. */
interface FollowedChannel {
  follower: LedgerFollower;
  /** The orderers of the newest config block; undefined before one was read. */
  orderers?: readonly OrdererPlace[];
  /** Why the last read failed. */
  problem?: string;
}

/** What all requests of a round have in common. */
type Caller = Pick<Asking, 'signer' | 'clientCertificateHash'> & {
  readonly client: { readonly certificate: Uint8Array; readonly key: Uint8Array } | undefined;
  /** Identifies the client certificate, for connections that are kept. */
  readonly id: string;
};

/** The connections to the orderers, and the ends of the ledgers. */
export class OrdererLinks {
  readonly #options: LinkOptions;
  readonly #channels = new Map<string, FollowedChannel>();
  /** By address, CAs and client certificate. Connections without a response are opened again in the next round, without the back-off of gRPC. */
  #orderers = new Map<string, Promise<Orderer>>();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Asks each orderer of each channel once, all at the same time.
   *
   * @throws Error when the identity or the ledger folder cannot be read
   */
  async ask(signal: AbortSignal): Promise<readonly ChannelLink[]> {
    await this.#readLedgers();
    const caller = await this.#caller();
    const used = new Set<string>();
    const links = await Promise.all(
      [...this.#channels].map(async ([channel, { follower, orderers, problem }]): Promise<ChannelLink> => {
        if (orderers === undefined) return { channel, height: undefined, responses: [], problem };
        const responses = await Promise.all(
          orderers.map(async (place) => this.#askOne(channel, place, caller, used, signal)),
        );
        const height = problem === undefined ? follower.height : undefined;
        return { channel, height, responses, problem };
      }),
    );
    for (const key of this.#orderers.keys()) if (!used.has(key)) this.#drop(key);
    return links;
  }

  close(): void {
    for (const key of this.#orderers.keys()) this.#drop(key);
  }

  async #askOne(
    channel: string,
    place: OrdererPlace,
    { client, id, ...asking }: Caller,
    used: Set<string>,
    signal: AbortSignal,
  ): Promise<LinkResponse> {
    const { address, cas } = place;
    const key = `${address} ${createHash('sha256').update(cas).update(id).digest('hex')}`;
    used.add(key);
    try {
      let orderer = this.#orderers.get(key);
      if (orderer === undefined) {
        const { tls, timeout } = this.#options;
        orderer = openOrderer({ address, cas: tls ? cas : undefined, client, timeout, advice: ADVICE });
        this.#orderers.set(key, orderer);
      }
      return { address, height: await heightAt(await orderer, { ...asking, channel }, signal) };
    } catch (error) {
      if (!(error instanceof TranslateError)) throw error;
      const isRefused = error.code === 'REFUSED';
      if (!isRefused) used.delete(key);
      return { address, isRefused, reason: error.message };
    }
  }

  #drop(key: string): void {
    void this.#orderers.get(key)?.then(
      (orderer) => orderer.close(),
      () => undefined,
    );
    this.#orderers.delete(key);
  }

  /** Finds the channels, and reads what was added to their ledgers. @throws TranslateError BAD_LEDGER, or the error of the system call */
  async #readLedgers(): Promise<void> {
    const { ledger } = this.#options;
    // The calls below wait for the file system, so it must respond.
    await callFile(ledger, () => stat(ledger));
    const folders = new Map(channelFoldersOf(ledger).map((path) => [basename(path), path]));
    for (const channel of this.#channels.keys()) if (!folders.has(channel)) this.#channels.delete(channel);
    const yieldIfDue = createYielder(1);
    for (const [channel, path] of folders) {
      const followed = this.#channels.get(channel) ?? { follower: new LedgerFollower(path) };
      this.#channels.set(channel, followed);
      readLedger(followed);
      await yieldIfDue();
    }
  }

  async #caller(): Promise<Caller> {
    const { tls, tlsCert, tlsKey } = this.#options;
    const signer = await this.#signer();
    if (!tls || tlsCert === '')
      return { signer, clientCertificateHash: undefined, client: undefined, id: '' };
    const client = { certificate: await readPem(tlsCert), key: await readPem(tlsKey) };
    const { raw } = new X509Certificate(client.certificate);
    const clientCertificateHash = createHash('sha256').update(raw).digest();
    return { signer, clientCertificateHash, client, id: clientCertificateHash.toString('hex') };
  }

  /** Read in each round: certificates are renewed. */
  async #signer(): Promise<SigningIdentity> {
    const { msp, mspid, certificate, key } = this.#options;
    if (certificate === '') return findSigningIdentity({ ...readSignerFiles(msp), mspid });
    return readSigningIdentity({ mspid, certificate: await readPem(certificate), key: await readPem(key) });
  }
}

const readPem = async (path: string): Promise<Buffer> => {
  try {
    return await readForeignBytes(path, MAX_FILE_SIZE);
  } catch (error) {
    throw new Error(`${path}: ${describeUnreadable(error, 'let the user of the agent read it')}`, {
      cause: error,
    });
  }
};

function readLedger(channel: FollowedChannel): void {
  try {
    const block = channel.follower.read();
    delete channel.problem;
    if (block === undefined) return;
    const places = orderersOf(readConfigFile(blockBytes(block)).config);
    channel.orderers = [...new Map(places.map((place) => [place.address, place])).values()];
  } catch (error) {
    channel.problem = reasonOf(error);
    // The same block is read again in the next round.
    channel.follower = new LedgerFollower(channel.follower.directory);
  }
}
