// What several sign for: whether the signature of a peer counts, what organisations can do together, and the quorum of BFT consenters.

import { servicesOf, type Service } from '../../../translator/state/services.js';
import { differs, judged, lastName, organizationOf, PEOPLE, type Case, type Difference } from './case.js';
import { hasCause, isOpen, namesLoss, type Person } from './findings.js';
import type { Side } from './side.js';

/** The policy of blocks; of a BFT channel, three of the four identities of the consenters. */
const BLOCKS = '/Channel/Orderer/BlockValidation';
const LIFECYCLE = '/Channel/Application/LifecycleEndorsement';
/** Policies that several organisations sign for: a set of them that is enough only after the update is a gain. */
export const SHARED = [
  '/Channel/Admins',
  '/Channel/Application/Admins',
  '/Channel/Orderer/Admins',
  LIFECYCLE,
];

/** Services that several sign for: whether the signature of a peer counts. */
export async function compareTogether(given: Case, person: Person): Promise<Difference[]> {
  const { before, after, findings } = given;
  const found: Difference[] = [];
  for (const service of servicesOf('Application', 'peer', false).filter(
    ({ signatures }) => signatures === 'several',
  )) {
    const had = await counts(before, service, person);
    const has = await counts(after, service, person);
    const path = service.policy;
    // Nobody can do it any more: one finding on a policy says so.
    if (had && !has && !(await satisfies(after, path, namesIn(after)))) {
      const isNamed = findings.some(({ id }) => id === 'service-lost');
      const isCaused = isNamed || hasCause(findings, [...before.judge.dependencies(path), ...mspsOf(before)]);
      const kind = `${service.name} of all`;
      found.push(
        isCaused
          ? { verdict: namesLoss(findings, service, person) ? 'cause' : 'element', kind, who: person.name }
          : differs('lost, not named', kind, person.name),
      );
    } else {
      const judgement = judged(given, { service, person, had, has });
      const isExplained = judgement.verdict === 'differs' && isOpen(findings, after.judge.dependencies(path));
      found.push(isExplained ? { ...judgement, verdict: 'explained' } : judgement);
    }
  }
  return found;
}

const mspsOf = ({ channel }: Side): string[] => channel.organizations.map(({ path }) => `${path}/MSP`);

/** The recorded identities of a channel, or of some of its organisations. */
const namesIn = (side: Side, organizations?: readonly string[]): string[] =>
  PEOPLE.filter(
    ({ organization }) =>
      organizationOf(side, organization) !== undefined &&
      (organizations === undefined || organizations.includes(organization)),
  ).map(({ name }) => name);

/** Whether the signature of a person is what is missing for a policy, or for one that it depends on. */
async function counts(side: Side, { policy: path }: Service, person: Person): Promise<boolean> {
  const { judge } = side;
  const own = organizationOf(side, person.organization);
  if (!judge.has(path) || own === undefined) return false;
  const policies = judge.dependencies(path).filter((each) => judge.has(each));
  const isOwn = (each: string): boolean => each.startsWith(`${own.path}/`);
  for (const policy of [...policies.filter(isOwn), ...policies.filter((each) => !isOwn(each))])
    if (await isMissing(side, policy, person)) return true;
  return false;
}

/** Whether there are others whose signatures do not satisfy a policy alone, but with that of a person. */
async function isMissing(side: Side, path: string, person: Person): Promise<boolean> {
  for (const rest of companies(side, person))
    if ((await satisfies(side, path, [person.name, ...rest])) && !(await satisfies(side, path, rest)))
      return true;
  return false;
}

/** Whether signers satisfy a policy in one order or the other: each signature counts for the first principal that it satisfies. */
async function satisfies({ judge }: Side, path: string, names: readonly string[]): Promise<boolean> {
  for (const order of names.length < 2 ? [names] : [names, names.toReversed()])
    if (order.length > 0 && (await judge.satisfied(order, [path])).get(path) === true) return true;
  return false;
}

/** Others who sign together with a person: nobody, single ones, peers of other organisations, and whole organisations. */
function* companies(side: Side, person: Person): Generator<readonly string[]> {
  const present = PEOPLE.filter(({ organization }) => organizationOf(side, organization) !== undefined);
  const others = present.filter(({ name }) => name !== person.name);
  const isPeer = ({ role }: Person): boolean => role === 'peer';
  for (const set of subsetsOf(others.filter(isPeer))) yield set.map(({ name }) => name);
  for (const { name } of others.filter((each) => !isPeer(each))) yield [name];
  const colleagues = others
    .filter(({ organization }) => organization === person.organization)
    .map(({ name }) => name);
  const own = [[], ...colleagues.map((name) => [name]), colleagues];
  const foreign = side.channel.organizations.filter(({ name }) => name !== person.organization);
  for (const set of subsetsOf(foreign.map(({ name }) => name)).filter(({ length }) => length > 0))
    for (const colleague of set.length === 1 ? own : [[]]) yield [...colleague, ...namesIn(side, set)];
}

/** All subsets, small ones first. */
function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  const all = Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, index) => ((bits >> index) & 1) === 1),
  );
  return all.toSorted((one, two) => one.length - two.length);
}

/** What organisations can do together: all must not lose it, and fewer must not gain it unsaid. */
export async function compareSets({ before, after, findings }: Case): Promise<Difference[]> {
  const found: Difference[] = [];
  const isRemoved = before.channel.organizations.some(
    ({ name }) => organizationOf(after, name) === undefined,
  );
  const names = before.channel.organizations.map(({ name }) => name);
  const paths = SHARED.filter((path) => before.judge.has(path));
  const gained = new Set<string>();
  const isSmall = ({ length }: readonly string[]): boolean => length === 1 || length === 2;
  for (const set of [...subsetsOf(names).filter(isSmall), names]) {
    const people = namesIn(before, set);
    if (people.length === 0) continue;
    const isAll = set === names;
    const [had, has] = [
      await before.judge.satisfied(people, paths),
      await after.judge.satisfied(
        people,
        paths.filter((path) => after.judge.has(path)),
      ),
    ];
    for (const path of paths) {
      if (had.get(path) === true && isAll && !(await satisfies(after, path, namesIn(after)))) {
        const elements = [...before.judge.dependencies(path), ...after.judge.dependencies(path)];
        const isNamed = hasCause(findings, [...elements, ...mspsOf(before)]) || isRemoved;
        const isLost = findings.some(({ id }) => id === 'service-lost');
        found.push(
          isNamed || isLost
            ? { verdict: 'explained', kind: 'all together', who: path }
            : differs('lost, not named', `${lastName(path)} of all together`, path),
        );
      }
      if (had.get(path) !== false || has.get(path) !== true || isRemoved || gained.has(path)) continue;
      gained.add(path);
      const isNamed = findings.some(({ id }) => id === 'policy-weakened') || isOpen(findings, [path]);
      found.push(
        isNamed
          ? { verdict: 'gain', kind: 'sets', who: path }
          : differs(
              'gained, not named',
              `${lastName(path)} of several organisations`,
              `${path} by ${set.join()}`,
            ),
      );
    }
  }
  return found;
}

/** The quorum of BFT consenters that signs blocks. */
export async function compareQuorum({ before, after, findings }: Case): Promise<Difference[]> {
  if (!before.channel.orderer.isBft) return [];
  const signers = ['OrdererOrg/o1', 'OrdererOrg/o2', 'Org1/peer0', 'Org2/peer0'];
  const [had, has] = [
    (await before.judge.satisfied(signers, [BLOCKS])).get(BLOCKS),
    (await after.judge.satisfied(signers, [BLOCKS])).get(BLOCKS),
  ];
  const isNamed = findings.some(
    (each) =>
      each.id === 'service-lost' && each.data.services.some(({ service }) => service === 'make-blocks'),
  );
  const [kind, who] = ['blocks of a BFT quorum', BLOCKS];
  if (had !== true || has === undefined) return [{ verdict: 'unjudged', kind, who }];
  if (has) return [isNamed ? differs('named without a loss', kind, who) : { verdict: 'kept', kind, who }];
  if (isNamed) return [{ verdict: 'loss', kind, who }];
  const isCaused = hasCause(
    findings,
    before.channel.orderer.organizations.map(({ path }) => `${path}/MSP`),
  );
  return [isCaused ? { verdict: 'element', kind, who } : differs('lost, not named', kind, who)];
}
