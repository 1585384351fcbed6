// The copy of a channel: the same channel with new keys, and nodes on 127.0.0.1 in place of its own.

import type { Address } from '../channel/index.js';

/** A certificate and its private key (PKCS#8), both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The files of an MSP directory by their path in it, such as `cacerts/ca0.pem` and `config.yaml`; without signcerts and keystore. */
export type MspFiles = ReadonlyMap<string, string>;

/** The key pairs of the TLS connections of a node, and the certificates in PEM of the TLS CAs of the channel. */
export interface CopiedTls {
  readonly server: KeyPair;
  readonly client: KeyPair;
  readonly roots: readonly string[];
}

/** A node of the copy. */
export interface CopiedNode {
  /** Unique, such as `orderer1` and `peer1`. */
  readonly name: string;
  readonly kind: 'orderer' | 'peer';
  readonly mspId: string;
  /** On 127.0.0.1. */
  readonly address: Address;
  /** Its address in the channel; undefined for a peer without one. */
  readonly original: Address | undefined;
  readonly msp: MspFiles;
  readonly signing: KeyPair;
  readonly tls: CopiedTls;
  /** Whether it is not started, because its original is down. */
  readonly isDown: boolean;
  /** What its admin installs when an update with this index changes its certificates. Most nodes have none. */
  readonly renewals?: ReadonlyMap<number, Pick<CopiedNode, 'signing' | 'tls'>>;
}

/** A user of the copy. */
export interface CopiedPerson {
  /** The MSP id, with the CA in brackets if the organisation has several. The users of one CA have the same name. */
  readonly name: string;
  readonly mspId: string;
  readonly role: 'admin' | 'client';
  /** The key and the name of the CA in the copy (`caOf`); undefined for an admin whom the MSP lists. */
  readonly ca: string | undefined;
  readonly pair: KeyPair;
  readonly msp: MspFiles;
}

/** An update for the copy. */
export interface CopiedUpdate {
  /** The name of its file, or another name for messages. */
  readonly name: string;
  /** A serialized `common.Envelope`, signed by users of the copy. */
  readonly envelope: Uint8Array;
  /** The channel config before the update and after it, both as serialized `common.Config` of the copy. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** A channel with new keys. Organisations and consenters that an update adds or changes have users and nodes in it too. */
export interface Copy {
  readonly channel: string;
  /** A genesis block with the config of the copy: a serialized `common.Block`. */
  readonly genesis: Uint8Array;
  readonly consensus: 'etcdraft' | 'BFT';
  readonly nodes: readonly CopiedNode[];
  readonly people: readonly CopiedPerson[];
  /** In their order. */
  readonly updates: readonly CopiedUpdate[];
}
