// The knowledge of checkers about the monitored nodes. A checker publishes facts; the verdict about each channel, `/status`, `/nodes` and other
// checkers read them.

import type { ChannelDocument, ConfigDocument, ConsenterDocument } from './channel-document.js';

/** The channels that a node has. */
export interface ChannelList {
  readonly names: readonly string[];
  /** When the list was requested, as `performance.now()`: a channel in a newer reading may be new. */
  readonly requestedAt: number;
}

/** The consenters in the newest config block of a channel that a node has. */
export interface ChannelConsenters extends Pick<ConfigDocument, 'block' | 'consensus'> {
  readonly channel: string;
  readonly consenters: readonly (Pick<ConsenterDocument, 'address' | 'id'> & {
    /** SHA-256 of the public key of its TLS server; undefined: unknown. */
    readonly key?: string | undefined;
  })[];
  /** BFT: LeaderHeartbeatTimeout, after which the consenters change the view, in milliseconds; undefined: unknown. */
  readonly leaderHeartbeatTimeout?: number | undefined;
  /** Set while the channel is in maintenance mode. */
  readonly maintenance?: Maintenance | undefined;
  /** The address of the consenter that the node itself is, according to its certificate, or to the address at which it listens. */
  readonly own?: string | undefined;
  /** Set if the certificate of the node is known and has another key than the consenter `own`: the node only follows the channel. */
  readonly hasOtherKey?: true | undefined;
}

/** The maintenance mode of a channel, in which a migration to another consensus type is made (Fabric: `STATE_MAINTENANCE`). */
export interface Maintenance {
  /** The number of the config block with which it began; undefined: unknown. */
  readonly since?: number | undefined;
}

/** The last responses of the orderers of a channel to requests for blocks. */
export interface ChannelResponses {
  readonly channel: string;
  readonly responses: readonly OrdererResponse[];
}

/** The response of an orderer. */
export interface OrdererResponse {
  /** `host:port` of the request. */
  readonly address: string;
  /** The address of this orderer as a consenter in the config of the channel; undefined: unknown. */
  readonly consenter?: string | undefined;
  /**
   * `alive`: it sent a block or refused this identity. `unavailable`: it does not serve the channel now, for example Raft without a leader.
   * `no-channel`: it does not have the channel, or only follows it. `silent`: it refuses connections or does not respond. `unknown`: the
   * request failed for another reason.
   */
  readonly state: 'alive' | 'unavailable' | 'no-channel' | 'silent' | 'unknown';
}

/** The TLS certificate in the file of a node. */
export interface NodeCertificate {
  /** SHA-256 of its public key. */
  readonly key: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
  /** When it expires, in milliseconds since the epoch. */
  readonly notAfter: number;
}

/** A certificate that a checker has found. */
export interface FoundCertificate {
  /** The name of the part of the checker that reports its failures. */
  readonly part?: string | undefined;
  readonly subject: string;
  /** Its use, such as `signing` or `tls`. */
  readonly kind: string;
  /** Where it is, such as the path of its file. */
  readonly path: string;
  /** When it expires, in milliseconds since the epoch. */
  readonly notAfter: number;
}

/** A container engine that runs chaincode. */
export interface FoundEngine {
  readonly version: string;
}

/** The values of facts, by kind. */
export interface FactValues {
  /** The channels that the node has. Relayed series of other channels are removed. */
  readonly channels: ChannelList;
  /** The consenters of the channels, from the ledger directory of the node; they remain valid while the node is down. */
  readonly consenters: readonly ChannelConsenters[];
  /** The responses of the orderers of its channels to the identity of the node. */
  readonly responses: readonly ChannelResponses[];
  /** The TLS certificate of the node. */
  readonly tls: NodeCertificate;
  /**
   * Reads the channels of the node, for `/nodes/<name>/channels`. A function, because it reads more than other readers need. Its signal is
   * aborted after 10 s.
   */
  readonly configs: (signal: AbortSignal) => Promise<readonly ChannelDocument[]>;
  /** The certificates that `/status` lists. */
  readonly certificates: readonly FoundCertificate[];
  /** The container engine that `/status` lists; a peer that is too old for it is a warning. */
  readonly engine: FoundEngine;
}

/** The kinds of facts. */
export type FactKind = keyof FactValues;

/** A published fact. */
export interface Fact<Kind extends FactKind = FactKind> {
  /** The name of the checker that published it. */
  readonly checker: string;
  /** The node of the checker; undefined: it has none. */
  readonly node: string | undefined;
  /** When it was published, in milliseconds since the epoch. */
  readonly publishedAt: number;
  readonly value: FactValues[Kind];
}

/** The facts of all checkers. */
export interface Facts {
  /**
   * Publishes a fact. It replaces the earlier fact of this kind from the same checker, and ends when the checker stops.
   *
   * @param value must not be changed after the call; undefined: the earlier fact ends
   * @throws TypeError if the value does not have the form of its kind
   */
  publish<Kind extends FactKind>(kind: Kind, value: FactValues[Kind] | undefined): void;
  /** The current facts of a kind, in the order in which the checkers first published one. */
  latest<Kind extends FactKind>(kind: Kind): readonly Fact<Kind>[];
}

/** A function that returns what is wrong with a member; undefined: nothing. */
type Problem = (value: unknown) => string | undefined;

const text: Problem = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const onlyTrue: Problem = (value) => (value === true ? undefined : 'must be true');
const number: Problem = (value) => (Number.isFinite(value) ? undefined : 'must be a number');
const optional =
  (problem: Problem): Problem =>
  (value) =>
    value === undefined ? undefined : problem(value);

const list =
  (problem: Problem): Problem =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    for (const [index, each] of value.entries()) {
      const found = problem(each);
      if (found !== undefined) return `[${index}]${found.startsWith('.') ? '' : ' '}${found}`;
    }
    return undefined;
  };

const object =
  (members: Readonly<Record<string, Problem>>): Problem =>
  (value) => {
    if (typeof value !== 'object' || value === null) return 'must be an object';
    for (const [name, problem] of Object.entries(members)) {
      const found = problem((value as Readonly<Record<string, unknown>>)[name]);
      if (found !== undefined) return `.${name}${/^[.[]/.test(found) ? '' : ' '}${found}`;
    }
    return undefined;
  };

const PROBLEMS: Readonly<Record<FactKind, Problem>> = {
  channels: object({ names: list(text), requestedAt: number }),
  consenters: list(
    object({
      channel: text,
      block: number,
      consensus: text,
      consenters: list(object({ address: text, id: optional(number), key: optional(text) })),
      leaderHeartbeatTimeout: optional(number),
      maintenance: optional(object({ since: optional(number) })),
      own: optional(text),
      hasOtherKey: optional(onlyTrue),
    }),
  ),
  responses: list(
    object({
      channel: text,
      responses: list(object({ address: text, consenter: optional(text), state: text })),
    }),
  ),
  tls: object({ key: text, fingerprint: text, notAfter: number }),
  configs: (value) => (typeof value === 'function' ? undefined : 'must be a function'),
  certificates: list(
    object({ part: optional(text), subject: text, kind: text, path: text, notAfter: number }),
  ),
  engine: object({ version: text }),
};

/** Checks that the value of a fact has the form of its kind. @throws TypeError that names the member */
export function checkFact(kind: string, value: unknown): void {
  if (!Object.hasOwn(PROBLEMS, kind))
    throw new TypeError(`unknown kind of facts '${kind}'; the kinds are ${Object.keys(PROBLEMS).join(', ')}`);
  const problem = PROBLEMS[kind as FactKind](value);
  if (problem !== undefined) throw new TypeError(`fact ${kind}${/^[.[]/.test(problem) ? '' : ' '}${problem}`);
}
