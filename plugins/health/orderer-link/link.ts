// Requests the newest block of each channel of a peer from its orderers.

import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import {
  addressText,
  channelOf,
  consentersOf,
  readConfigFile,
  TranslateError,
  findSigningIdentity,
  readSigningIdentity,
  type SigningIdentity,
} from 'fabric-ops-agent/translator/channel';
import { readSignerFiles } from 'fabric-ops-agent/translator/node';
import {
  consenterAt,
  heightAt,
  openOrderer,
  orderersOf,
  type Asking,
  type OpenedOrderer,
  type OrdererPlace,
} from 'fabric-ops-agent/translator/orderer';
import { createYielder, reasonOf } from '../../../core/contract/index.js';
import type { ConfigBlock, LedgerChannel, LedgerReader } from '../../../core/contract/internal/index.js';
import { describeUnreadable, readForeignBytes } from '../../../core/kit/index.js';
import type { LinkConfig, LinkReport, LinkResponse } from './judge.js';

/** The identity and the TLS files of the requests, and the location of the channels. */
interface LinkOptions {
  readonly ledger: string;
  readonly msp: string;
  readonly mspid: string;
  readonly certificate: string;
  readonly key: string;
  readonly tls: boolean;
  readonly tlsCert: string;
  readonly tlsKey: string;
  readonly timeout: number;
  readonly overrides: readonly AddressOverride[];
  readonly hasOwnNetwork: boolean;
  readonly network: readonly NetworkAddress[];
}

/** An address in the network of the container of the peer, and where this host has it. */
export interface NetworkAddress {
  readonly from: string;
  readonly to: string;
}

/** An address of an orderer that the peer uses instead of the address in the config of the channel. */
export interface AddressOverride {
  readonly from: string;
  readonly to: string;
  /** PEM file with the CAs of its TLS certificate; empty: the CAs of the host. */
  readonly caCertsFile?: string;
}

/** The advice if TLS fails. */
const ADVICE = {
  'other-ca': 'the CAs of the orderer organisations in the channel are trusted',
  'no-tls': 'this peer does, by `options.tls`',
  'needs-tls': 'see `options.tls`',
} as const;

/** Largest file with a certificate or a key, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** An orderer in a config. */
interface NamedOrderer extends OrdererPlace {
  /** The address of the consenter with this endpoint; undefined: unknown. */
  readonly consenter: string | undefined;
  /** The address in the config, if the peer connects to another address. */
  readonly replaces?: string | undefined;
}

/** The orderers of a channel of the ledger folder. */
interface LedgerOrderers {
  /** The number of its blocks; undefined: they cannot be read. */
  height?: bigint | undefined;
  /** The newest config block; undefined before one was read. */
  config?: LinkConfig & { readonly orderers: readonly NamedOrderer[] };
  /** Why the last read failed. */
  problem?: string;
}

/** A TLS client certificate with its key, and what identifies it. */
interface ClientCertificate {
  readonly certificate: Uint8Array;
  readonly key: Uint8Array;
  readonly hash: Uint8Array;
  readonly id: string;
}

/** The common parts of all requests of a round. */
type Caller = Pick<Asking, 'signer'> & { readonly client: ClientCertificate | undefined };

/** How long the former client certificate is used until the current one is tried again, in milliseconds: each attempt is a line in the logs of orderers. */
const RETRY_CURRENT = 300_000;

/** The connections to the orderers, and the followed ledgers. */
export class OrdererLinks {
  readonly #options: LinkOptions;
  readonly #ledger: LedgerReader;
  readonly #channels = new Map<string, LedgerOrderers>();
  /**
   * By address, CAs and client certificate. Connections without a response are reopened in the next round, without the back-off of gRPC.
   */
  #orderers = new Map<string, Promise<OpenedOrderer>>();
  /** Where this host has an address in the network of the container of the peer. */
  readonly #onHost: ReadonlyMap<string, string>;
  /** The addresses of orderers that have responded. */
  readonly #known = new Set<string>();
  /** The last client certificate with which an orderer responded, and the start of the process of the peer at that time. */
  #proven: { readonly client: ClientCertificate; readonly start: number | undefined } | undefined;
  /** Since when orderers respond only with the certificate before a change of the file, as `performance.now()`. */
  #formerSince: number | undefined;

  constructor(options: LinkOptions, ledger: LedgerReader) {
    this.#options = options;
    this.#ledger = ledger;
    this.#onHost = new Map(options.network.map(({ from, to }) => [from, to]));
  }

  /** Whether orderers respond only with the client certificate before a change of its file. */
  get usesFormer(): boolean {
    return this.#formerSince !== undefined;
  }

  /**
   * Sends one request for each channel to each of its orderers, all at the same time. If none responds after a change of the client
   * certificate, the former one is used: the peer reads the file when it starts.
   *
   * @param start of the process of the peer, in seconds since the epoch; undefined: unknown
   * @throws Error when the identity or the ledger folder cannot be read
   */
  async ask(signal: AbortSignal, start?: number): Promise<readonly LinkReport[]> {
    await this.#readLedgers();
    const signer = await this.#signer();
    const current = await this.#client();
    const overrides = await readOverrides(this.#options);
    const used = new Set<string>();
    const askWith = (client: ClientCertificate | undefined): Promise<readonly LinkReport[]> =>
      this.#askAll({ signer, client }, overrides, used, signal);
    const former = this.#formerThan(current, start);
    if (former === undefined) this.#formerSince = undefined;
    const isTooEarly = performance.now() < (this.#formerSince ?? -Infinity) + RETRY_CURRENT;
    let links = former !== undefined && isTooEarly ? await askWith(former) : undefined;
    if (links === undefined || !hasResponse(links)) {
      links = await askWith(current);
      const isRefused = former !== undefined && !hasResponse(links);
      const others = isRefused && !isTooEarly ? await askWith(former) : [];
      if (hasResponse(others)) links = others;
      this.#formerSince = hasResponse(others) ? performance.now() : undefined;
      if (current !== undefined && this.#formerSince === undefined && hasResponse(links))
        this.#proven = { client: current, start };
    }
    for (const key of this.#orderers.keys()) if (!used.has(key)) this.#drop(key);
    return links;
  }

  /** The client certificate that the process of the peer has read, if it is another one; undefined: unknown. */
  #formerThan(
    current: ClientCertificate | undefined,
    start: number | undefined,
  ): ClientCertificate | undefined {
    const { client, start: of } = this.#proven ?? {};
    return current === undefined || client?.id === current.id || of !== start ? undefined : client;
  }

  #askAll(
    caller: Caller,
    overrides: ReadonlyMap<string, OtherPlace>,
    used: Set<string>,
    signal: AbortSignal,
  ): Promise<readonly LinkReport[]> {
    return Promise.all(
      [...this.#channels].map(async ([channel, { height: blocks, config, problem }]): Promise<LinkReport> => {
        if (config === undefined) return { channel, height: undefined, responses: [], config, problem };
        const { orderers } = config;
        const responses = await Promise.all(
          orderers
            .map((place) => ({ ...place, ...overrides.get(place.address) }))
            .map(async (place) => this.#askOne(channel, place, caller, used, signal)),
        );
        const height = problem === undefined ? blocks : undefined;
        return { channel, height, responses, config, problem };
      }),
    );
  }

  close(): void {
    for (const key of this.#orderers.keys()) this.#drop(key);
  }

  async #askOne(
    channel: string,
    place: NamedOrderer,
    { client, signer }: Caller,
    used: Set<string>,
    signal: AbortSignal,
  ): Promise<LinkResponse> {
    const { address, cas, consenter, replaces } = place;
    const key = `${address} ${createHash('sha256')
      .update(cas)
      .update(client?.id ?? '')
      .digest('hex')}`;
    used.add(key);
    try {
      let orderer = this.#orderers.get(key);
      if (orderer === undefined) {
        const { tls, timeout } = this.#options;
        orderer = openOrderer({
          ...this.#placeOnHost(address),
          cas: tls ? cas : undefined,
          client,
          timeout,
          advice: ADVICE,
        });
        this.#orderers.set(key, orderer);
      }
      const asking = { signer, clientCertificateHash: client?.hash, channel };
      const found = await heightAt(await orderer, asking, signal);
      if (typeof found === 'bigint') {
        this.#known.add(address);
        return { address, replaces, consenter, state: 'alive', height: found };
      }
      const { sign, isRefused, status, reason } = found;
      if (isRefused) this.#known.add(address);
      else used.delete(key);
      const isKnown = this.#known.has(address);
      // The host name of a stopped container is no longer resolved. A name that was never resolved may be unknown only on this host.
      const resolved = sign !== 'unresolved' ? sign : isKnown ? 'silent' : 'unknown';
      // An override that has never worked gives no information about the orderer.
      const state = replaces === undefined || isKnown ? resolved : 'unknown';
      const isUnseen = sign === 'unresolved' && this.#options.hasOwnNetwork;
      return { address, replaces, consenter, state, isRefused, isUnseen, status, reason };
    } catch (error) {
      if (!(error instanceof TranslateError)) throw error;
      used.delete(key);
      return { address, replaces, consenter, state: 'unknown', isRefused: false, reason: error.message };
    }
  }

  /** The address to connect to, and the name in the TLS certificate there if that is another one. */
  #placeOnHost(address: string): { readonly address: string; readonly serverName?: string } {
    const onHost = this.#onHost.get(address);
    if (onHost === undefined) return { address };
    return { address: onHost, serverName: address.slice(0, address.lastIndexOf(':')) };
  }

  #drop(key: string): void {
    void this.#orderers.get(key)?.then(
      (orderer) => orderer.close(),
      () => undefined,
    );
    this.#orderers.delete(key);
  }

  /** Finds the channels, and reads their new blocks. @throws the error of {@link LedgerReader.read} */
  async #readLedgers(): Promise<void> {
    const ledgers = await this.#ledger.read();
    const names = new Set(ledgers.map(({ name }) => name));
    for (const channel of this.#channels.keys()) if (!names.has(channel)) this.#channels.delete(channel);
    const yieldIfDue = createYielder(1);
    for (const ledger of ledgers) {
      const channel = this.#channels.get(ledger.name) ?? {};
      this.#channels.set(ledger.name, channel);
      this.#readChannel(channel, ledger);
      await yieldIfDue();
    }
  }

  #readChannel(
    channel: LedgerOrderers,
    { name, height, config: block, error: unreadable }: LedgerChannel,
  ): void {
    channel.height = height;
    try {
      if (unreadable !== undefined) throw unreadable;
      delete channel.problem;
      if (block !== undefined) channel.config = configOf(block);
    } catch (error) {
      channel.problem = reasonOf(error);
      // The same block is read again in the next round.
      this.#ledger.repeat(name);
    }
  }

  async #client(): Promise<ClientCertificate | undefined> {
    const { tls, tlsCert, tlsKey } = this.#options;
    if (!tls || tlsCert === '') return undefined;
    const client = { certificate: await readPem(tlsCert), key: await readPem(tlsKey) };
    const certificate = parsed(tlsCert, 'no certificate', () => new X509Certificate(client.certificate));
    const key = parsed(tlsKey, 'no private key, or an encrypted one', () => createPrivateKey(client.key));
    if (!certificate.checkPrivateKey(key)) throw new Error(`${tlsKey} does not belong to ${tlsCert}`);
    const hash = createHash('sha256').update(certificate.raw).digest();
    return { ...client, hash, id: hash.toString('hex') };
  }

  /** Reads the signing identity in each round, because certificates are renewed. */
  async #signer(): Promise<SigningIdentity> {
    const { msp, mspid, certificate, key } = this.#options;
    if (certificate === '') return findSigningIdentity({ ...readSignerFiles(msp), mspid });
    return readSigningIdentity({ mspid, certificate: await readPem(certificate), key: await readPem(key) });
  }
}

/** Returns true if an orderer has responded to a request. */
const hasResponse = (links: readonly LinkReport[]): boolean =>
  links.some(({ responses }) => responses.some((each) => 'height' in each || each.isRefused));

const readPem = async (path: string): Promise<Buffer> => {
  try {
    return await readForeignBytes(path, MAX_FILE_SIZE);
  } catch (error) {
    throw new Error(`${path}: ${describeUnreadable(error, 'let the user of the agent read it')}`, {
      cause: error,
    });
  }
};

/** Parses the content of a file. @throws Error with the file and its content, as OpenSSL names neither */
function parsed<T>(file: string, content: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${file}: contains ${content}`, { cause: error });
  }
}

/** A place that the peer uses instead of a place in the config. */
type OtherPlace = Pick<NamedOrderer, 'address' | 'cas' | 'replaces'>;

/**
 * The places of the overrides by the address that they replace. As in the peer, an override has no effect if its file of CAs does not exist
 * or has no CAs, and an override without a file trusts the CAs of the host (Fabric: core/deliverservice/config.go, `LoadOverridesMap`).
 *
 * @throws Error when a file exists but cannot be read: the peer may be able to read it
 */
async function readOverrides({ overrides }: LinkOptions): Promise<ReadonlyMap<string, OtherPlace>> {
  const found = new Map<string, OtherPlace>();
  for (const { from, to, caCertsFile = '' } of overrides) {
    const cas = caCertsFile === '' ? await hostCas() : await readPem(caCertsFile).catch(unlessMissing);
    if (cas?.includes('-----BEGIN CERTIFICATE-----') === true)
      found.set(from, { address: to, cas, replaces: from });
  }
  return found;
}

/** @throws Error unless there is no such file */
function unlessMissing(error: Error): undefined {
  if ((error.cause as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** The CAs of the host, from the file that Go reads on Debian (crypto/x509/root_linux.go), and the CAs in Node.js. */
async function hostCas(): Promise<Buffer> {
  const own = await readPem('/etc/ssl/certs/ca-certificates.crt').catch(() => Buffer.alloc(0));
  return Buffer.concat([own, Buffer.from(`\n${rootCertificates.join('\n')}`)]);
}

/** The orderers in a config block, and whether it is in maintenance. @throws TranslateError if it does not parse */
function configOf({ bytes, number }: ConfigBlock): NonNullable<LedgerOrderers['config']> {
  const { config } = readConfigFile(bytes);
  const channel = channelOf(config);
  const consenters = consentersOf(channel);
  const places = new Map(orderersOf(config).map((place) => [place.address, place]));
  const orderers = [...places.values()].map((place) => {
    const consenter = consenterAt(consenters, place.address);
    return { ...place, consenter: consenter && addressText(consenter) };
  });
  return { block: Number(number), isInMaintenance: channel.orderer.isInMaintenance, orderers };
}
