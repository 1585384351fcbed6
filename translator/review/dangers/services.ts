// Dangers: what actors of the channel lose, or get from others (see powers/README.md).

import {
  describePolicy,
  identityWords,
  type AffectedActors,
  type AffectedService,
  type PolicyStep,
} from '../../documents/index.js';
import type { Finding, FindingData, FindingId } from '../../documents/index.js';
import {
  organizationNames,
  type Actor,
  type Gain,
  type Loss,
  type Service,
  type ServiceComparison,
  type Step,
} from '../../state/index.js';
import { finding } from '../finding.js';
import type { Facts } from '../facts/gather.js';

/** How many organisations and issuers are named. */
const NAMED = 12;

/** Findings that say why a service is lost, on the element that is the cause: one cause, one finding. */
const CAUSES = new Set<FindingId>([
  'msp-ca-removed',
  'msp-hash-family',
  'msp-idemix',
  'msp-not-judged',
  'msp-node-ou-changed',
  'msp-node-ous-enabled',
  'msp-revocation-list',
  'msp-unit-required',
  'policy-foreign-msp',
  'policy-removed',
  'policy-unsatisfiable',
]);

/**
 * The dangers with what actors lose and gain: a finding that says why they lose it also says who loses what.
 *
 * @param others the other dangers
 */
export function withServices(facts: Facts, others: readonly Finding[]): Finding[] {
  const { services, proposal } = facts;
  if (services === undefined) return [...others];
  const weakened = new Set(others.filter(({ id }) => id === 'policy-weakened').map(({ path }) => path));
  const blocks = others.some(({ id, severity }) => severity === 'danger' && id === 'block-validation');
  const changed = new Set(proposal.applied.changes.map(({ path }) => path));
  const names = organizationNames([facts.before.channel, facts.after.channel]);
  const context = { names, keeps: services.keeps };
  const causes = causesIn(others);
  const known = new Set(causes.keys());
  const told = new Map<Finding, Loss['services']>();
  const losses = mergedCapabilities(services.losses, changed).flatMap((loss) => untold(loss, causes, told));
  const quorum = quorumLoss(facts);
  const whyNoQuorum = causes.get(quorum?.path ?? '');
  return [
    ...others.map((each) => {
      const lost = affectedServices(told.get(each) ?? new Map(), context);
      return withLosses(each, quorum !== undefined && each === whyNoQuorum ? [...lost, quorum.lost] : lost);
    }),
    ...losses.flatMap((loss) => lossFinding(loss, context, blocks)),
    ...(quorum === undefined || whyNoQuorum !== undefined
      ? []
      : [finding('danger', 'block-validation-quorum', quorum.path, quorum.data)]),
    ...services.gains.flatMap((gain) => gainFinding(gain, names, { known, weakened })),
  ];
}

/** The findings that say why services are lost, by the path of the element; ACLs without a policy by their resource. */
function causesIn(others: readonly Finding[]): ReadonlyMap<string, Finding> {
  const causes = new Map<string, Finding>();
  for (const each of others) {
    const { id, severity, path, data } = each;
    if (severity !== 'danger') continue;
    const key =
      id === 'acl-policy-missing' ? resourceKey((data as FindingData<'acl-policy-missing'>).acl) : path;
    if ((CAUSES.has(id) || id === 'acl-policy-missing') && !causes.has(key)) causes.set(key, each);
  }
  return causes;
}

const resourceKey = (resource = ''): string => `ACL ${resource}`;

/** Gives losses to the findings that say why. @returns the others */
function untold(
  { cause, services }: Loss,
  causes: ReadonlyMap<string, Finding>,
  told: Map<Finding, Loss['services']>,
): Loss[] {
  const left = new Map<Service, ReadonlySet<Actor>>();
  for (const [service, actors] of services) {
    const why = causes.get(cause.path) ?? causes.get(resourceKey(service.resource));
    if (why === undefined) left.set(service, actors);
    else {
      const known = told.get(why) ?? new Map<Service, ReadonlySet<Actor>>();
      told.set(why, new Map([...known, [service, new Set([...(known.get(service) ?? []), ...actors])]]));
    }
  }
  return left.size === 0 ? [] : [{ cause, services: left }];
}

/** A finding that says who loses what, too. */
const withLosses = (found: Finding, lost: readonly AffectedService[]): Finding => {
  const { id, severity, path, data } = found;
  return lost.length === 0 ? found : finding(severity, id, path, { ...data, losses: lost } as never);
};

/** What the words about actors need. */
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
    for (const [name, actors] of loss.services)
      services.set(name, new Set([...(services.get(name) ?? []), ...actors]));
  return [...others, { cause: { ...first.cause, path: '/Channel/Capabilities' }, services }];
}

function lossFinding({ cause, services }: Loss, context: ActorContext, blocks: boolean): Finding[] {
  const { kind, path, reason } = cause;
  const affected = affectedServices(services, context).filter(
    ({ service }) => !(blocks && service === 'make-blocks'),
  );
  if (affected.length === 0) return [];
  // Others of the same organisations go on.
  const isPartly = affected.every(({ actors }) => actors.every(({ issuers }) => issuers.length > 0));
  // That an organisation leaves is wanted, unless its orderers stay.
  const isLeaving = kind === 'organization' && affected.every(({ service }) => service !== 'make-blocks');
  const isMild = isLeaving || isPartly || (kind === 'acl' && affected.every(isQueryOfClients));
  return [
    finding(isMild ? 'warning' : 'danger', 'service-lost', path, {
      cause: kind,
      services: affected,
      reason,
      steps: cause.steps.map(stepOf),
    }),
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

/** The services by name: those of several resources of peers are one. */
function affectedServices(services: Loss['services'], context: ActorContext): AffectedService[] {
  const byName = new Map<Service['name'], [Service, ReadonlySet<Actor>][]>();
  for (const [service, actors] of services)
    byName.set(service.name, [...(byName.get(service.name) ?? []), [service, actors]]);
  return [...byName].map(([service, same]) => ({
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
  { path, owner, services }: Gain,
  names: ReadonlyMap<string, string>,
  { known, weakened }: { readonly known: ReadonlySet<string>; readonly weakened: ReadonlySet<string> },
): Finding[] {
  const isControl = owner !== undefined && path.endsWith('/Admins');
  if (known.has(path) || (weakened.has(path) && (owner === undefined || isControl))) return [];
  return [
    finding(owner === undefined ? 'warning' : 'danger', 'service-gained', path, {
      services: affectedServices(services, { names, keeps: () => false }),
      owner: owner === undefined ? null : names.get(owner.path)!,
    }),
  ];
}

/** The consenters of a BFT channel, of whose identities too few count, and what that takes from orderers. */
function quorumLoss({ services, after, proposal }: Facts):
  | {
      readonly path: string;
      readonly data: FindingData<'block-validation-quorum'>;
      readonly lost: AffectedService;
    }
  | undefined {
  const signers = services?.blockSigners;
  if (signers === undefined || signers.before.valid < signers.before.quorum) return undefined;
  const { valid, quorum, invalid } = signers.after;
  if (valid >= quorum) return undefined;
  const of = after.channel.organizations.find(
    ({ section, mspId }) => section === 'Orderer' && mspId === invalid[0]?.mspid,
  );
  const msp = `${of?.path ?? ''}/MSP`;
  const isMsp = proposal.applied.changes.some(({ path }) => path === msp);
  const organizations = after.channel.orderer.organizations.map(({ name }) => name);
  return {
    path: isMsp ? msp : after.channel.orderer.consentersPath,
    data: {
      valid,
      quorum,
      consenters: invalid.slice(0, NAMED).map(({ consenter, reason }) => ({ consenter, reason })),
    },
    lost: {
      service: 'make-blocks',
      resources: [],
      actors: [
        {
          role: 'orderer',
          organizations: organizations.slice(0, NAMED),
          count: organizations.length,
          issuers: [],
        },
      ],
    },
  };
}
