// One comparison of a review with Fabric's code: who is compared, and what agrees.

import type { Organization } from '../../../translator/channel/channel.js';
import { ownPolicy, servicePolicies, type Service } from '../../../translator/state/services.js';
import type { Finding } from '../../../translator/review/index.js';
import { hasCause, hasGain, namesGain, namesCause, namesLoss, type Person } from './findings.js';
import type { Side } from './side.js';

/** The recorded identities that are usual ones of their organisation and role. */
export const PEOPLE: readonly Person[] = [
  ...['Org1', 'Org2', 'Org3', 'Org4'].flatMap((organization): Person[] => [
    { name: `${organization}/peer0`, organization, role: 'peer' },
    { name: `${organization}/user1`, organization, role: 'client' },
    { name: `${organization}/admin`, organization, role: 'admin' },
  ]),
  ...['OrdererOrg', 'OrdererOrgB'].flatMap((organization): Person[] => [
    { name: `${organization}/o1`, organization, role: 'orderer' },
    { name: `${organization}/admin`, organization, role: 'admin' },
  ]),
];

/** One comparison of the review with Fabric's code. */
export interface Difference {
  /**
   * `loss` and `gain`: both say so. `cause`: a finding about the cause says who loses what. `element`: a finding on the element that is the cause of a loss, without who loses what. `explained`:
   * another finding says so.
   */
  readonly verdict: 'kept' | 'loss' | 'cause' | 'gain' | 'element' | 'explained' | 'unjudged' | 'differs';
  /** What differs, without names. */
  readonly kind: string;
  readonly who: string;
}

/** Before and after an update, with the findings of its review. */
export interface Case {
  readonly before: Side;
  readonly after: Side;
  readonly findings: readonly Finding[];
}

export const organizationOf = ({ channel }: Side, name: string): Organization | undefined =>
  channel.organizations.find((each) => each.name === name);

/** The path of the policy of a service; undefined if nobody has it. */
export function pathOf(
  { channel, policies }: Side,
  service: Service,
  organization: string,
): string | undefined {
  const own = channel.organizations.find((each) => each.name === organization);
  if (own === undefined && !service.policy.startsWith('/')) return undefined;
  const found = servicePolicies(channel, policies).get(service) ?? ownPolicy(service, own!, policies);
  return found.policy === undefined ? undefined : found.path;
}

export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export interface Outcome {
  readonly service: Service;
  readonly person: Person;
  readonly had: boolean | undefined;
  readonly has: boolean | undefined;
}

export function judged(given: Case, { service, person, had, has }: Outcome): Difference {
  const { findings } = given;
  const kind = `${service.name} of a ${person.role}`;
  const who = `${service.name} ${service.resource ?? ''} of ${person.name}`;
  if (had === undefined || has === undefined) return { verdict: 'unjudged', kind, who };
  const [isLoss, isGain] = [namesLoss(findings, service, person), namesGain(findings, service, person)];
  if (had && !has) {
    if (isLoss) return { verdict: namesCause(findings, service, person) ? 'cause' : 'loss', kind, who };
    const isCaused = hasCause(findings, elementsOf(given, service, person));
    return isCaused ? { verdict: 'element', kind, who } : differs('lost, not named', kind, who);
  }
  if (!had && has) {
    if (isGain) return { verdict: 'gain', kind, who };
    const path = pathOf(given.after, service, person.organization);
    const isCaused = hasGain(findings, path === undefined ? [] : [path]);
    return isCaused ? { verdict: 'explained', kind, who } : differs('gained, not named', kind, who);
  }
  if (isLoss) return differs(had ? 'named without a loss' : 'named as lost, was not there', kind, who);
  if (isGain) return differs(has ? 'named as gained, was there' : 'named without a gain', kind, who);
  return { verdict: 'kept', kind, who };
}

export const differs = (what: string, kind: string, who: string): Difference => ({
  verdict: 'differs',
  kind: `${what}: ${kind}`,
  who,
});

/** The elements that can be the cause of a loss: the MSP, the ACLs, and the policies on the way down to the own organisation. */
function elementsOf({ before, after }: Case, service: Service, { organization }: Person): string[] {
  const own = organizationOf(before, organization)!;
  const others = before.channel.organizations.filter(({ name }) => name !== organization);
  const policies = [before, after].flatMap((side) => {
    const path = pathOf(side, service, organization) ?? pathOf(before, service, organization);
    return path === undefined ? [] : side.judge.dependencies(path);
  });
  return [
    `${own.path}/MSP`,
    ...(service.resource === undefined ? [] : ['/Channel/Application/ACLs']),
    ...policies.filter((path) => others.every((each) => !path.startsWith(`${each.path}/`))),
  ];
}
