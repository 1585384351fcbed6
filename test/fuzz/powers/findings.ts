// What a review says about services: who loses and gains them.

import type { NodeRole } from '../../../translator/msp/config.js';
import type { Service } from '../../../translator/state/services.js';
import type { Finding } from '../../../translator/review/index.js';
import { RULES } from '../../../translator/rules/index.js';

/** Findings that stand for the loss of services on the element that is the cause. */
const CAUSES: ReadonlySet<string> = new Set(
  [...RULES.values()].flatMap(({ id, tellsLosses }) => (tellsLosses ? [id] : [])),
);

const GAINS: ReadonlySet<string> = new Set(['policy-weakened', 'policy-always-satisfied']);

/** A recorded identity with a role of an organisation. */
export interface Person {
  /** The recorded identity. */
  readonly name: string;
  readonly organization: string;
  readonly role: NodeRole;
}

interface AffectedService {
  readonly service: string;
  readonly resources: readonly string[];
  readonly actors: readonly { readonly role: string; readonly organizations: readonly string[] }[];
}

const servicesIn = ({ data }: Finding): readonly AffectedService[] =>
  (data as { services?: readonly AffectedService[] }).services ?? [];

/** The services that are lost by a cause which another finding is about. */
const lostIn = ({ id, data }: Finding): readonly AffectedService[] =>
  id === 'service-lost'
    ? servicesIn({ data } as Finding)
    : ((data as { losses?: readonly AffectedService[] }).losses ?? []);

/** Whether a service of a person is named. */
const names = (
  services: readonly AffectedService[],
  { name, resource }: Service,
  { organization, role }: Person,
): boolean =>
  services.some(
    ({ service, resources, actors }) =>
      service === name &&
      (resource === undefined || resources.includes(resource)) &&
      actors.some((each) => each.role === role && each.organizations.includes(organization)),
  );

/** Whether a review says that a person loses a service. */
export const namesLoss = (findings: readonly Finding[], service: Service, person: Person): boolean =>
  findings.some(
    (finding) =>
      names(lostIn(finding), service, person) ||
      (finding.id === 'block-validation' &&
        service.name === 'make-blocks' &&
        (finding.data as { organization?: string }).organization === person.organization),
  );

/** Whether only a finding about the cause says that a person loses a service. */
export const namesCause = (findings: readonly Finding[], service: Service, person: Person): boolean =>
  !namesLoss(
    findings.filter(({ data }) => !('losses' in data)),
    service,
    person,
  );

/** Whether a review says that a person gains a service that is not one of another organisation alone. */
export const namesGain = (findings: readonly Finding[], service: Service, person: Person): boolean =>
  findings.some(
    (finding) =>
      finding.id === 'service-gained' &&
      (finding.data as { owner: string | null }).owner === null &&
      names(servicesIn(finding), service, person),
  );

/** Whether a review says that a person satisfies a policy of another organisation now. */
export const namesOwnGain = (findings: readonly Finding[], path: string, person: Person): boolean =>
  findings.some(
    (finding) =>
      finding.id === 'service-gained' &&
      finding.path === path &&
      (finding.data as { owner: string | null }).owner !== null &&
      servicesIn(finding).some(({ actors }) =>
        actors.some(
          ({ role, organizations }) => role === person.role && organizations.includes(person.organization),
        ),
      ),
  );

/** Whether a finding on one of these elements stands for a loss. */
export const hasCause = (findings: readonly Finding[], paths: readonly string[]): boolean =>
  findings.some(({ id, path }) => CAUSES.has(id) && paths.includes(path));

/** Whether a finding on one of these elements stands for a gain. */
export const hasGain = (findings: readonly Finding[], paths: readonly string[]): boolean =>
  findings.some(({ id, path }) => (GAINS.has(id) || CAUSES.has(id)) && paths.includes(path));

/** Whether anybody satisfies one of these policies now: a finding of its own, which says all that follows. */
export const isOpen = (findings: readonly Finding[], paths: readonly string[]): boolean =>
  findings.some(({ id, path }) => id === 'policy-always-satisfied' && paths.includes(path));
