// Services for which one signature is enough, and policies that only one organisation should satisfy.

import { servicesOf } from '../../../translator/state/services.js';
import { differs, judged, lastName, organizationOf, pathOf, type Case, type Difference } from './case.js';
import { hasCause, hasGain, namesOwnGain, type Person } from './findings.js';

/** Services for which one signature is enough. */
export async function compareAlone(given: Case, person: Person): Promise<Difference[]> {
  const { before, after } = given;
  const { section } = organizationOf(before, person.organization)!;
  const services = servicesOf(section, person.role, before.channel.orderer.isBft).filter(
    ({ signatures, name }) =>
      signatures === 'one' &&
      (name !== 'make-blocks' || (!before.channel.orderer.isBft && person.organization === 'OrdererOrg')),
  );
  const paths = [before, after].map(
    (side) => new Map(services.map((service) => [service, pathOf(side, service, person.organization)])),
  );
  const verdicts = await Promise.all(
    [before, after].map(async ({ judge }, index) =>
      judge.satisfied(
        [person.name],
        // With the policies of other organisations, which are asked for next.
        [...new Set([...paths[index]!.values()].flatMap((path) => path ?? []).concat(ownPolicies(given)))],
      ),
    ),
  );
  return services.map((service) => {
    const [had, has] = paths.map((all, index) => {
      const path = all.get(service);
      return path === undefined ? false : verdicts[index]!.get(path);
    });
    return judged(given, { service, person, had, has });
  });
}

/** The policies of organisations that only their own people should satisfy. */
const ownPolicies = ({ before, after }: Pick<Case, 'before' | 'after'>): string[] =>
  before.channel.organizations
    .flatMap(({ path }) => [`${path}/Admins`, `${path}/Endorsement`])
    .filter((path) => before.judge.has(path) && after.judge.has(path));

/** Policies of other organisations: nobody else should satisfy them. */
export async function compareOwn({ before, after, findings }: Case, person: Person): Promise<Difference[]> {
  const own = organizationOf(before, person.organization)!.path;
  const paths = ownPolicies({ before, after }).filter((path) => !path.startsWith(`${own}/`));
  const [old, now] = [
    await before.judge.satisfied([person.name], paths),
    await after.judge.satisfied([person.name], paths),
  ];
  return paths.map((path) => {
    const [had, has] = [old.get(path), now.get(path)];
    const kind = `${lastName(path)} of another organisation by a ${person.role}`;
    const who = `${path} by ${person.name}`;
    const isNamed = namesOwnGain(findings, path, person);
    if (had === undefined || has === undefined) return { verdict: 'unjudged', kind, who };
    if (had || !has) {
      if (!isNamed) return { verdict: 'kept', kind, who };
      // Those who gain it have certificates with the new units; the recorded identity has the old ones.
      return hasCause(findings, [`${own}/MSP`])
        ? { verdict: 'explained', kind, who }
        : differs('named without a gain', kind, who);
    }
    if (isNamed) return { verdict: 'gain', kind, who };
    return hasGain(findings, [path])
      ? { verdict: 'explained', kind, who }
      : differs('gained, not named', kind, who);
  });
}
