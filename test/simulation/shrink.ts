// Finds the shortest story of a violation: the fewest actions, hosts and channels.

import type { Action } from './actions.js';
import { violationsOf, type Violation } from './invariants.js';
import { PAGER, type Setup } from './setup.js';
import { simulate, type History } from './world.js';

/** How long before a violation its causes happened, in milliseconds: first a part, then more. */
const CAUSES = [900_000, 3_600_000];
/** When the first action of a story begins, in seconds. */
const FIRST = 120;
/** With how many seeds the first part is tried: the moments at which agents look are drawn. */
const ATTEMPTS = 4;
/** How long a story goes on after its violation, in milliseconds. */
const AFTER = 30_000;

/** The beginning of a simulation, what happens in it, and the seed of all else. */
export interface Story {
  readonly setup: Setup;
  readonly actions: readonly Action[];
  readonly seed: number;
  /** The time of the end. @default when it is quiet */
  readonly until?: number;
}

/** A story with the violation that it ends with. */
export interface ShortStory extends Story {
  readonly violation: Violation;
  readonly history: History;
}

/** Finds the violations in a history. */
type Find = (history: History) => readonly Violation[];

/** Runs a story. @returns undefined if it does not violate the same invariant for the same subject */
async function attempt(story: Story, wanted: Violation, find: Find): Promise<ShortStory | undefined> {
  const history = await simulate(story.setup, story.actions, story.seed, story.until);
  const violation = find(history).find(
    ({ invariant, subject }) => invariant === wanted.invariant && subject === wanted.subject,
  );
  return violation && { ...story, violation, history, until: violation.at + AFTER };
}

/** Runs a story with several seeds. */
async function attempts(story: Story, wanted: Violation, find: Find): Promise<ShortStory | undefined> {
  for (let seed = story.seed; seed < story.seed + ATTEMPTS; seed += 1) {
    const found = await attempt({ ...story, seed }, wanted, find);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Shortens the story of a violation.
 *
 * @param history the history that has it
 * @param find finds it in the histories of shorter stories
 */
export async function shrink(
  history: History,
  seed: number,
  violation: Violation,
  find: Find = violationsOf,
): Promise<ShortStory> {
  const { setup, actions } = history;
  let found: ShortStory | undefined;
  for (const span of CAUSES) {
    const near = [...history.begun].flatMap(([action, at]) =>
      at <= violation.at && at >= violation.at - span ? [action] : [],
    );
    const first = history.begun.get(near[0]!) ?? 0;
    const until = violation.at - first + FIRST * 1000 + AFTER;
    found ??= await attempts({ setup, actions: early(near), seed, until }, violation, find);
  }
  if (found === undefined) return { setup, actions, seed, violation, history };
  found = await withoutActions(found, find);
  found = await simplerSetup(found, find);
  return withoutActions(found, find);
}

/** Removes actions until each is needed. */
async function withoutActions(story: ShortStory, find: Find): Promise<ShortStory> {
  for (const each of actionsWithout(story)) {
    const found = await attempts(each, story.violation, find);
    if (found !== undefined) return withoutActions(found, find);
  }
  return story;
}

/** Removes hosts, channels and notifiers until each is needed. */
async function simplerSetup(story: ShortStory, find: Find): Promise<ShortStory> {
  for (const each of simplerSetups(story)) {
    const found = await attempt(each, story.violation, find);
    if (found !== undefined) return simplerSetup(found, find);
  }
  return story;
}

/** The first actions are the least likely to matter. */
const actionsWithout = ({ actions, until = Infinity, ...story }: Story): Story[] =>
  actions.map((_, index) => {
    const others = actions.toSpliced(index, 1);
    return { ...story, actions: early(others), until: until - 1000 * ((others[0]?.at ?? FIRST) - FIRST) };
  });

/** Moves the first action near the start. */
function early(actions: readonly Action[]): Action[] {
  const first = actions[0]?.at ?? FIRST;
  return actions.map((action) => ({ ...action, at: action.at - first + FIRST }));
}

function simplerSetups({ setup, actions, ...story }: Story): Story[] {
  const used = JSON.stringify(actions);
  const { hosts, channels } = setup;
  const isUsed = (host: string): boolean =>
    new RegExp(`"(?:host|orderer|peer)${host.slice('host'.length)}["/]`).test(used);
  const setups: Setup[] = [
    ...hosts.flatMap(({ name }, index) =>
      isUsed(name) ? [] : [{ channels, hosts: hosts.toSpliced(index, 1) }],
    ),
    ...channels.flatMap((name, index) =>
      channels.length === 1 || used.includes(`"${name}"`)
        ? []
        : [{ hosts, channels: channels.toSpliced(index, 1) }],
    ),
    ...hosts.flatMap((host, index) => {
      const { notifiers, peerStart } = host;
      const isPlain = notifiers.length === 1 && notifiers[0] === PAGER;
      return [
        ...(isPlain || used.includes(`"${host.name}/`) ? [] : [{ ...host, notifiers: [PAGER] }]),
        ...(peerStart === 2 ? [] : [{ ...host, peerStart: 2 }]),
      ].map((simpler) => ({ channels, hosts: hosts.with(index, simpler) }));
    }),
  ];
  return setups.flatMap((simpler) =>
    simpler.hosts.length === 0 ? [] : [{ ...story, setup: simpler, actions }],
  );
}
