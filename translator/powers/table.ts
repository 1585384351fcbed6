// The powers on a channel, as tables of services and of control.

import { addTo } from '../../core/common/group-by.js';
import { is, requireTypes } from '../../proto/arguments.js';
import {
  applyInSteps,
  walk,
  type ElementKind,
  channelOf,
  type Channel,
  type Organization,
  type Config,
  type Envelope,
  type ConfigFile,
  resultTypes,
} from '../channel/index.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import { type NodeRole, MspCache, rulesOf } from '../msp/index.js';
import { TranslateError } from '../../proto/errors.js';
import { controlOf, countText, type Control, type ControlSet } from '../control/index.js';
import {
  ChannelState,
  isIdemix,
  organizationNames,
  servicesIn,
  SERVICES,
  type ActingServices,
  type Actor,
  type BlockSigners,
  type Service,
  type ServiceName,
  type StateOptions,
} from '../state/index.js';

/** A service, and the actors that have it. */
export interface ServiceRow {
  readonly service: ServiceName;
  /** The resources of ACLs, such as `event/Block`; empty for a service without one. */
  readonly resources: readonly string[];
  readonly who: readonly {
    readonly role: NodeRole;
    readonly organizations: readonly string[];
  }[];
}

/** An organisation of the rows of services. */
export interface NamedOrganization {
  /** The name of its group; `Application/Org1` if the channel has another one of this name with a different MSP id. */
  readonly name: string;
  /** Null if it has no MSP. */
  readonly mspid: string | null;
  /** Whether its actors are known; if not, no row has it, and `unknown` contains the reason. */
  readonly isJudged: boolean;
}

/** Elements that the same sets of organisations can change in the end. */
export interface ControlRow {
  /** The smallest sets; none if nobody can change the elements. */
  readonly sets: readonly ControlSet[];
  readonly elements: readonly { readonly kind: ElementKind; readonly path: string }[];
}

/** The powers in a config. */
interface ConfigPowers {
  /** All organisations, also those that have no service. */
  readonly organizations: readonly NamedOrganization[];
  readonly services: readonly ServiceRow[];
  /** The control of elements in the end, at once or in steps. */
  readonly control: readonly ControlRow[];
  /** The facts that could not be judged, in words. */
  readonly unknown: readonly string[];
}

/** The powers on a channel. */
export interface ChannelPowers extends ConfigPowers {
  readonly channel: string | null;
  /** The number of the block; null if the config is not in a block. */
  readonly block: string | null;
  /** After an update; null without one. */
  readonly after: ConfigPowers | null;
}

/** Options of `powersOf`. */
export interface PowersOptions extends CallOptions {
  /** MSPs that other calls have set up. */
  readonly msps?: MspCache | undefined;
  /** The versions of the nodes, as in `ReviewOptions`. */
  readonly fabric?: readonly string[] | undefined;
}

/** The usual shares of the powers in a config, in hundredths. */
const MSPS = 60;
const CONTROL = 20;
const SERVICES_SHARE = 20;

/**
 * Returns the powers on a channel, and after an update.
 *
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_EDIT if the update does not fit the config, BAD_BYTES if a value of a config does not parse
 */
export async function powersOf(
  block: ConfigFile,
  file?: Envelope,
  options: PowersOptions = {},
): Promise<ChannelPowers> {
  requireTypes(
    { block, file, options },
    {
      block: resultTypes.configFile,
      file: is.optional(resultTypes.envelope),
      options: is.only({ fabric: is.any, msps: is.any, ...CALL }),
    },
  );
  const { config, channel, number } = block;
  const { fabric = [], msps = new MspCache(), signal, onProgress } = options;
  const call = new LongCall({ signal, onProgress }, file === undefined ? 1 : 2);
  // The newest rules: services rarely depend on the version.
  const setup = { program: rulesOf(fabric)[0], cache: msps, call };
  const after = file === undefined ? undefined : await updated(config, file, channel, call);
  const names = organizationNames([config, ...(after === undefined ? [] : [after])].map(channelOf));
  const before = await configPowers(config, names, setup);
  call.endRun();
  const later = after === undefined ? null : await configPowers(after, names, setup);
  if (later !== null) call.endRun(2);
  return {
    channel: channel ?? file?.update.channelId ?? null,
    block: number === undefined ? null : String(number),
    ...before,
    after: later,
  };
}

/** Returns the powers in two configs of one channel. An organisation has the same name in both. @throws TranslateError as `powersOf` */
export async function powersOfBoth(
  before: ConfigFile,
  after: ConfigFile,
  options: CallOptions = {},
): Promise<{ readonly before: ChannelPowers; readonly after: ChannelPowers }> {
  const setup = { program: rulesOf([])[0], cache: new MspCache(), call: new LongCall(options, 2) };
  const names = organizationNames([before.config, after.config].map(channelOf));
  const powersIn = async ({ config, channel, number }: ConfigFile, run: number): Promise<ChannelPowers> => {
    const powers = await configPowers(config, names, setup);
    setup.call.endRun(run);
    return {
      channel: channel ?? null,
      block: number === undefined ? null : String(number),
      ...powers,
      after: null,
    };
  };
  return { before: await powersIn(before, 1), after: await powersIn(after, 2) };
}

async function configPowers(
  config: Config,
  names: Names,
  setup: StateOptions & { readonly call: LongCall },
): Promise<ConfigPowers> {
  const { call } = setup;
  // MSPs depend on the capabilities; if these do not parse, MSPs are set up without capabilities.
  void channelOf(config).capabilities;
  // No clock: an expired certificate still belongs to its organisation.
  const state = new ChannelState(config, setup);
  await state.readAhead();
  call.begin('msps', MSPS);
  const { faults } = await state.msps;
  call.begin('control', CONTROL);
  const { sets, unsearched } = await controlOf(state);
  call.begin('services', SERVICES_SHARE);
  const { acting, unknown } = await servicesIn(state);
  const faulty = new Set(faults.map(({ path }) => path));
  const notJudged = new Set([...faulty, ...unknown.map(({ path }) => path)]);
  return {
    organizations: namedOrganizations(state.channel, names, notJudged),
    services: await serviceRows(acting, state, names),
    control: await controlRows(state, sets),
    unknown: [
      ...faults.map(({ path, message }) => `who acts for ${path}: ${message}`),
      ...unknownMembers(
        state.channel,
        unknown.filter(({ path }) => !faulty.has(path)),
      ),
      ...(unsearched === 0 ? [] : [unsearchedText(unsearched)]),
    ],
  };
}

/** The names of organisations by path. */
type Names = ReadonlyMap<string, string>;

/** @param notJudged paths of organisations without known members, besides idemix organisations */
function namedOrganizations(
  { organizations }: Channel,
  names: Names,
  notJudged: ReadonlySet<string>,
): NamedOrganization[] {
  const found = new Map<string, NamedOrganization>();
  for (const organization of organizations) {
    const { path, mspId } = organization;
    const name = names.get(path)!;
    const isJudged = !isIdemix(organization) && !notJudged.has(path);
    const isOther = found.get(name)?.isJudged === false;
    found.set(name, { name, mspid: mspId ?? null, isJudged: isJudged && !isOther });
  }
  return [...found.values()];
}

const unsearchedText = (count: number): string =>
  `who else controls something: ${countText(count)} sets of organisations were not checked`;

/** Organisations with unknown members, in words. @param without organisations without actors */
export const unknownMembers = (
  { organizations }: Pick<Channel, 'organizations'>,
  without: readonly Organization[],
): readonly string[] => [
  ...organizations
    .filter(isIdemix)
    .map(({ path }) => `who belongs to ${path}, whose MSP is of the type idemix`),
  ...without.map(({ path }) => `who acts for ${path}: no identity that its MSP accepts is known`),
];

/** A row for each list of sets, in the order of the config. */
async function controlRows(
  { config: { channelGroup }, call }: ChannelState,
  sets: Control['sets'],
): Promise<ControlRow[]> {
  const rows = new Map<string, { sets: readonly ControlSet[]; elements: ControlRow['elements'][number][] }>();
  for (const { kind, path, key } of walk(channelGroup)) {
    await call.pause();
    const own = sets.get(key) ?? [];
    const same = JSON.stringify(own);
    const row = rows.get(same) ?? { sets: own, elements: [] };
    rows.set(same, row);
    row.elements.push({ kind, path });
  }
  return [...rows.values()];
}

async function updated(
  config: Config,
  { update }: Envelope,
  channel: string | undefined,
  call: LongCall,
): Promise<Config> {
  const { config: after, faults } = await call.run(applyInSteps(config, update, channel));
  const [fault] = faults;
  if (fault !== undefined) throw new TranslateError('BAD_EDIT', `the update does not fit: ${fault.text}`);
  return after;
}

/** A row for each service, or for each group of its resources with the same actors. */
async function serviceRows(
  acting: ActingServices['acting'],
  state: ChannelState,
  names: Names,
): Promise<ServiceRow[]> {
  const { isBft } = state.channel.orderer;
  const services = SERVICES.filter(({ isOfBft = false }) => isBft || !isOfBft);
  const byService = new Map<Service, Actor[]>(services.map((service) => [service, []]));
  for (const { actor, services: own } of acting)
    for (const service of own) byService.get(service)!.push(actor);
  const signers = await state.blockSigners;
  const rows = new Map<string, { service: Service['name']; resources: string[]; who: ServiceRow['who'] }>();
  for (const [{ name, resource }, actors] of byService) {
    await state.call.pause();
    const who =
      name === 'make-blocks' && signers !== undefined
        ? ordererRowsOf(signers, state, names)
        : whoOf(actors, names);
    const key = JSON.stringify([name, who]);
    const row = rows.get(key) ?? { service: name, resources: [], who };
    rows.set(key, row);
    if (resource !== undefined) row.resources.push(resource);
  }
  return [...rows.values()];
}

/** The organisations of the BFT consenters that count; none if these are no quorum. */
function ordererRowsOf(
  { valid, quorum, mspids }: BlockSigners,
  { channel: { organizations } }: ChannelState,
  names: Names,
): ServiceRow['who'] {
  const consenterOrganizations = organizations.filter(
    ({ section, mspId }) => section === 'Orderer' && mspId !== undefined && mspids.has(mspId),
  );
  if (valid < quorum || consenterOrganizations.length === 0) return [];
  return [{ role: 'orderer', organizations: consenterOrganizations.map(({ path }) => names.get(path)!) }];
}

function whoOf(actors: readonly Actor[], names: Names): ServiceRow['who'] {
  const byRole = new Map<Actor['role'], Set<string>>();
  for (const { role, organization } of actors) addTo(byRole, role, names.get(organization.path)!);
  return [...byRole].map(([role, organizations]) => ({ role, organizations: [...organizations] }));
}
