// Finds the element of a path: `orderer.batchSize.maxMessageCount`, a jq path, or `/Channel/Orderer/BatchSize`.

import { is, requireTypes } from '../../proto/arguments.js';
import { badEdit, unknownName } from './edited.js';
import {
  type ConfigGroup,
  SECTIONS,
  groupAt,
  pathOf,
  type GroupPath,
  kindOfGroup,
  VALUES,
} from '../channel/index.js';

const MAX_LENGTH = 10_000;
/** A name in brackets and quotes, an index in brackets, a name in quotes, or a name. */
const PART = /\["([^"]*)"\]|\[(\d+)\]|"([^"]*)"|([^.[\]"]+)/y;

/** The parts of a path. @throws TranslateError BAD_EDIT */
export function splitPath(path: string): string[] {
  requireTypes({ path }, { path: is.text }, 'BAD_EDIT');
  if (path.startsWith('/')) return path.split('/').filter((part) => part !== '');
  const parts: string[] = [];
  let at = 0;
  while (at < path.length && path.length <= MAX_LENGTH) {
    if (path[at] === '.') at++;
    PART.lastIndex = at;
    const found = PART.exec(path);
    if (found === null) break;
    parts.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
    at = PART.lastIndex;
  }
  if (at < path.length || parts.length === 0)
    throw badEdit(
      `${JSON.stringify(path.slice(0, 60))} is not a path; expected one such as orderer.batchSize.maxMessageCount`,
    );
  return parts;
}

/** The form in which names are compared: case and `_` are ignored. */
export const normalized = (name: string): string => name.toLowerCase().replaceAll('_', '');

/** A name at the beginning of a path. */
interface Match {
  readonly name: string;
  /** The number of parts; more than one if the name contains dots. */
  readonly used: number;
}

/** Fabric's names contain few dots. */
const MAX_PARTS = 8;

/** Finds the name that matches the most parts at the beginning of a path; an exact match has priority. */
export function matchName(parts: readonly string[], names: Iterable<string>): Match | undefined {
  const exact = new Set(names);
  const byForm = new Map([...exact].map((name) => [normalized(name), name]));
  for (let used = Math.min(parts.length, MAX_PARTS); used > 0; used--) {
    const text = parts.slice(0, used).join('.');
    const name = exact.has(text) ? text : byForm.get(normalized(text));
    if (name !== undefined) return { name, used };
  }
  return undefined;
}

/** The element of a path. */
export interface Target {
  readonly kind: 'group' | 'value' | 'policy';
  /** The group that contains the element; the group itself for a group. */
  readonly path: GroupPath;
  /** The name of the value or policy. */
  readonly name: string;
  /** Whether the path ends in `mod_policy`. */
  readonly isModPolicy: boolean;
  /** The parts of the path within a value or policy. */
  readonly rest: readonly string[];
}

/** Words at the beginning of jq paths, from a block, a config or the channel group. */
const PREFIXES: ReadonlySet<string> = new Set(['data', '0', 'payload', 'config', 'channelgroup', 'channel']);
const PARTS = { groups: 'group', values: 'value', policies: 'policy' } as const;
type Part = keyof typeof PARTS;
const MOD_POLICY = 'modpolicy';

/** Finds the element of a path. @throws TranslateError BAD_EDIT for an unknown name, with the closest names */
export function resolvePath(root: ConfigGroup, path: string): Target {
  const parts = splitPath(path);
  while (parts.length > 0 && PREFIXES.has(normalized(parts[0]!))) parts.shift();
  let at: GroupPath = [];
  let only: Part | undefined;
  for (;;) {
    const group = groupAt(root, at)!;
    const word = parts[0] === undefined ? undefined : normalized(parts[0]);
    if (word === undefined || (word === MOD_POLICY && parts.length === 1))
      return { kind: 'group', path: at, name: '', isModPolicy: word === MOD_POLICY, rest: [] };
    if (word === 'version') throw badEdit(`the version of ${pathOf(...at)} follows from the update`);
    if (only === undefined && Object.hasOwn(PARTS, word)) {
      only = word as Part;
      parts.shift();
      continue;
    }
    const found = matchIn(group, at, parts, only) ?? (at.length === 0 ? matchBelow(root, parts) : undefined);
    if (found === undefined) {
      if (only === 'policies') return target('policy', at, { name: parts.join('.'), used: parts.length }, []);
      throw unknownName(`${pathOf(...at)} has no`, parts[0]!, namesIn(group, at, only));
    }
    parts.splice(0, found.match.used);
    if (found.part !== 'groups') return target(PARTS[found.part], found.at, found.match, parts);
    at = [...found.at, found.match.name];
    only = undefined;
  }
}

function target(kind: Target['kind'], path: GroupPath, { name }: Match, rest: readonly string[]): Target {
  const isModPolicy = rest.length === 1 && normalized(rest[0]!) === MOD_POLICY;
  return { kind, path, name, isModPolicy, rest: isModPolicy ? [] : rest };
}

interface FoundName {
  readonly part: Part;
  readonly at: GroupPath;
  readonly match: Match;
}

function matchIn(
  group: ConfigGroup,
  at: GroupPath,
  parts: readonly string[],
  only: Part | undefined,
): FoundName | undefined {
  for (const part of ['groups', 'values', 'policies'] as const) {
    if (only !== undefined && only !== part) continue;
    const match = matchName(parts, namesIn(group, at, part));
    if (match !== undefined) return { part, at, match };
  }
  return undefined;
}

/** A name in Orderer or Application, if only one of them contains it: `batchSize` for `orderer.batchSize`. */
function matchBelow(root: ConfigGroup, parts: readonly string[]): FoundName | undefined {
  const found = SECTIONS.flatMap((name) => {
    const group = root.groups.get(name);
    return group === undefined ? [] : (matchIn(group, [name], parts, undefined) ?? []);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The names in a group, including values that it does not have yet. */
function namesIn(group: ConfigGroup, at: GroupPath, part: Part | undefined): string[] {
  const kind = kindOfGroup(at);
  const names = {
    groups: group.groups.keys(),
    values: [...group.values.keys(), ...Object.keys(kind === undefined ? {} : VALUES[kind])],
    policies: group.policies.keys(),
  };
  return [...new Set(part === undefined ? Object.values(names).flatMap((each) => [...each]) : names[part])];
}
