// The services that the actors of a channel lose and gain by an update.

import { addTo, appendTo } from '../../core/common/group-by.js';
import type { Organization } from '../channel/index.js';
import { type NodeRole, type Principal, readSerializedIdentity } from '../msp/index.js';
import { attempt } from '../../proto/errors.js';
import { type MetaNode, type PolicyNode, type Signer, policiesBelow, principalsOf } from '../policy/index.js';
import { actorsOf, isSigner, organizationsWithout, type Actor, type NamedIdentities } from './actors.js';
import type { ChannelState } from './channel-state.js';
import { Holders } from './holders.js';
import { sameOrganization } from './organizations.js';
import { ownPolicy, serviceNamed, servicesOf, type Service, type ServicePolicy } from './services.js';

/** The cause of the loss of a service. */
export interface Cause {
  /**
   * `organization`: its organisation leaves. `identity`: the MSP does not accept it any more. `acl`: an ACL names another policy.
   * `policy-missing`: a policy is missing. `policy`: the policy requires something else.
   */
  readonly kind: 'organization' | 'identity' | 'acl' | 'policy-missing' | 'policy';
  /** The path of the element: an organisation, its MSP, the ACLs or a policy. */
  readonly path: string;
  /** For `identity`: the reason in Fabric's words. */
  readonly reason: string;
  /** From the policy of the service down to the one that is not satisfied, or that the update changes. */
  readonly steps: readonly Step[];
}

/** A policy between the policy of a service and the cause. */
export interface Step {
  readonly policy: PolicyNode;
  /** The number of groups of an implicit meta policy that the actor satisfies alone. */
  readonly satisfied: number;
}

/** The services that actors lose by one cause. */
export interface Loss {
  readonly cause: Cause;
  readonly services: ReadonlyMap<Service, ReadonlySet<Actor>>;
}

/** A policy that other actors satisfy after an update. */
export interface Gain {
  /** The path of the policy. */
  readonly path: string;
  /** The organisation that the policy belongs to: only its own actors should satisfy it. Undefined for a policy of all. */
  readonly owner: Organization | undefined;
  /** Whether it is the policy Admins of its owner. */
  readonly isOfAdmins: boolean;
  readonly services: ReadonlyMap<Service, ReadonlySet<Actor>>;
}

/** The changes for the actors of a channel. */
export interface ServiceComparison {
  readonly losses: readonly Loss[];
  readonly gains: readonly Gain[];
  /** Organisations without known members, so that their losses are unknown. */
  readonly unknown: readonly Organization[];
  /** Actors that lose a service, while a member of the same organisation and role that a policy names keeps it: perhaps nobody loses it. */
  readonly notNamed: readonly Actor[];
  /** Organisations that need several peers to approve chaincode definitions after the update, and one before. */
  readonly needPeers: readonly Organization[];
  /** Whether a member of an organisation (path) with a role has a service after the update, with a certificate of another CA. */
  readonly keeps: (organization: string, role: NodeRole, service: Service) => boolean;
}

/** The actors that satisfy the policies of a channel. */
interface JudgedState {
  readonly state: ChannelState;
  readonly holders: Holders;
  /** The same for peers alone, because only peers endorse. */
  readonly endorsers: Holders;
  /** The identity of an actor on this channel. */
  readonly signerOf: (actor: Actor) => Actor['before' | 'after'];
}

/**
 * Compares the services of all actors.
 *
 * `consenterOrganizations` are the paths of the orderer organisations that run consenters before and after; `changed` are the paths of the elements that
 * the update changes.
 *
 * @throws TranslateError BAD_BYTES if a value of a config does not parse
 */
export async function compareServices(
  from: ChannelState,
  to: ChannelState,
  {
    consenterOrganizations,
    changed,
  }: { readonly consenterOrganizations: ReadonlySet<string>; readonly changed: ReadonlySet<string> },
): Promise<ServiceComparison> {
  const actors = await actorsOf(from, to, namedIdentities([from, to]));
  const old = judgedBy(from, actors, ({ before }) => before);
  const now = judgedBy(to, actors, ({ after }) => after);
  const losses = new Map<string, MutableLoss>();
  const gains = new Map<string, MutableGain>();
  const kept = new Set<string>();
  const named = new Set<string>();
  const notNamed = new Set<Actor>();
  const needPeers = new Set<Organization>();
  const isBft = from.channel.orderer.isBft && to.channel.orderer.isBft;
  // Named actors first: the verdict on the others depends on them.
  for (const [index, actor] of actors
    .toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed))
    .entries()) {
    await to.call.pause();
    to.call.advance(index, actors.length);
    const { organization, role } = actor;
    for (const service of servicesOf(organization.section, role, isBft)) {
      await to.call.pause();
      if (service.name === 'make-blocks' && !consenterOrganizations.has(organization.path)) continue;
      const [had, has] = [holds(service, actor, old), holds(service, actor, now)];
      const key = keyOf(organization.path, role, service);
      if (has) kept.add(key);
      if (
        had &&
        has &&
        service.signatures === 'own-peers' &&
        endorsesAlone(actor, service, old) &&
        !endorsesAlone(actor, service, now)
      )
        needPeers.add(organization);
      if (has && actor.isNamed) named.add(key);
      if (had && !has && !actor.isNamed && named.has(key)) notNamed.add(actor);
      else if (had && !has) addLoss(losses, causeOf(actor, service, { old, now, changed }), service, actor);
      if (!had && has && actor.before !== undefined) addGain(gains, { actor, service, now });
    }
  }
  for (const gain of ownGains(actors, old, now)) {
    await to.call.pause();
    gains.set(gain.path, gain);
  }
  return {
    losses: [...losses.values()],
    gains: [...gains.values()],
    notNamed: [...notNamed],
    needPeers: [...needPeers],
    unknown: organizationsWithout(actors, from.channel),
    keeps: (organization, role, service) => kept.has(keyOf(organization, role, service)),
  };
}

/** The maximum number of identities in policies to check. */
const MAX_NAMED = 1000;

/** The identities that signature policies name. */
function namedIdentities(states: readonly ChannelState[]): NamedIdentities {
  const seen = new Set<string>();
  const found = new Map<string, Uint8Array[]>();
  for (const principal of states.flatMap(principalsIn)) {
    if (principal.kind !== 'identity' || seen.size >= MAX_NAMED) continue;
    const identity = attempt(
      () => readSerializedIdentity(principal.identity),
      () => undefined,
    );
    if (identity === undefined) continue;
    const { mspid, certificate } = identity;
    const key = `${mspid} ${String(certificate)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    appendTo(found, mspid, certificate);
  }
  return found;
}

const principalsIn = ({ policies }: ChannelState): readonly Principal[] =>
  [...policiesBelow(policies.root)].flatMap(principalsOf);

/** The services of the actors of a config. */
export interface ActingServices {
  readonly acting: readonly { readonly actor: Actor; readonly services: readonly Service[] }[];
  /** Organisations without known members. */
  readonly unknown: readonly Organization[];
}

/** The services that each actor of a config has. */
export async function servicesIn(state: ChannelState): Promise<ActingServices> {
  const actors = await actorsOf(state, state);
  const judged = judgedBy(state, actors, ({ before }) => before);
  const acting: { readonly actor: Actor; readonly services: readonly Service[] }[] = [];
  for (const actor of actors) {
    await state.call.pause();
    const { organization, role } = actor;
    const all = servicesOf(organization.section, role, state.channel.orderer.isBft);
    acting.push({ actor, services: all.filter((service) => holds(service, actor, judged)) });
    state.call.advance(acting.length, actors.length);
  }
  return { acting, unknown: organizationsWithout(actors, state.channel) };
}

/** @param signerOf the identity of an actor on this channel */
function judgedBy(
  state: ChannelState,
  actors: readonly Actor[],
  signerOf: JudgedState['signerOf'],
): JudgedState {
  const signing = actors.flatMap((actor) => {
    const signer = signerOf(actor);
    return signer !== undefined && isSigner(signer) ? [[actor.role, signer] as const] : [];
  });
  const peers = signing.filter(([role]) => role === 'peer');
  return {
    state,
    holders: new Holders(signing.map(([, signer]) => signer)),
    endorsers: new Holders(peers.map(([, signer]) => signer)),
    signerOf,
  };
}

/** Whether one peer is enough for a service of its organisation. */
function endorsesAlone(actor: Actor, service: Service, judged: JudgedState): boolean {
  const { policy } = policyOf(service, actor, judged);
  return policy === undefined || judged.endorsers.alone(policy).has(judged.signerOf(actor) as Signer);
}

const keyOf = (organization: string, role: NodeRole, { name, resource = '' }: Service): string =>
  [organization, role, name, resource].join(' ');

/** The policy that decides about a service for an actor. */
const policyOf = (service: Service, { organization }: Actor, { state }: JudgedState): ServicePolicy =>
  state.services.get(service) ??
  ownPolicy(service, sameOrganization(organization, state.channel) ?? organization, state.policies);

function holds(service: Service, actor: Actor, judged: JudgedState): boolean {
  const { policy } = policyOf(service, actor, judged);
  const signer = judged.signerOf(actor);
  if (signer === undefined) return false;
  if (policy === undefined) return service.hasDefault === true && isSigner(signer);
  if (!isSigner(signer)) return ['one', 'own'].includes(service.signatures) && judged.holders.isOpen(policy);
  return holdersOf(service, policy, judged).has(signer);
}

function holdersOf(
  { signatures }: Service,
  policy: PolicyNode,
  { holders, endorsers }: JudgedState,
): ReadonlySet<Signer> {
  if (signatures === 'own-peers') return endorsers.ownTogether(policy);
  if (signatures === 'own') return holders.ownTogether(policy);
  return signatures === 'one' ? holders.alone(policy) : holders.together(policy);
}

interface MutableLoss extends Loss {
  readonly services: Map<Service, Set<Actor>>;
}
interface MutableGain extends Gain {
  readonly services: Map<Service, Set<Actor>>;
}

function addLoss(losses: Map<string, MutableLoss>, cause: Cause, service: Service, actor: Actor): void {
  // ACLs are one element, but each one names a separate policy.
  const key = `${cause.kind} ${cause.path} ${cause.kind === 'acl' ? (cause.steps[0]?.policy.path ?? '') : ''}`;
  const loss = losses.get(key) ?? { cause, services: new Map<Service, Set<Actor>>() };
  losses.set(key, loss);
  addTo(loss.services, service, actor);
}

function addGain(
  gains: Map<string, MutableGain>,
  { actor, service, now }: { actor: Actor; service: Service; now: JudgedState },
): void {
  const { path } = policyOf(service, actor, now);
  const gain = gains.get(path) ?? {
    path,
    owner: undefined,
    isOfAdmins: false,
    services: new Map<Service, Set<Actor>>(),
  };
  gains.set(path, gain);
  addTo(gain.services, service, actor);
}

function causeOf(actor: Actor, service: Service, compared: Compared): Cause {
  const { organization, after, lostRole } = actor;
  const msp = `${organization.path}/MSP`;
  if (!isSigner(after)) {
    const { kind, reason } = after;
    return { kind, path: kind === 'organization' ? organization.path : msp, reason, steps: [] };
  }
  if (lostRole !== undefined) return { kind: 'identity', path: msp, reason: lostRole, steps: [] };
  const { old, now } = compared;
  const [from, to] = [policyOf(service, actor, old), policyOf(service, actor, now)];
  const isAcl = from.path !== to.path;
  const found =
    to.policy === undefined
      ? { kind: 'policy-missing' as const, path: to.path, steps: [] }
      : trace(actor, service, compared, { from: from.policy, to: to.policy });
  return { reason: '', ...found, ...(isAcl && { kind: 'acl' as const, path: '/Channel/Application/ACLs' }) };
}

/** A channel before and after an update. */
interface Compared {
  readonly old: JudgedState;
  readonly now: JudgedState;
  /** The paths of the elements that the update changes. */
  readonly changed: ReadonlySet<string>;
}

/** Descends from the policy of a service to the policy that the actor does not satisfy any more. */
function trace(
  actor: Actor,
  service: Service,
  { old, now, changed }: Compared,
  { from, to }: { readonly from: PolicyNode | undefined; readonly to: PolicyNode },
): Pick<Cause, 'kind' | 'path' | 'steps'> {
  const steps: Step[] = [];
  const signer = actor.after as Signer;
  const had = (policy: PolicyNode): boolean => holdersOf(service, policy, old).has(actor.before!);
  let [previous, node]: [PolicyNode | undefined, PolicyNode | undefined] = [from, to];
  while (node !== undefined) {
    const groups: MetaNode['groups'] = node.kind === 'signature' ? [] : node.groups;
    const { length: satisfied } = groups.filter(
      ({ policy }) => policy !== undefined && holdersOf(service, policy, now).has(signer),
    );
    steps.push({ policy: node, satisfied });
    const isLast: boolean =
      node.kind === 'signature' || satisfied > 0 || groups.every(({ policy }) => policy === undefined);
    const group: Branch | undefined = isLast ? undefined : branchOf(node as MetaNode, previous, had, actor);
    if (group !== undefined && group.policy === undefined && !changed.has(node.path))
      return { kind: 'policy-missing', path: pathIn(node as MetaNode, group.name), steps };
    previous =
      previous?.kind === 'implicitMeta' && group !== undefined
        ? groupNamed(previous, group.name)?.policy
        : undefined;
    node = group?.policy;
  }
  // The policy that the update changes, if the ones below are unchanged.
  const at = steps.findLastIndex(({ policy }) => changed.has(policy.path));
  const way = at < 0 ? steps : steps.slice(0, at + 1);
  return { kind: 'policy', path: way.at(-1)!.policy.path, steps: way };
}

type Branch = MetaNode['groups'][number];

const groupNamed = ({ groups }: MetaNode, name: string): Branch | undefined =>
  groups.find((group) => group.name === name);

/** `/Channel/Application/Org1/Readers` */
const pathIn = ({ path, subPolicy }: MetaNode, group: string): string =>
  `${path.slice(0, path.lastIndexOf('/'))}/${group}/${subPolicy}`;

/** The group through which an actor satisfied a policy before, or the group with its organisation. */
function branchOf(
  node: MetaNode,
  previous: PolicyNode | undefined,
  had: (policy: PolicyNode) => boolean,
  { organization }: Actor,
): Branch | undefined {
  const before =
    previous?.kind === 'implicitMeta'
      ? previous.groups.find(({ policy }) => policy !== undefined && had(policy))
      : undefined;
  const parent = node.path.slice(0, node.path.lastIndexOf('/') + 1);
  const own = organization.path.startsWith(parent)
    ? organization.path.slice(parent.length).split('/')[0]!
    : '';
  return (before && groupNamed(node, before.name)) ?? groupNamed(node, own);
}

/** The services that an organisation decides about alone: others must not. */
const OWN = { Admins: serviceNamed('administer'), Endorsement: serviceNamed('endorse') } as const;

/** Policies of an organisation that actors of other organisations satisfy now. */
function* ownGains(actors: readonly Actor[], old: JudgedState, now: JudgedState): Generator<MutableGain> {
  const byAfter = new Map(actors.map((actor) => [actor.after, actor]));
  for (const owner of old.state.channel.organizations)
    for (const [name, service] of Object.entries(OWN)) {
      const policies = [old, now].map(({ state }) =>
        state.policies.root.groups.get(owner.section)?.groups.get(owner.name)?.policies.get(name),
      );
      const [policyBefore, policyAfter] = policies;
      if (policyBefore === undefined || policyAfter === undefined) continue;
      const had = old.holders.alone(policyBefore);
      const gained = [...now.holders.alone(policyAfter)]
        .flatMap((signer) => byAfter.get(signer) ?? [])
        .filter(
          (actor) =>
            actor.organization.mspId !== owner.mspId &&
            (actor.before === undefined || !had.has(actor.before)),
        );
      if (gained.length > 0)
        yield {
          path: policyAfter.path,
          owner,
          isOfAdmins: name === 'Admins',
          services: new Map([[service, new Set(gained)]]),
        };
    }
}
