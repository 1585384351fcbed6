// Sets up the MSPs of a channel config.

import { requireTypes } from '../../proto/arguments.js';
import { limitCalls } from '../../core/common/flow/limit-calls.js';
import { MspMSPConfig } from '../../proto/messages.js';
import { FABRIC_3_0, type Program } from './releases.js';
import { sameBytes } from '../../proto/bytes.js';
import { type Config, type ConfigGroup, valueOrEmpty, resultTypes } from '../channel/index.js';
import { attempt } from '../../proto/errors.js';
import { certificateIn } from './certificate.js';
import { FABRIC, IDEMIX, mspVersionOf, readX509Msp, type MspVersion } from './config.js';
import { LongCall } from '../long-call.js';
import { MspManager, type Msp } from './msp.js';
import { readMessage } from '../../proto/typed.js';
import { setupMsp } from './setup.js';

/** The valid MSPs of a channel, and the faults of the others. */
export interface ChannelMsps {
  readonly manager: MspManager;
  readonly faults: readonly MspFault[];
  /** The program with the rules that were applied. */
  readonly program: Program;
}

/** A fault of the MSP of an organisation. */
export interface MspFault {
  /** The path of the organisation, such as `/Channel/Application/Org1`. */
  readonly path: string;
  /** Fabric's text, for example `setting up the MSP manager failed: expected at least one CA certificate`. */
  readonly message: string;
  /** False if judging the MSP takes too much work, see `MspSetup`. */
  readonly isJudged: boolean;
}

const KEY = new TextDecoder('latin1');

/** The result of setting up one MSP, which takes as long as verifying its certificates. */
interface OneMsp {
  /** Bytes that are equal for equal MSPs: the serialized `msp.FabricMSPConfig`, or the value if it cannot be read. */
  readonly content: Uint8Array;
  readonly msp?: Msp;
  readonly messages: readonly string[];
  readonly isJudged: boolean;
}

/** A cache of MSPs by their bytes: configs of one channel share most of them. */
export class MspCache {
  readonly #known = new Map<string, Promise<OneMsp>>();

  /** Sets up an MSP, or returns it from the cache. */
  get(value: Uint8Array, version: MspVersion, program: Program): Promise<OneMsp> {
    const key = `${version} ${program.fabric} ${program.go} ${KEY.decode(value)}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = setupOne(value, version, program);
      this.#known.set(key, found);
    }
    return found;
  }
}

/** Options for setting up MSPs. */
export interface SetupOptions {
  /** The program with the rules to apply. @default Fabric 3.0 */
  readonly program?: Program;
  readonly cache?: MspCache;
  /** The call that needs them: the current part of it is this. */
  readonly call?: LongCall;
}

/** The number of MSPs that are set up in parallel, because each waits for the verification of its certificates. */
const AT_ONCE = 16;

/** Sets up the MSP of each organisation (common/channelconfig/msp.go, `ProposeMSP`). Organisations with the same MSP share it. */
export async function setupChannelMsps(
  config: Config,
  { program = FABRIC_3_0, cache = new MspCache(), call = new LongCall() }: SetupOptions = {},
): Promise<ChannelMsps> {
  requireTypes({ config }, { config: resultTypes.config });
  const { channelGroup } = config;
  const version = mspVersionOf(capabilitiesOf(channelGroup));
  const seen: { readonly name: string; readonly content: Uint8Array }[] = [];
  const msps: Msp[] = [];
  const faults: MspFault[] = [];
  const organizations = organizationsOf(channelGroup);
  const limited = limitCalls(AT_ONCE);
  let done = 0;
  await Promise.all(
    organizations.map(({ value }) =>
      limited(async () => {
        await call.pause();
        await call.wait(cache.get(value, version, program));
        call.advance(++done, organizations.length);
      }),
    ),
  );
  for (const { path, value } of organizations) {
    const { msp, messages, content, isJudged } = await cache.get(value, version, program);
    if (seen.some((each) => sameBytes(each.content, content))) continue;
    if (msp !== undefined && seen.some(({ name }) => name === msp.name))
      faults.push({
        path,
        message: `Attempted to define two different versions of MSP: ${msp.name}`,
        isJudged,
      });
    else if (msp !== undefined) msps.push(msp);
    faults.push(...messages.map((message) => ({ path, message, isJudged })));
    seen.push({ name: msp?.name ?? '', content });
  }
  return { manager: new MspManager(msps), faults, program };
}

/**
 * The organisations with an expired signing identity in their MSPs: orderers refuse an update with such an MSP, and do not start with it
 * (msp/mspimplsetup.go, `setupSigningIdentity`).
 */
export const expiredSigners = (
  { channelGroup }: Config,
  { now, program }: { readonly now: Date; readonly program: Program },
): readonly MspFault[] =>
  organizationsOf(channelGroup).flatMap(({ path, value }) => {
    const msp = attempt(
      () => readX509Msp(value),
      () => undefined,
    );
    const certificate = msp?.signingIdentity && certificateIn(msp.signingIdentity.certificate, program.go);
    if (certificate === undefined || certificate.notAfter > now) return [];
    const message = 'setting up the MSP manager failed: signing identity expired … ago';
    return [{ path, message, isJudged: true }];
  });

const setupOne = async (value: Uint8Array, version: MspVersion, program: Program): Promise<OneMsp> =>
  attempt(
    async (): Promise<OneMsp> => {
      const { type, config } = readMessage(MspMSPConfig, value);
      // Not checked, because Idemix does not use certificates.
      if (type === IDEMIX) return { content: config, messages: [], isJudged: true };
      if (type !== FABRIC)
        return { content: value, messages: [`Setup error: unsupported msp type ${type}`], isJudged: true };
      const { msp, faults, isJudged } = await setupMsp(config, version, program);
      return {
        content: config,
        ...(msp !== undefined && { msp }),
        messages: isJudged
          ? faults.map((fault) => `setting up the MSP manager failed: ${fault}`)
          : [...faults],
        isJudged,
      };
    },
    ({ message }): OneMsp => ({ content: value, messages: [message], isJudged: true }),
  );

/** The names of the channel capabilities. */
function capabilitiesOf(channel: ConfigGroup): readonly string[] {
  return attempt(
    () => [...valueOrEmpty(channel, 'channel', 'Capabilities').capabilities.keys()],
    () => [],
  );
}

interface Organization {
  readonly path: string;
  /** The serialized `msp.MSPConfig`. */
  readonly value: Uint8Array;
}

/** `/Channel/Application/Org1`, `/Channel/Consortiums/SampleConsortium/Org1` */
const ORGANIZATION = /^\/Channel\/(?:(?:Application|Orderer)|Consortiums\/[^/]+)\/[^/]+$/;

/** Its values are not read (common/channelconfig/consortiums.go, `NewConsortiumsConfig`). */
const CONSORTIUMS = '/Channel/Consortiums';

/** The groups below the channel with an MSP, and organisations without one, for which Fabric sets up an empty MSP. */
function organizationsOf(channel: ConfigGroup): readonly Organization[] {
  const organizations: Organization[] = [];
  const groups: (readonly [path: string, group: ConfigGroup])[] = [['/Channel', channel]];
  for (let next = groups.shift(); next !== undefined; next = groups.shift()) {
    const [path, group] = next;
    const msp = group.values.get('MSP');
    if ((msp !== undefined && path !== CONSORTIUMS) || ORGANIZATION.test(path))
      organizations.push({ path, value: msp?.value ?? new Uint8Array() });
    for (const [name, child] of group.groups) groups.push([`${path}/${name}`, child]);
  }
  return organizations;
}
