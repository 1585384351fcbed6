// A typed view of a channel config. Each value is parsed once, when it is first read.

import { resultTypes } from './arguments.js';
import { requireTypes } from '../../proto/arguments.js';
import { NO_BYTES } from '../../proto/bytes.js';
import { attempt, withPrefix } from '../../proto/errors.js';
import type { CommonCapabilities, MspMSPConfig, OrdererBatchSize } from '../../proto/messages.js';
import type { Address } from './address.js';
import { readBftConsenters, readRaftConsenters, type Consenter } from './consenters.js';
import { type Config, type ConfigGroup } from './element.js';
import { pathOf, type GroupPath } from './names.js';
import {
  mspIdOf,
  readBftOptions,
  STATE_MAINTENANCE,
  valueOf,
  valueOrEmpty,
  type BftOptions,
  type ConsensusType,
  type GroupKind,
  type ValueName,
  type ValueOf,
} from './values.js';

/** The groups below the channel group that have organisations, besides `Consortiums` of a system channel. */
export const SECTIONS = ['Application', 'Orderer'] as const;
export type Section = (typeof SECTIONS)[number];

/** A group of a known kind, with its values. Values of a group that does not exist are empty, as in Fabric. */
class Group<K extends GroupKind> {
  /** Undefined if the channel does not have the group. */
  readonly group: ConfigGroup | undefined;
  readonly #kind: K;
  readonly #path: string;
  readonly #values = new Map<string, unknown>();

  constructor(group: ConfigGroup | undefined, kind: K, ...names: GroupPath) {
    this.group = group;
    this.#kind = kind;
    this.#path = pathOf(...names);
  }

  /** @throws TranslateError BAD_BYTES with the path of the value */
  protected value<N extends ValueName<K>>(name: N): ValueOf<K, N> {
    if (!this.#values.has(name))
      this.#values.set(
        name,
        this.read(name, () => valueOrEmpty(this.group, this.#kind, name)),
      );
    return this.#values.get(name) as ValueOf<K, N>;
  }

  /** Parses a part of a value; the message of an error begins with the path of the value. */
  protected read<Result>(name: ValueName<K>, call: () => Result): Result {
    return withPrefix(`${this.#path}/${name}`, call);
  }
}

const namesOf = ({ capabilities }: CommonCapabilities): ReadonlySet<string> => new Set(capabilities.keys());

/** An organisation of a channel. */
export class Organization<In extends Section | 'Consortiums' = Section> {
  readonly section: In;
  /** The names of the groups below the channel group: `['Application', 'Org1']`, `['Consortiums', 'SampleConsortium', 'Org1']`. */
  readonly names: GroupPath;
  /** `/Channel/Application/Org1` */
  readonly path: string;
  readonly group: ConfigGroup;
  #mspId: { readonly read: string | undefined } | undefined;

  constructor(section: In, names: GroupPath, group: ConfigGroup) {
    this.section = section;
    this.names = names;
    this.path = pathOf(...names);
    this.group = group;
  }

  /** Undefined without an MSP, or if the MSP does not parse. */
  get mspId(): string | undefined {
    return (this.#mspId ??= { read: mspIdOf(this.group) }).read;
  }

  /** The name of its group. */
  get name(): string {
    return this.names.at(-1) ?? '';
  }

  /** The serialized `msp.MSPConfig`; undefined if it has no MSP. */
  get msp(): Uint8Array | undefined {
    return this.group.values.get('MSP')?.value;
  }

  /** The parsed MSP; undefined if there is none. @throws TranslateError BAD_BYTES */
  get mspConfig(): MspMSPConfig | undefined {
    return this.#read('MSP', () => valueOf(this.group, 'applicationOrganization', 'MSP'));
  }

  /** The anchor peers of an application organisation. @throws TranslateError BAD_BYTES */
  get anchorPeers(): readonly Address[] {
    if ((this.section as string) !== 'Application') return [];
    const read = () => valueOrEmpty(this.group, 'applicationOrganization', 'AnchorPeers');
    return this.#read('AnchorPeers', read).anchorPeers;
  }

  /** The addresses `host:port` of an orderer organisation. @throws TranslateError BAD_BYTES */
  get endpoints(): readonly string[] {
    if ((this.section as string) !== 'Orderer') return [];
    const read = () => valueOrEmpty(this.group, 'ordererOrganization', 'Endpoints');
    return this.#read('Endpoints', read).addresses;
  }

  #read<Result>(name: string, call: () => Result): Result {
    return withPrefix(`${this.path}/${name}`, call);
  }
}

const organizationsIn = <In extends Section | 'Consortiums'>(
  section: In,
  path: GroupPath,
  parent: ConfigGroup | undefined,
): readonly Organization<In>[] =>
  [...(parent?.groups ?? [])].map(([name, group]) => new Organization(section, [...path, name], group));

/** The group Orderer. Each member throws a TranslateError BAD_BYTES if its value does not parse. */
export class OrdererGroup extends Group<'orderer'> {
  #organizations: readonly Organization[] | undefined;
  #consenters: readonly Consenter[] | undefined;

  constructor(group: ConfigGroup | undefined) {
    super(group, 'orderer', 'Orderer');
  }

  get organizations(): readonly Organization[] {
    return (this.#organizations ??= organizationsIn('Orderer', ['Orderer'], this.group));
  }

  get capabilities(): ReadonlySet<string> {
    return namesOf(this.value('Capabilities'));
  }

  /** The type is `etcdraft`, `BFT`, `kafka` or `solo`. */
  get consensus(): ConsensusType {
    return this.value('ConsensusType');
  }

  get isBft(): boolean {
    return this.consensus.type === 'BFT';
  }

  get isInMaintenance(): boolean {
    return this.consensus.state === STATE_MAINTENANCE;
  }

  /** The metadata of the consensus type BFT; undefined with another type. */
  get bftOptions(): BftOptions | undefined {
    const { metadata } = this.consensus;
    return this.isBft ? this.read('ConsensusType', () => readBftOptions(metadata)) : undefined;
  }

  /** The consenters in their order; none if the consensus type is neither etcdraft nor BFT. */
  get consenters(): readonly Consenter[] {
    return (this.#consenters ??= this.#readConsenters());
  }

  #readConsenters(): readonly Consenter[] {
    const { type, metadata } = this.consensus;
    const value = this.group?.values.get('Orderers')?.value ?? NO_BYTES;
    if (type === 'BFT') return this.read('Orderers', () => readBftConsenters(value));
    return type === 'etcdraft' ? this.read('ConsensusType', () => readRaftConsenters(metadata)) : [];
  }

  /** The path of the value that contains the consenters. */
  get consentersPath(): string {
    return pathOf('Orderer', this.isBft ? 'Orderers' : 'ConsensusType');
  }

  /** The limits of a block in transactions and bytes. */
  get batchSize(): OrdererBatchSize {
    return this.value('BatchSize');
  }

  /** A duration, for example `2s`. */
  get batchTimeout(): string {
    return this.value('BatchTimeout').timeout;
  }

  get kafkaBrokers(): readonly string[] {
    return this.value('KafkaBrokers').brokers;
  }

  /** 0 means no limit. */
  get maxChannels(): bigint {
    return this.value('ChannelRestrictions').maxCount;
  }
}

/** The group Application. Each member throws a TranslateError BAD_BYTES if its value does not parse. */
export class ApplicationGroup extends Group<'application'> {
  #organizations: readonly Organization[] | undefined;

  constructor(group: ConfigGroup | undefined) {
    super(group, 'application', 'Application');
  }

  get organizations(): readonly Organization[] {
    return (this.#organizations ??= organizationsIn('Application', ['Application'], this.group));
  }

  get capabilities(): ReadonlySet<string> {
    return namesOf(this.value('Capabilities'));
  }

  /** The path or the name of a policy, by resource. */
  get acls(): ReadonlyMap<string, string> {
    return new Map([...this.value('ACLs').acls].map(([name, { policyRef }]) => [name, policyRef]));
  }
}

/** A consortium of a system channel. */
export interface Consortium {
  readonly name: string;
  readonly organizations: readonly Organization<'Consortiums'>[];
}

/** A channel. Each member throws a TranslateError BAD_BYTES if its value does not parse. */
export class Channel extends Group<'channel'> {
  readonly orderer: OrdererGroup;
  readonly application: ApplicationGroup;

  constructor(channelGroup: ConfigGroup) {
    super(channelGroup, 'channel');
    this.orderer = new OrdererGroup(channelGroup.groups.get('Orderer'));
    this.application = new ApplicationGroup(channelGroup.groups.get('Application'));
  }

  /** The application organisations, then the orderer organisations. */
  get organizations(): readonly Organization[] {
    return [...this.application.organizations, ...this.orderer.organizations];
  }

  /** Undefined if this is no system channel. */
  get consortiums(): readonly Consortium[] | undefined {
    const consortiums = this.group?.groups.get('Consortiums');
    return (
      consortiums &&
      [...consortiums.groups].map(([name, group]) => ({
        name,
        organizations: organizationsIn('Consortiums', ['Consortiums', name], group),
      }))
    );
  }

  get capabilities(): ReadonlySet<string> {
    return namesOf(this.value('Capabilities'));
  }

  /** The consortium from which the channel was created; undefined in a system channel. */
  get consortium(): string | undefined {
    return this.read('Consortium', () => valueOf(this.group, 'channel', 'Consortium'))?.name;
  }

  get hashingAlgorithm(): string {
    return this.value('HashingAlgorithm').name;
  }

  get hashingWidth(): number {
    return this.value('BlockDataHashingStructure').width;
  }

  /** Addresses `host:port` for the whole channel; V3_0 does not allow them. */
  get ordererAddresses(): readonly string[] {
    return this.value('OrdererAddresses').addresses;
  }
}

/** Where nodes and clients connect to an orderer. */
export interface OrdererEndpoint {
  /** `host:port` */
  readonly address: string;
  /** The organisations with the TLS CAs that verify it. */
  readonly organizations: readonly Organization[];
}

/**
 * The endpoints to which peers connect: the endpoints of the organisations, or the addresses of the channel if no organisation has
 * endpoints (Fabric's common/deliverclient/orderers/connection.go, `Update`).
 *
 * @throws TranslateError BAD_BYTES
 */
export function ordererEndpoints({ orderer, ordererAddresses }: Channel): readonly OrdererEndpoint[] {
  const { organizations } = orderer;
  const own = organizations.flatMap((each) =>
    each.endpoints.map((address) => ({ address, organizations: [each] })),
  );
  return own.length > 0 ? own : ordererAddresses.map((address) => ({ address, organizations }));
}

const channels = new WeakMap<ConfigGroup, Channel>();

/** The channel of a config. The same channel group gives the same object, so that each value is parsed once. */
export function channelOf(config: Pick<Config, 'channelGroup'>): Channel {
  requireTypes({ config }, { config: resultTypes.config });
  const { channelGroup } = config;
  let channel = channels.get(channelGroup);
  if (channel === undefined) channels.set(channelGroup, (channel = new Channel(channelGroup)));
  return channel;
}

/** The consenters of a channel; none if the Raft metadata does not parse. */
export const consentersOf = ({ orderer }: Channel): readonly Consenter[] =>
  orderer.isBft
    ? orderer.consenters
    : attempt(
        () => orderer.consenters,
        () => [],
      );
