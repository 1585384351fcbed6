// The components and parts that a request or a group covers. A name covers the component or part with this name, and all names that begin
// with it and `/`: `peer0` covers the component `peer0`, its parts, and a component `peer0/disk`.

import { CHANNELS, isBelow, ownerOf } from '../common/text/component.js';
import { suggestion } from '../common/text/nearest.js';
import type { FailedCheck } from './component.js';

/** The components and parts that a report covers. */
export interface Selection {
  /** Empty: all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Longest name in a message, in UTF-16 units. */
const MAX_SHOWN_NAME = 100;

/** Returns true if a selection covers all components and parts. */
export function isEverything({ include, exclude }: Selection): boolean {
  return include.length === 0 && exclude.length === 0;
}

/** Returns true for the name of a component, a prefix of one that ends before `/`, or a possible name of a part. */
export function isKnownName(name: string, components: readonly string[]): boolean {
  return components.some((component) => isBelow(component, name)) || ownerOf(name, components) !== undefined;
}

/** The error message for an unknown name. */
export function describeUnknownName(name: string, components: readonly string[]): string {
  const known = components.length === 0 ? 'there are no components' : suggestion(name, components);
  return `unknown component '${name.slice(0, MAX_SHOWN_NAME)}'; ${known}`;
}

/** The components to check for a selection, in the order given. */
export function selectComponents(components: readonly string[], selection: Selection): readonly string[] {
  const included = includedNames(components, selection);
  return components.filter((name) => included(name) && !isExcluded(name, selection));
}

/** The failed checks that a selection covers. A component that fails as a whole fails for each of its parts. */
export function selectFailed(
  failed: readonly FailedCheck[],
  components: readonly string[],
  selection: Selection,
): FailedCheck[] {
  const included = includedNames(components, selection);
  return failed.filter(({ component }) => included(component) && !isExcluded(component, selection));
}

function includedNames(
  components: readonly string[],
  { include }: Selection,
): (component: string) => boolean {
  if (include.length === 0) return () => true;
  const owners = new Set(include.map((name) => ownerOf(name, components)));
  return (component) => owners.has(component) || include.some((name) => isBelow(component, name));
}

function isExcluded(component: string, { exclude }: Selection): boolean {
  return exclude.some((name) => isBelow(component, name));
}

/** The names of components in requests and responses. */
export interface ComponentNames {
  /** The name of a component or part in a response. */
  readonly shown: (component: string) => string;
  /** The component or part with a name in a request. */
  readonly read: (name: string) => string;
}

/**
 * The names with short names of parts. A component with a short name keeps it, and its part the full name; the full name is always read.
 *
 * @param short the full name of each short name
 * @param components the names of all components
 */
export function componentNames(
  short: ReadonlyMap<string, string>,
  components: readonly string[],
): ComponentNames {
  const used = [...short].filter(
    ([name, full]) =>
      !isKnownName(name, components) && !components.includes(full) && isKnownName(full, components),
  );
  const [fullOf, shortOf] = [new Map(used), new Map(used.map(([name, full]) => [full, name]))];
  return {
    shown: (component) => shortOf.get(component) ?? component,
    read: (name) => fullOf.get(name) ?? name,
  };
}

/** The components of `/readyz`. */
export interface ReadySelection extends Selection {
  /** The nodes that `/readyz` does not cover because there are several. */
  readonly otherNodes: readonly string[];
}

/**
 * The components of `/readyz`. Unless the settings name them, these are the health that the only monitored node reports, and declared checkers
 * that do not belong to a node. Other checks of a node, and channels, do not count: if orderers are taken out of service because of a lost
 * quorum, they cannot elect a leader. With several nodes, none of them counts.
 *
 * @param nodes the names of the nodes
 * @param components the names of all components
 */
export function readySelection(
  { include, exclude }: Selection,
  nodes: readonly string[],
  components: readonly string[],
): ReadySelection {
  if (include.length > 0) return { include, exclude, otherNodes: [] };
  const [only] = nodes.length === 1 ? nodes : [];
  const uncounted = components.filter(
    (component) => component === CHANNELS || (component !== only && ownerOf(component, nodes) !== undefined),
  );
  return { include, exclude: [...uncounted, ...exclude], otherNodes: only === undefined ? nodes : [] };
}

/** The note that `/readyz` covers none of several nodes. */
export const describeOtherNodes = (nodes: readonly string[]): string =>
  `note: /readyz covers none of the nodes ${nodes.join(', ')}, because there are several; name the nodes to cover in health.groups.ready.include`;
