// The content of the drawer, and its address.

import type { Details } from '../status/answer/index.js';
import type { StatusDocument } from '../status/document.js';

/** A thing whose details the drawer shows. */
export type Target =
  | Details
  | { readonly of: 'channel' | 'host'; readonly name: string }
  | { readonly of: 'follows'; readonly component: string }
  | { readonly of: (typeof FIXED)[number] };

/** Drawers that always exist. */
const FIXED = ['others', 'certificates', 'levels', 'events', 'silences', 'agent', 'nodes', 'keys'] as const;
const NAMED: ReadonlySet<string> = new Set(['node', 'channel', 'host']);
const OF_COMPONENTS: ReadonlySet<string> = new Set(['cause', 'follows']);

/** The address of a drawer, which {@link targetOf} reads: `#orderer3`, `#events`, `#cause/docker`. */
export function hashOf(target: Target, document: StatusDocument): string {
  if ('component' in target) return `#${target.of}/${encodeURIComponent(target.component)}`;
  if (!('name' in target)) return `#${target.of}`;
  const short = `#${encodeURIComponent(target.name)}`;
  return targetOf(short, document)?.of === target.of
    ? short
    : `#${target.of}/${encodeURIComponent(target.name)}`;
}

/** The drawer with an address; undefined: none. A name that nothing has counts as a node that is no longer there. */
export function targetOf(hash: string, { nodes, channels, agents }: StatusDocument): Target | undefined {
  const [first = '', second] = hash.slice(1).split('/').map(decoded);
  if (first === '') return undefined;
  if (second !== undefined) {
    if (NAMED.has(first)) return { of: first as 'node', name: second };
    return OF_COMPONENTS.has(first) ? { of: first as 'cause', component: second } : undefined;
  }
  const fixed = FIXED.find((each) => each === first);
  if (fixed !== undefined) return { of: fixed };
  const isNamed = ({ name }: { readonly name: string }): boolean => name === first;
  if (nodes.some(isNamed)) return { of: 'node', name: first };
  if (channels.some(isNamed)) return { of: 'channel', name: first };
  return { of: agents.some(isNamed) ? 'host' : 'node', name: first };
}

/** A part of an address; as it is if it is not encoded correctly. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
