// Who controls what in a small random channel, and who gains by an update of it, against trying it: see take-over.ts.

import { walk } from '../../translator/channel/changes.js';
import type { Config } from '../../translator/channel/element.js';
import { controlOf, type ControlSet } from '../../translator/control/index.js';
import { findGains } from '../../translator/control/index.js';
import { createRandom, type Random } from '../fuzz/random.js';
import { NAMED, randomChannel } from './random-channels.js';
import { smallChannel, smallState, type SmallGroup } from './small-channel.js';
import { takeOver } from './take-over.js';

/** All sets of the organisations, smaller ones first. */
const SETS = ['A', 'B', 'O']
  .reduce<string[][]>((sets, party) => [...sets, ...sets.map((set) => [...set, party])], [[]])
  .toSorted((one, other) => one.length - other.length);

/** The elements that each set controls, by trying. */
const tried = (config: Config): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(SETS.map((set) => [set.join(), takeOver(config, set, NAMED)]));

const textOf = (set: ControlSet): string =>
  set
    .flatMap(({ of }) => of)
    .toSorted()
    .join();

/** The elements of a random channel for which trying gives other sets than `controlOf`. */
export async function controlDifferences(seed: number): Promise<string[]> {
  const spec = randomChannel(createRandom(seed));
  const config = smallChannel(spec);
  const found = tried(config);
  const { sets, unsearched } = await controlOf(smallState(spec));
  const differences = [...walk(config.channelGroup)].flatMap(({ key }) => {
    const all = SETS.filter((set) => found.get(set.join())!.has(key));
    const smallest = all
      .filter((set) => !all.some((other) => other !== set && other.every((each) => set.includes(each))))
      .map((set) => set.join());
    const [is, wanted] = [sets.get(key)!.map(textOf), smallest].map((each) => each.toSorted().join(' or '));
    return is === wanted ? [] : [`${key}: ${is}, by trying ${wanted}`];
  });
  return unsearched === 0 ? differences : [...differences, `${unsearched} sets were not searched`];
}

type Tried = ReturnType<typeof tried>;

/** A channel with some rules and mod_policies of another one. */
function mixed(spec: SmallGroup, other: SmallGroup, { below }: Random): SmallGroup {
  const groups = Object.entries(spec.groups ?? {}).map(([name, group]) => {
    const from = other.groups?.[name];
    if (from === undefined || below(2) === 0) return [name, group] as const;
    const policies = { ...group.policies, Admins: from.policies.Admins! };
    return [name, { ...group, modPolicy: from.modPolicy!, policies }] as const;
  });
  return { ...spec, groups: Object.fromEntries(groups) };
}

/** Whether `findGains` reports a gain of a random update exactly if a set controls more afterwards, by trying. */
export async function gainDifferences(seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const spec = randomChannel(random);
  const changed = mixed(spec, randomChannel(random), random);
  const [was, is] = [spec, changed].map((each) => tried(smallChannel(each))) as [Tried, Tried];
  const anybody = is.get('')!;
  const more = SETS.slice(1).flatMap((set) => {
    const known = was.get(set.join())!;
    return [...is.get(set.join())!].filter((key) => !known.has(key) && !anybody.has(key));
  });
  const { gains, unsearched } = await findGains(smallState(spec), smallState(changed), new Set());
  // Persons can gain what their organisations had.
  const ofOrganizations = gains.filter(({ by }) => by.every(({ kind }) => kind === 'organizations'));
  return [
    ...(unsearched === 0 ? [] : [`${unsearched} sets were not compared`]),
    ...(more.length > 0 && gains.length === 0 ? [`no gain, by trying ${more.join(', ')}`] : []),
    ...(more.length === 0 && ofOrganizations.length > 0 ? ['a gain, by trying none'] : []),
  ];
}
