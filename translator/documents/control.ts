// The sets of organisations that control an element, in words.

import { addTo, groupBy } from '../../core/common/group-by.js';
import { naturally } from '../../core/common/text/naturally.js';
import type { ControlSet, Gainers } from '../control/index.js';
import { identityWords } from './certificate.js';
import { describeSet } from './policy.js';
import { describePrincipal, mspName, type MemberSet } from '../policy/index.js';
import { shortList } from './lists.js';

/** The names of organisations by their MSP ids. */
export type OrganizationNames = ReadonlyMap<string, string>;

/**
 * The names of organisations: the names of their groups. An MSP id stands for itself if its groups have several names, or if another
 * organisation has the name, too, as its name or its MSP id.
 */
export function mspNames(
  organizations: readonly { readonly name: string; readonly mspId?: string | undefined }[],
): OrganizationNames {
  const [names, owners] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const { name, mspId } of organizations) {
    if (mspId !== undefined) {
      addTo(names, mspId, name);
      addTo(owners, mspId, mspId);
    }
    addTo(owners, name, mspId ?? '');
  }
  return new Map(
    [...names].map(([mspid, [name = mspid, ...others]]) => [
      mspid,
      others.length === 0 && owners.get(name)?.size === 1 ? name : mspid,
    ]),
  );
}

const NO_NAMES: OrganizationNames = new Map();

/** The name of an organisation; its MSP id if it has none. */
const nameIn = (names: OrganizationNames, mspid: string): string => mspName(names.get(mspid) ?? mspid);

/** `Org1MSP and any 2 of Org2MSP, Org3MSP, Org4MSP`, or with names `Org1 and any 2 of Org2, Org3, Org4`. */
export const controlSetText = (set: ControlSet, names = NO_NAMES): string =>
  set
    .map(({ count, of }) => {
      const shown = of.map((mspid) => nameIn(names, mspid)).toSorted(naturally);
      if (count === of.length) return shortList(shown, ' and ');
      return `any ${count === 1 ? '' : `${count} `}of ${shortList(shown)}`;
    })
    .join(' and ');

/** One set for sets of single organisations that are all choices of one number out of the same: `any 2 of Org1, Org2, Org3`. */
function joined(sets: readonly ControlSet[]): ControlSet | undefined {
  const members = sets.map((set) => set.flatMap(({ of }) => of));
  const areSingle = sets.every((set) => set.every(({ count, of }) => count === of.length));
  const [first = []] = members;
  const all = [...new Set(members.flat())];
  const needed = all.filter((mspid) => members.every((each) => each.includes(mspid)));
  const others = all.filter((mspid) => !needed.includes(mspid));
  const count = first.length - needed.length;
  const isEach =
    members.every(({ length }) => length === first.length) && sets.length === choices(others.length, count);
  if (!areSingle || !isEach || count === 0 || (count === 1 && needed.length === 0)) return undefined;
  return [...needed.map((mspid) => ({ count: 1, of: [mspid] })), { count, of: others }];
}

/** The number of ways to choose `count` out of `of`. */
function choices(of: number, count: number): number {
  let result = 1;
  for (let each = 1; each <= count; each += 1) result = (result * (of - count + each)) / each;
  return result;
}

/** Several sets; one of them is enough: `Org1MSP, or Org2MSP and Org3MSP`. */
export function controlText(sets: readonly ControlSet[], names = NO_NAMES): string {
  if (sets.length === 0) return 'nobody';
  if (sets.some((set) => set.length === 0)) return 'anybody';
  const single = joined(sets);
  return shortList(
    (single === undefined ? sets : [single]).map((set) => controlSetText(set, names)),
    ', or ',
  );
}

const organizationsText = (set: ControlSet, names = NO_NAMES): string =>
  set.length === 0 ? 'anybody' : controlSetText(set, names);

/** Several sets that gain the same control. */
export const gainersText = (sets: readonly Gainers[]): string =>
  shortList(
    [
      ...new Set(
        sets.map((each) =>
          each.kind === 'persons' ? describeSet(each.set, identityWords) : organizationsText(each.set),
        ),
      ),
    ],
    ' or ',
  );

/**
 * Several sets that gain the same control, in the words of users: `Org1 or Org2` if one admin of each is enough, otherwise with the roles,
 * `an admin of Org1 or a member of Org2`. A person of no role is described as in `gainersText`.
 */
export function gainerNamesText(sets: readonly Gainers[], names: OrganizationNames): string {
  const areAdmins = sets.every((each) => each.kind === 'organizations' || isOneAdminOfEach(each.set));
  const texts = areAdmins
    ? bySize(sets.map(ownersOf)).flatMap((same) => {
        const single = joined(same);
        return (single === undefined ? same : [single]).map((set) => organizationsText(set, names));
      })
    : sets.map((each) =>
        each.kind === 'organizations'
          ? organizationsText(each.set, names)
          : shortList(personsText(each.set, names), ' and '),
      );
  return shortList([...new Set(texts)], texts.some((text) => text.includes(' and ')) ? ', or ' : ' or ');
}

/** Sets of organisations with the same number of them, and no set twice. */
function bySize(sets: readonly ControlSet[]): readonly (readonly ControlSet[])[] {
  const unlike = new Map(sets.map((set) => [JSON.stringify(set.map(({ count, of }) => [count, of])), set]));
  return [...groupBy(unlike.values(), ({ length }) => length).values()];
}

/** The organisations of the admins of a set. */
const ownersOf = (each: Gainers): ControlSet =>
  each.kind === 'organizations'
    ? each.set
    : each.set.flatMap(({ principal }) =>
        principal.kind === 'role' ? [{ count: 1, of: [principal.mspid] }] : [],
      );

type SetMember = MemberSet[number];

/** Whether a set is one admin of each of several organisations. */
const isOneAdminOfEach = (set: MemberSet): boolean =>
  set.every(({ principal }) => principal.kind === 'role' && principal.role === 'admin') &&
  new Set(set.map(({ key }) => key)).size === set.length;

const ROLES = {
  admin: ['an admin', 'admins'],
  client: ['a client', 'clients'],
  member: ['a member', 'members'],
  orderer: ['an orderer', 'orderers'],
  peer: ['a peer', 'peers'],
} as const;

/** `2 admins of Org1`, for each principal of a set. */
function personsText(set: MemberSet, names: OrganizationNames): string[] {
  const counts = new Map<string, { readonly principal: SetMember['principal']; readonly count: number }>();
  for (const { key, principal } of set)
    counts.set(key, { principal, count: (counts.get(key)?.count ?? 0) + 1 });
  return [...counts.values()].map(({ principal, count }) => {
    if (principal.kind !== 'role')
      return `${count === 1 ? '' : `${count} × `}${describePrincipal(principal, identityWords)}`;
    const [one, several] = ROLES[principal.role];
    return `${count === 1 ? one : `${count} ${several}`} of ${nameIn(names, principal.mspid)}`;
  });
}
