// A channel under one program and clock.

import { channelOf, type Channel, type Config } from '../channel/index.js';
import { LongCall } from '../long-call.js';
import { setupChannelMsps, type ChannelMsps, type MspCache, FABRIC_3_0, type Program } from '../msp/index.js';
import { createPolicies, policiesInSteps, type Policies } from '../policy/index.js';
import { judgeBlockSigners, type BlockSigners } from './block-signers.js';
import { servicePolicies, type Service, type ServicePolicy } from './services.js';

/** Options of a channel state. */
export interface StateOptions {
  /** The program of its nodes; Fabric 3.0 if it is not given. */
  readonly program?: Program;
  /** The current time; not needed if expiry of certificates does not matter. */
  readonly now?: Date;
  /** Certificates that end before this time are reported: `now`, or later for certificates that expire soon. */
  readonly horizon?: Date;
  /** For several states with the same MSPs: each MSP is set up once. */
  readonly cache?: MspCache | undefined;
  /** The call that needs the state. */
  readonly call?: LongCall;
}

/** A config under the rules of one program at a time. Its parts are computed once, on first use. */
export class ChannelState {
  readonly config: Config;
  readonly channel: Channel;
  readonly program: Program;
  readonly now: Date;
  readonly horizon: Date;
  /** The call that needs the state: long work on it pauses with this. */
  readonly call: LongCall;
  #cache: MspCache | undefined;
  #policies: Policies | undefined;
  #msps: Promise<ChannelMsps> | undefined;
  #services: ReadonlyMap<Service, ServicePolicy> | undefined;
  #blockSigners: Promise<BlockSigners | undefined> | undefined;

  constructor(
    config: Config,
    {
      program = FABRIC_3_0,
      now = new Date(0),
      horizon = now,
      cache,
      call = new LongCall(),
    }: StateOptions = {},
  ) {
    this.config = config;
    this.channel = channelOf(config);
    this.program = program;
    this.now = now;
    this.horizon = horizon;
    this.call = call;
    this.#cache = cache;
  }

  /** Reads the MSP ids and the policies, and pauses in between. Without it, the first use of them reads all at once. */
  async readAhead(): Promise<void> {
    for (const organization of this.channel.organizations) {
      await this.call.pause();
      void organization.mspId;
    }
    this.#policies ??= await this.call.run(policiesInSteps(this.config.channelGroup));
  }

  get policies(): Policies {
    return (this.#policies ??= createPolicies(this.config.channelGroup));
  }

  /** The MSPs of the organisations, and the faults of MSPs that cannot be set up. */
  get msps(): Promise<ChannelMsps> {
    return (this.#msps ??= this.#setupMsps());
  }

  #setupMsps(): Promise<ChannelMsps> {
    const cache = this.#cache;
    // A state that is kept must not keep the MSPs of other configs.
    this.#cache = undefined;
    const { program, call } = this;
    return setupChannelMsps(this.config, { program, call, ...(cache !== undefined && { cache }) });
  }

  /** The policies of all services, except services of an organisation. @throws TranslateError BAD_BYTES if a value does not parse */
  get services(): ReadonlyMap<Service, ServicePolicy> {
    return (this.#services ??= servicePolicies(this.channel, this.policies));
  }

  /** The block signers of a BFT channel; undefined for another channel. @throws TranslateError BAD_BYTES if a value does not parse */
  get blockSigners(): Promise<BlockSigners | undefined> {
    return (this.#blockSigners ??= this.#judgeBlockSigners());
  }

  async #judgeBlockSigners(): Promise<BlockSigners | undefined> {
    const { orderer } = this.channel;
    return orderer.isBft ? judgeBlockSigners(orderer.consenters, (await this.msps).manager) : undefined;
  }
}

/** The end of a certificate, as data of a finding. */
export const expiryOf = (
  notAfter: Date,
  { now }: Pick<ChannelState, 'now'>,
): { notAfter: string; isExpired: boolean } => ({
  notAfter: notAfter.toISOString(),
  isExpired: notAfter < now,
});
