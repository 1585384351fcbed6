// Splits the path of an element: `orderer.batchSize.maxMessageCount`, the path of jq, or `/Channel/Orderer/BatchSize`.

import { badEdit } from './edited.js';

const MAX_LENGTH = 10_000;
/** A name in brackets and quotes, an index in brackets, a name in quotes, or a name. */
const PART = /\["([^"]*)"\]|\[(\d+)\]|"([^"]*)"|([^.[\]"]+)/y;

/** The parts of a path. @throws TranslateError BAD_EDIT */
export function splitPath(path: string): string[] {
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

/** The form in which names are compared: case and `_` do not matter. */
export const normalized = (name: string): string => name.toLowerCase().replaceAll('_', '');

/** A name that the first parts of a path spell. */
export interface Match {
  readonly name: string;
  /** The number of parts: names may contain dots. */
  readonly used: number;
}

/** Names of Fabric have few dots. */
const MAX_PARTS = 8;

/** Finds the name that the longest beginning of some parts spells; exact names come first. */
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
