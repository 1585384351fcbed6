// What Fabric v3.0.0 made of config updates: which policy judges each changed element, and whether the signers satisfy it.

import { readFileSync } from 'node:fs';
import { makeGroup, makePolicy } from '../../translator/channel/make.js';
import type { ConfigGroup } from '../../translator/channel/element.js';
import { MspManager, mspVersionOf, setupMsp, type Msp } from '../../translator/msp/index.js';
import type { ChangedElement, Signer } from '../../translator/policy/index.js';

interface Tree {
  readonly groups?: Readonly<Record<string, Tree>>;
  /** Type and content in base64. */
  readonly policies?: Readonly<Record<string, readonly [number, string] | null>>;
  /** The index of an MSP. */
  readonly msp?: number;
}

/** A changed element of a recorded case. */
export interface RecordedElement {
  readonly element: string;
  readonly modPolicy: string;
  readonly policy?: string;
  readonly satisfied: boolean;
  readonly error?: string;
  /** Sets of principals that satisfy the policy; principals that the policy language cannot express are `CLASS:base64`. */
  readonly satisfiedBy?: readonly (readonly string[])[];
}

/** A recorded case. */
export interface RecordedCase {
  readonly id: string;
  readonly note: string;
  readonly config: string;
  /** Name of the identity, and a form of its signature. */
  readonly signers: readonly string[];
  readonly elements: readonly RecordedElement[];
  readonly panic?: string;
}

interface Recorded {
  readonly configs: Readonly<Record<string, Tree & { readonly capabilities: readonly string[] }>>;
  /** `msp.FabricMSPConfig` in base64. */
  readonly msps: readonly string[];
  /** MSP ID and certificate (PEM in base64). */
  readonly identities: Readonly<Record<string, readonly [string, string]>>;
  readonly cases: readonly RecordedCase[];
}

const recorded = JSON.parse(readFileSync('test/vectors/policy/evaluation.json', 'utf8')) as Recorded;

export const recordedCases = recorded.cases;

/** Forms of a signature that Fabric accepts; it refuses all others. */
const VALID = new Set(['', 'trailing', 'other-nonce', 'no-nonce', 'nonce-1']);

/** The channel group of a recorded config: groups and policies. */
export function recordedGroup(config: string): ConfigGroup {
  return groupOf(recorded.configs[config]!);
}

function groupOf({ groups = {}, policies = {} }: Tree): ConfigGroup {
  return makeGroup({
    groups: new Map(Object.entries(groups).map(([name, tree]) => [name, groupOf(tree)])),
    policies: new Map(
      Object.entries(policies).map(([name, policy]) => [
        name,
        makePolicy(
          policy === null ? {} : { policy: { type: policy[0], value: Buffer.from(policy[1], 'base64') } },
        ),
      ]),
    ),
  });
}

const managers = new Map<string, Promise<MspManager>>();

async function managerOf(config: string): Promise<MspManager> {
  const tree = recorded.configs[config]!;
  const indexes = new Set<number>();
  const visit = ({ msp, groups = {} }: Tree): void => {
    if (msp !== undefined) indexes.add(msp);
    Object.values(groups).forEach(visit);
  };
  visit(tree);
  const msps: Msp[] = [];
  for (const index of indexes) {
    const { msp } = await setupMsp(
      Buffer.from(recorded.msps[index]!, 'base64'),
      mspVersionOf(tree.capabilities),
    );
    if (msp !== undefined) msps.push(msp);
  }
  return new MspManager(msps);
}

/** The signers of a recorded case whose identity can be read and whose signature is valid, in their order. */
export async function recordedSigners({ config, signers }: RecordedCase): Promise<Signer[]> {
  let manager = managers.get(config);
  if (manager === undefined) managers.set(config, (manager = managerOf(config)));
  const { msps } = await manager;
  const found: Signer[] = [];
  for (const signer of signers) {
    const [name = '', form = ''] = signer.split(' ');
    const [mspid, certificate] = recorded.identities[name]!;
    if (!VALID.has(form)) continue;
    try {
      const identity = await msps.get(mspid)?.identityOf(Buffer.from(certificate, 'base64'));
      if (identity !== undefined) found.push(identity);
    } catch {
      // Fabric skips identities that it cannot read.
    }
  }
  return found;
}

/** A recorded element as a changed element. */
export function changedElement({ element, modPolicy }: RecordedElement): ChangedElement {
  const [, kind = '', path = ''] = /^\[(\w+)\] +(.*)$/.exec(element)!;
  return {
    kind: kind.toLowerCase() as ChangedElement['kind'],
    key: element,
    path,
    names: path.split('/').slice(2),
    before: { modPolicy },
  };
}
