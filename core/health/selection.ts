// Which components and parts a request or a group covers. A name covers the component or part of that name, and everything whose
// name begins with it and `/`: `peer0` covers the component `peer0`, its parts, and a component `peer0/disk`.

import { suggestion } from '../common/text/nearest.js';
import type { FailedCheck } from './component.js';

/** The component of the channels of all nodes; each channel is a part. */
export const CHANNELS = 'channels';

/** The components and parts that a report covers. */
export interface Selection {
  /** Empty: all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Longest name in a message, in UTF-16 units. */
const MAX_SHOWN_NAME = 100;

/** Whether a selection covers everything. */
export function isEverything({ include, exclude }: Selection): boolean {
  return include.length === 0 && exclude.length === 0;
}

/** Whether a name is the name of a component, its beginning, or can be the name of a part of a component. */
export function isKnownName(name: string, components: readonly string[]): boolean {
  return (
    components.some((component) => isCovered(component, name)) || ownerOf(name, components) !== undefined
  );
}

/** The error message for an unknown name. */
export function describeUnknownName(name: string, components: readonly string[]): string {
  const known = components.length === 0 ? 'there are no components' : suggestion(name, components);
  return `unknown component '${name.slice(0, MAX_SHOWN_NAME)}'; ${known}`;
}

/** The component with this name, or the one that a part with this name belongs to. */
export function ownerOf(name: string, components: readonly string[]): string | undefined {
  let owner: string | undefined;
  for (const component of components)
    if (isCovered(name, component) && component.length > (owner?.length ?? 0)) owner = component;
  return owner;
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
  return (component) => owners.has(component) || include.some((name) => isCovered(component, name));
}

function isExcluded(component: string, { exclude }: Selection): boolean {
  return exclude.some((name) => isCovered(component, name));
}

/** Whether a name covers a component or a part. */
function isCovered(component: string, name: string): boolean {
  return component === name || component.startsWith(`${name}/`);
}

/** What `/readyz` covers. */
export interface ReadySelection extends Selection {
  /** The nodes that it does not cover because there are several. */
  readonly otherNodes: readonly string[];
}

/**
 * Unless the settings name components, `/readyz` covers what decides whether this node can serve: the health that the only node beside
 * the agent reports, and declared checkers that belong to no node. Other checks of a node do not count, and neither do channels with a lost
 * quorum: orderers that are withdrawn because of it cannot elect a leader. With several nodes, none of them counts.
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
    (component) =>
      component === CHANNELS ||
      (component !== only && nodes.some((node) => component === node || component.startsWith(`${node}/`))),
  );
  return { include, exclude: [...uncounted, ...exclude], otherNodes: only === undefined ? nodes : [] };
}

/** Says that `/readyz` covers none of several nodes. */
export const describeOtherNodes = (nodes: readonly string[]): string =>
  `note: /readyz covers none of the nodes ${nodes.join(', ')}, because there are several; name those that it covers in health.groups.ready.include`;
