// The model of control: the policy that decides about each element of a config, the policies that other policies count, and the MSPs with
// identities that satisfy them.

import { appendTo } from '../../core/common/group-by.js';
import { keyOf, walk, type Element, type ElementKind, type GroupPath } from '../channel/index.js';
import { namedMsps, policiesBelow, principalsOf, resolvePolicy, type PolicyNode } from '../policy/index.js';
import type { ChannelState } from '../state/index.js';
import { controlMsps, type CaHolders, type ControlMsp } from './msps.js';

/** An element of a config, with the policy or MSP that a change of it controls. */
interface ControlElement {
  readonly kind: ElementKind;
  /** `[Value]  /Channel/Orderer/BatchSize` */
  readonly key: string;
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  /** The names below the channel: `['Orderer', 'BatchSize']`. */
  readonly names: GroupPath;
  readonly element: Element;
  /** The policy that its mod_policy names; undefined if there is none. */
  readonly decidedBy: number | undefined;
  /** The group that it is in; undefined for the channel. */
  readonly group: number | undefined;
  /** The policy that it is. */
  readonly policy: number | undefined;
  /** The id of the MSP that it is. */
  readonly mspid: string | undefined;
}

/** A config for the search for control. Elements and policies are referenced by their positions. */
export interface ControlModel {
  readonly elements: readonly ControlElement[];
  /** By key. */
  readonly elementAt: ReadonlyMap<string, number>;
  /** The elements in each group. */
  readonly membersOf: ReadonlyMap<number, readonly number[]>;
  readonly policies: readonly PolicyNode[];
  /** By path. */
  readonly policyAt: ReadonlyMap<string, number>;
  /** The elements that each policy decides about. */
  readonly decides: readonly (readonly number[])[];
  /** The implicit meta policies that count each policy. */
  readonly countedBy: readonly (readonly number[])[];
  /** The element of each policy. */
  readonly elementOfPolicy: readonly (number | undefined)[];
  /** The signature policies that name an MSP id. */
  readonly naming: ReadonlyMap<string, readonly number[]>;
  /** The MSP ids that each signature policy names. */
  readonly namedIn: ReadonlyMap<number, readonly string[]>;
  /** The policies that may need no signature of an MSP: signature policies that are always satisfied, and meta policies without groups. */
  readonly open: readonly number[];
  readonly msps: ReadonlyMap<string, ControlMsp>;
}

/** @param holders the CAs of the config before an update; without it a CA belongs to each MSP that has it */
export async function createControlModel(
  { config: { channelGroup }, channel, policies, call }: ChannelState,
  holders?: CaHolders,
): Promise<ControlModel> {
  const nodes = [...policiesBelow(policies.root)];
  const positions = new Map(nodes.map((node, index) => [node, index]));
  const policyAt = new Map(nodes.map(({ path }, index) => [path, index]));
  const mspOf = new Map(channel.organizations.map((each) => [`${each.path}/MSP`, each.mspId]));
  const elements: ControlElement[] = [];
  const elementAt = new Map<string, number>();
  const membersOf = new Map<number, number[]>();
  const decides = nodes.map((): number[] => []);
  for (const { kind, key, path, names, element, parent } of walk(channelGroup)) {
    await call.pause();
    const at = elements.length;
    const resolution = resolvePolicy(policies, { kind, key, path, names, before: element });
    const decidedBy = resolution.kind === 'found' ? positions.get(resolution.policy) : undefined;
    const group = parent && elementAt.get(parent.key);
    elements.push({
      kind,
      key,
      path,
      names,
      element,
      decidedBy,
      group,
      policy: kind === 'policy' ? policyAt.get(path) : undefined,
      mspid: kind === 'value' ? mspOf.get(path) : undefined,
    });
    elementAt.set(key, at);
    if (group !== undefined) appendTo(membersOf, group, at);
    if (decidedBy !== undefined) decides[decidedBy]!.push(at);
  }
  return {
    elements,
    elementAt,
    membersOf,
    policies: nodes,
    policyAt,
    decides,
    countedBy: countedBy(nodes, positions),
    elementOfPolicy: nodes.map(({ path }) => elementAt.get(keyOf('policy', path))),
    ...namedBy(nodes),
    msps: await controlMsps(channel, (path) => elementAt.get(keyOf('value', `${path}/MSP`)), call, holders),
  };
}

function countedBy(nodes: readonly PolicyNode[], positions: ReadonlyMap<PolicyNode, number>): number[][] {
  const result = nodes.map((): number[] => []);
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== 'implicitMeta') continue;
    for (const { policy } of node.groups)
      if (policy !== undefined) result[positions.get(policy)!]!.push(index);
  }
  return result;
}

function namedBy(nodes: readonly PolicyNode[]): Pick<ControlModel, 'naming' | 'namedIn' | 'open'> {
  const naming = new Map<string, number[]>();
  const namedIn = new Map<number, readonly string[]>();
  const open: number[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'implicitMeta') {
      if (node.threshold === 0) open.push(index);
      continue;
    }
    open.push(index);
    const names = new Set(principalsOf(node).flatMap(namedMsps));
    namedIn.set(index, [...names]);
    for (const mspid of names) appendTo(naming, mspid, index);
  }
  return { naming, namedIn, open };
}
