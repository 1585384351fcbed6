// Services that actors of the channel lose or gain (see powers/README.md).

import { addTo, groupBy } from '../../core/common/group-by.js';
import {
  serviceSentence,
  servicesInShort,
  serviceWords,
  type AffectedActors,
  type AffectedService,
  describePolicy,
  identityWords,
  shortList,
  shortPath,
  words,
} from '../documents/index.js';
import {
  type Actor,
  type Gain,
  type Loss,
  type Service,
  type ServiceComparison,
  type ServiceName,
  type Step,
  isIdemix,
  organizationNames,
  servicesIn,
} from '../state/index.js';
import type { Facts } from './facts/gather.js';
import { firstAlike } from './organizations.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** A policy on the way from the policy of a service to the one that is not satisfied. */
interface PolicyStep {
  readonly policy: string;
  /** The policy in words. */
  readonly text: string;
  /** For an implicit meta policy: the number of groups that must satisfy theirs, and that one signature satisfies; else null. */
  readonly needed: number | null;
  readonly satisfied: number | null;
}

/** The services that actors lose, and the cause. */
interface ServiceLoss {
  readonly cause: 'organization' | 'identity' | 'acl' | 'policy-missing' | 'policy';
  readonly services: readonly AffectedService[];
  /** For `identity`: Fabric's reason, or the number of BFT consenters that still count; else empty. */
  readonly reason: string;
  readonly steps: readonly PolicyStep[];
}

function causeWords({ cause, reason, steps }: ServiceLoss): string {
  if (cause === 'organization') return 'no organisation of the channel has their MSP any more';
  if (cause === 'identity') return `their certificates do not count any more (${reason})`;
  const [first, last] = [steps[0], steps.at(-1)];
  const way = (to: string): string =>
    first === undefined || first.policy === to ? to : `${first.policy} depends on ${to}, which`;
  const acl = cause === 'acl' ? 'an ACL decides, and ' : '';
  if (last === undefined || cause === 'policy-missing')
    return `${acl}${first === undefined ? 'the policy' : `a policy that ${first.policy} depends on`} is missing`;
  if (last.needed === null) return `${acl}${way(last.policy)} requires ${last.text}`;
  return `${acl}${way(last.policy)} needs ${last.needed} of its groups, ${last.text}, and one signature satisfies ${last.satisfied ?? 0}`;
}

function shortCause({ cause, steps }: ServiceLoss): string {
  if (cause === 'identity') return ': their certificates do not count any more';
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || cause === 'organization') return '';
  return cause === 'policy-missing'
    ? `, because a policy that ${shortPath(first.policy)} depends on is missing`
    : `, because they do not satisfy ${shortPath(last.policy)}`;
}

const LOSS_TODO = {
  organization: 'check that nobody needs these nodes and clients on the channel any more',
  identity: 'give them other certificates first',
  acl: 'let the ACL name a policy that one signature of each of them satisfies',
  'policy-missing': 'keep the policy',
  policy: 'let one signature of each of them satisfy the policy, for example ANY Readers or ANY Writers',
} as const;

const serviceLost = defineRule({
  id: 'service-lost',
  severity: ['danger', 'warning'],
  meaning: 'actors cannot do any more what they need',
  words: (data: ServiceLoss) =>
    words(
      `${serviceSentence(data.services, 'cannot', data.cause === 'acl')} after this update: ${causeWords(data)}`,
      LOSS_TODO[data.cause],
      servicesInShort(data.services, 'cannot') + shortCause(data),
    ),
});

const serviceGained = defineRule({
  id: 'service-gained',
  severity: ['danger', 'warning'],
  meaning: 'actors can do what they could not before',
  words: ({
    services,
    owner,
  }: {
    services: readonly AffectedService[];
    /** The organisation that the policy belongs to; null if it does not belong to one organisation. */
    owner: string | null;
  }) =>
    words(
      `${serviceSentence(services, 'can')}${owner === null ? '' : ` in place of ${owner}`} after this update, and could not before`,
      'check that they should',
      `${servicesInShort(services, 'can')}${owner === null ? '' : ` in place of ${owner}`}, and could not before`,
    ),
});

const serviceNobody = defineRule({
  id: 'service-nobody',
  severity: 'danger',
  meaning: 'nobody can do what a channel needs',
  words: ({ services }: { services: readonly ServiceName[] }) =>
    words(
      `nobody can ${shortList(
        services.map((service) => serviceWords(service)),
        ' and ',
        services.length,
      )}`,
      'compare the policies, ACLs, MSPs and capabilities with those of a new channel: configtxlator powers',
      `nobody can ${shortList(services.map(serviceWords), ' and ', 1)}`,
    ),
});

/** The services without which a channel is of no use. */
const NEEDED: readonly ServiceName[] = [
  'submit-transactions',
  'submit-config-updates',
  'administer',
  'propose',
  'define-chaincode',
  'endorse',
  'read-blocks',
  'make-blocks',
];

/** The services that nobody has. Organisations whose members are not known may have them. */
export const neededServices = defineCheck({
  needs: 'config',
  rules: [serviceNobody],
  async find(state) {
    const { application, orderer } = state.channel;
    // A channel that has both groups; others are templates.
    if (application.organizations.length === 0 || orderer.organizations.length === 0) return [];
    const { acting, unknown } = await servicesIn(state);
    if (unknown.length > 0 || state.channel.organizations.some(isIdemix)) return [];
    const had = new Set(acting.flatMap(({ services }) => services.map(({ name }) => name)));
    // Blocks of BFT channels are signed by their consenters, which `bftConsenters` judges.
    const services = NEEDED.filter((name) => !had.has(name) && !(orderer.isBft && name === 'make-blocks'));
    return services.length === 0 ? [] : [serviceNobody.at('/Channel', { services })];
  },
});

/** The maximum number of organisations and issuers in a text. */
const NAMED = 12;

/** The rules of this file. */
export const SERVICE_RULES = [serviceLost, serviceGained] as const;

/**
 * Adds the losses and gains of actors to the dangers: the finding with the cause of a loss also names the actors and services. It is no
 * check, because it needs the other findings.
 *
 * @param others the other dangers
 */
export function withServices(facts: Facts, others: readonly RawFinding[]): RawFinding[] {
  const { services, applied } = facts;
  if (services === undefined) return [...others];
  const pathsOf = (found: readonly RawFinding[]): ReadonlySet<string> =>
    new Set(found.map(({ path }) => path));
  const weakened = pathsOf(others.filter(({ rule }) => rule.tellsGains === true));
  const reportedServices = new Set(
    others.flatMap(({ severity, rule }) => (severity === 'danger' ? (rule.tellsService ?? []) : [])),
  );
  const changed = new Set(applied.changes.map(({ path }) => path));
  const names = organizationNames([facts.before.channel, facts.after.channel]);
  const context = { names, keeps: services.keeps };
  const causes = causesIn(others);
  const known = new Set(causes.keys());
  const reported = new Map<RawFinding, Loss['services']>();
  const losses = mergedCapabilities(services.losses, changed).flatMap((loss) =>
    remainingLosses(loss, causes, reported),
  );
  const quorum = quorumLoss(facts);
  const whyNoQuorum = causes.get(quorum?.path ?? '');
  return [
    ...others.map((each) => {
      const lost = affectedServices(reported.get(each) ?? new Map(), context);
      return withLosses(each, quorum !== undefined && each === whyNoQuorum ? [...lost, quorum.lost] : lost);
    }),
    ...losses.flatMap((loss) => lossFinding(loss, context, reportedServices)),
    ...(quorum === undefined || whyNoQuorum !== undefined
      ? []
      : [
          serviceLost.at(quorum.path, {
            cause: 'identity',
            services: [quorum.lost],
            reason: quorum.reason,
            steps: [],
          }),
        ]),
    ...services.gains.flatMap((gain) => gainFinding(gain, names, { known, weakened })),
  ];
}

/** The findings that are causes of lost services, by the path of the element; ACLs without a policy by their resource. */
function causesIn(others: readonly RawFinding[]): ReadonlyMap<string, RawFinding> {
  const causes = new Map<string, RawFinding>();
  for (const each of others) {
    const { rule, severity, path, subjects } = each;
    const key = subjects.length === 0 ? path : resourceKey(subjects[0]);
    if (rule.tellsLosses && severity === 'danger' && !causes.has(key))
      causes.set(key, firstAlike(each, others));
  }
  return causes;
}

const resourceKey = (resource = ''): string => `ACL ${resource}`;

/** Adds losses to the findings that are their causes. @returns the remaining losses */
function remainingLosses(
  { cause, services }: Loss,
  causes: ReadonlyMap<string, RawFinding>,
  reported: Map<RawFinding, Loss['services']>,
): Loss[] {
  const left = new Map<Service, ReadonlySet<Actor>>();
  for (const [service, actors] of services) {
    const why = causes.get(cause.path) ?? causes.get(resourceKey(service.resource));
    if (why === undefined) left.set(service, actors);
    else {
      const known = reported.get(why) ?? new Map<Service, ReadonlySet<Actor>>();
      reported.set(why, new Map([...known, [service, new Set([...(known.get(service) ?? []), ...actors])]]));
    }
  }
  return left.size === 0 ? [] : [{ cause, services: left }];
}

/** Adds the lost services and their actors to a finding. */
const withLosses = (found: RawFinding, lost: readonly AffectedService[]): RawFinding =>
  lost.length === 0 ? found : { ...found, data: { ...found.data, losses: lost } };

/** The input for texts about actors. */
interface ActorContext extends Pick<ServiceComparison, 'keeps'> {
  /** The names of organisations by path. */
  readonly names: ReadonlyMap<string, string>;
}

/** MSPs that do not change judge otherwise because the capabilities of the channel do. */
function mergedCapabilities(losses: readonly Loss[], changed: ReadonlySet<string>): Loss[] {
  const isOfCapabilities = ({ cause }: Loss): boolean =>
    cause.kind === 'identity' && !changed.has(cause.path);
  const [of, others] = [losses.filter(isOfCapabilities), losses.filter((loss) => !isOfCapabilities(loss))];
  const [first] = of;
  if (first === undefined) return others;
  const services = new Map<Service, Set<Actor>>();
  for (const loss of of)
    for (const [name, actors] of loss.services) for (const actor of actors) addTo(services, name, actor);
  return [...others, { cause: { ...first.cause, path: '/Channel/Capabilities' }, services }];
}

function lossFinding(
  { cause, services }: Loss,
  context: ActorContext,
  reported: ReadonlySet<string>,
): RawFinding[] {
  const { kind, path, reason } = cause;
  const affected = affectedServices(services, context).filter(({ service }) => !reported.has(service));
  if (affected.length === 0) return [];
  // Other actors of the same organisations keep it.
  const isPartly = affected.every(({ actors }) => actors.every(({ issuers }) => issuers.length > 0));
  // The removal of an organisation is intended, unless its orderers stay.
  const isLeaving = kind === 'organization' && affected.every(({ service }) => service !== 'make-blocks');
  const isMild = isLeaving || isPartly || (kind === 'acl' && affected.every(isQueryOfClients));
  return [
    serviceLost.at(
      path,
      {
        cause: kind,
        services: affected,
        reason,
        steps: cause.steps.map(stepOf),
      },
      isMild ? 'warning' : 'danger',
    ),
  ];
}

/** An ACL that leaves the queries of a resource to admins is a choice: no transaction needs them. */
const isQueryOfClients = ({ service, actors }: AffectedService): boolean =>
  service.startsWith('query-') && actors.every(({ role }) => role === 'client');

const stepOf = ({ policy, satisfied }: Step): PolicyStep => ({
  policy: policy.path,
  text: describePolicy(policy, identityWords),
  needed: policy.kind === 'implicitMeta' ? policy.threshold : null,
  satisfied: policy.kind === 'implicitMeta' ? satisfied : null,
});

/** The services by name: services of several peer resources with one name are merged. */
function affectedServices(services: Loss['services'], context: ActorContext): AffectedService[] {
  return [...groupBy(services, ([{ name }]) => name)].map(([service, same]) => ({
    service,
    resources: same.flatMap(([{ resource }]) => resource ?? []),
    actors: affectedActors(same, context),
  }));
}

function affectedActors(
  services: readonly (readonly [Service, ReadonlySet<Actor>])[],
  { names, keeps }: ActorContext,
): AffectedActors[] {
  const byRole = new Map<Actor['role'], { of: Set<string>; issuers: Set<string>; isPartly: boolean }>();
  for (const [service, actors] of services)
    for (const { role, organization, certificate } of actors) {
      const found = byRole.get(role) ?? { of: new Set(), issuers: new Set(), isPartly: true };
      byRole.set(role, found);
      found.of.add(names.get(organization.path)!);
      found.issuers.add(certificate);
      found.isPartly &&= keeps(organization.path, role, service);
    }
  return [...byRole].map(([role, { of, issuers, isPartly }]) => ({
    role,
    organizations: [...of].slice(0, NAMED),
    count: of.size,
    issuers: isPartly ? [...issuers].slice(0, NAMED) : [],
  }));
}

function gainFinding(
  { path, owner, isOfAdmins, services }: Gain,
  names: ReadonlyMap<string, string>,
  { known, weakened }: { readonly known: ReadonlySet<string>; readonly weakened: ReadonlySet<string> },
): RawFinding[] {
  if (known.has(path) || (weakened.has(path) && (owner === undefined || isOfAdmins))) return [];
  return [
    serviceGained.at(
      path,
      {
        services: affectedServices(services, { names, keeps: () => false }),
        owner: owner === undefined ? null : names.get(owner.path)!,
      },
      owner === undefined ? 'warning' : 'danger',
    ),
  ];
}

/** The loss of blocks if too few identities of BFT consenters count, and its element. */
function quorumLoss({
  services,
  after,
  applied,
}: Facts): { readonly path: string; readonly reason: string; readonly lost: AffectedService } | undefined {
  const signers = services?.blockSigners;
  if (signers === undefined || signers.before.valid < signers.before.quorum) return undefined;
  const { valid, quorum, invalid } = signers.after;
  if (valid >= quorum) return undefined;
  const { organizations, consentersPath } = after.channel.orderer;
  const of = organizations.find(({ mspId }) => mspId === invalid[0]?.mspid);
  const msp = `${of?.path ?? ''}/MSP`;
  const actors: AffectedActors = {
    role: 'orderer',
    organizations: organizations.slice(0, NAMED).map(({ name }) => name),
    count: organizations.length,
    issuers: [],
  };
  return {
    path: applied.changes.some(({ path }) => path === msp) ? msp : consentersPath,
    reason: `${valid} of ${valid + invalid.length} consenters have identities that count, and a block needs ${quorum}`,
    lost: { service: 'make-blocks', resources: [], actors: [actors] },
  };
}
