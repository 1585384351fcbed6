// What organisations control in the end, found by trying: real updates are computed, judged by the policies of the config, and applied, until
// no further one helps. An independent check of translator/powers.

import { applyUpdate } from '../../translator/channel/apply.js';
import { walk, type Placed } from '../../translator/channel/changes.js';
import { groupAt } from '../../translator/channel/names.js';
import type { Config, ConfigGroup } from '../../translator/channel/element.js';
import { makeGroup, makePolicy, makeValue } from '../../translator/channel/make.js';
import { mspIdOf } from '../../translator/channel/values.js';
import { readConfig, readConfigUpdate } from '../../translator/channel/read.js';
import { writeConfig } from '../../translator/channel/write.js';
import { createPolicies, Evaluation, judge, SignerList } from '../../translator/policy/index.js';
import type { Signer } from '../../translator/policy/index.js';
import { computeUpdate } from '../../translator/update/index.js';
import { mspValue, policyOf } from './small-channel.js';

const namesBelowChannel = (path: string): string[] => path.split('/').slice(2);

const TAKEN = 'taken';
/** How many signatures each organisation gives. */
const IDENTITIES = 3;
/** Values of small channels that a group must have. */
const REQUIRED = new Set(['MSP', 'BatchSize']);

/**
 * The keys of the elements of a config that organisations can change, at once or in steps.
 *
 * @param known the MSP ids that policies name
 */
export function takeOver(
  config: Config,
  mspids: readonly string[],
  known: readonly string[],
): ReadonlySet<string> {
  const taking = new TakeOver(config, mspids, known);
  taking.run();
  const original = new Set([...walk(config.channelGroup)].map(({ key }) => key));
  return new Set([...taking.controlled].filter((key) => original.has(key)));
}

class TakeOver {
  readonly controlled = new Set<string>();
  #config: Config;
  readonly #mspids: readonly string[];
  readonly #known: readonly string[];
  /** The elements that are as they want them. */
  readonly #done = new Set<string>();

  constructor(config: Config, mspids: readonly string[], known: readonly string[]) {
    this.#config = config;
    this.#mspids = mspids;
    this.#known = known;
  }

  run(): void {
    for (let before = -1; before !== this.#done.size + this.controlled.size;) {
      before = this.#done.size + this.controlled.size;
      const elements = [...walk(this.#config.channelGroup)];
      for (const placed of elements) this.#take(placed);
    }
  }

  #take(placed: Placed): void {
    const { kind, key, path } = placed;
    if (this.#done.has(key)) return;
    if (kind === 'group') this.#takeGroup(key, path);
    else if (kind === 'policy') {
      if (
        this.#update((group) =>
          inGroup(group, path, (parent, name) => withOwnPolicy(parent, name, this.#own())),
        )
      )
        this.#finish(key);
    } else if (path.endsWith('/MSP')) this.#takeMsp(key, path);
    else if (this.#isAllowed((group) => inGroup(group, path, withOtherValue))) this.controlled.add(key);
  }

  #finish(key: string): void {
    this.#done.add(key);
    this.controlled.add(key);
  }

  /** All MSPs of one id have to be the same. */
  #takeMsp(key: string, path: string): void {
    const { channelGroup } = this.#config;
    const mspid = mspIdOf(groupAt(channelGroup, namesBelowChannel(path).slice(0, -1))!)!;
    if (this.#isAllowed((group) => inGroup(group, path, withOtherValue))) this.controlled.add(key);
    const places = [...walk(channelGroup)].filter(
      (each) =>
        each.path.endsWith('/MSP') &&
        mspIdOf(groupAt(channelGroup, namesBelowChannel(each.path).slice(0, -1))!) === mspid,
    );
    const taken = (group: ConfigGroup): ConfigGroup =>
      places.reduce(
        (result, each) =>
          inGroup(result, each.path, (parent, name) => {
            const value = makeValue({ ...parent.values.get(name)!, value: mspValue(mspid, TAKEN) });
            return makeGroup({ ...parent, values: new Map(parent.values).set(name, value) });
          }),
        group,
      );
    if (this.#update(taken)) for (const each of places) this.#finish(each.key);
  }

  #takeGroup(key: string, path: string): void {
    const names = namesBelowChannel(path);
    const own = `${path}/Own`;
    const changed = this.#update((root) =>
      replaced(root, names, (group) =>
        makeGroup({
          ...group,
          modPolicy: own,
          policies: new Map(group.policies).set(
            'Own',
            makePolicy({ modPolicy: own, policy: policyOf(this.#own()) }),
          ),
        }),
      ),
    );
    if (!changed) return;
    this.#finish(key);
    this.#done.add(`[Policy] ${own}`);
    const group = groupAt(this.#config.channelGroup, names)!;
    for (const name of group.policies.keys()) if (name !== 'Own') this.#readd(path, 'policies', name, own);
    for (const name of group.values.keys()) if (!REQUIRED.has(name)) this.#readd(path, 'values', name, own);
    if (names.length === 1) {
      for (const name of group.groups.keys()) this.#readd(path, 'groups', name, own);
      for (const mspid of this.#known)
        if (!this.#isOnChannel(mspid)) this.#addOrganization(names, mspid, own);
    }
  }

  #isOnChannel(mspid: string): boolean {
    return [...walk(this.#config.channelGroup)].some(
      ({ element }) => 'groups' in element && mspIdOf(element) === mspid,
    );
  }

  #addOrganization(names: readonly string[], mspid: string, own: string): void {
    const msp = makeValue({ modPolicy: own, value: mspValue(mspid, TAKEN) });
    const group = makeGroup({ modPolicy: own, values: new Map([['MSP', msp]]) });
    const name = `New${mspid}`;
    this.#update((root) =>
      replaced(root, names, (section) =>
        makeGroup({ ...section, groups: new Map(section.groups).set(name, group) }),
      ),
    );
    const path = ['/Channel', ...names, name].join('/');
    for (const key of [`[Group]  ${path}`, `[Value]  ${path}/MSP`]) this.#done.add(key);
  }

  /** Removes a member of a group, and adds it again as they want it. */
  #readd(path: string, kind: 'policies' | 'values' | 'groups', name: string, own: string): void {
    const names = namesBelowChannel(path);
    const old = groupAt(this.#config.channelGroup, names)![kind].get(name)!;
    const set = (element: unknown): boolean =>
      this.#update((root) =>
        replaced(root, names, (group) => {
          const members = new Map<string, unknown>(group[kind]);
          if (element === undefined) members.delete(name);
          else members.set(name, element);
          return makeGroup({ ...group, [kind]: members });
        }),
      );
    if (!set(undefined)) throw new Error(`${path}/${name} cannot be removed`);
    const element = this.#wanted(old, own);
    if (!set(element)) throw new Error(`${path}/${name} cannot be added`);
    const inside = kind === 'groups' ? [...walk(old as ConfigGroup)] : [];
    const label = { policies: '[Policy] ', values: '[Value]  ', groups: '[Group]  ' }[kind];
    this.#finish(`${label}${path}/${name}`);
    for (const each of inside) {
      const key = each.key.replace('/Channel', `${path}/${name}`);
      this.controlled.add(key);
      // MSPs of one id change together.
      if (!key.endsWith('/MSP')) this.#done.add(key);
    }
  }

  #wanted(old: unknown, own: string): unknown {
    const mine = (): ReturnType<typeof makePolicy> =>
      makePolicy({ modPolicy: own, policy: policyOf(this.#own()) });
    const element = old as Partial<ConfigGroup> & { readonly value?: Uint8Array; readonly policy?: unknown };
    if (element.groups === undefined)
      return element.policy === undefined ? makeValue({ modPolicy: own }) : mine();
    return makeGroup({
      modPolicy: own,
      policies: new Map([...element.policies!.keys()].map((name) => [name, mine()])),
      values: new Map(
        [...element.values!].map(([name, value]) => [
          name,
          makeValue({ ...value, version: 0n, modPolicy: own }),
        ]),
      ),
    });
  }

  /** A policy that they satisfy. */
  #own(): string {
    const [first] = this.#mspids;
    return first === undefined ? "OutOf(0, 'A.admin')" : `OR('${first}.admin')`;
  }

  #signers(): Signer[] {
    const taken = [...walk(this.#config.channelGroup)].flatMap(({ element }) => {
      if (!('groups' in element)) return [];
      const mspid = mspIdOf(element);
      const value = element.values.get('MSP')?.value;
      return mspid !== undefined && Buffer.compare(value!, mspValue(mspid, TAKEN)) === 0 ? [mspid] : [];
    });
    return [...new Set([...this.#mspids, ...taken])].flatMap((mspid) =>
      Array.from({ length: IDENTITIES }, (_, index) => ({
        mspid,
        id: `${index}`,
        satisfies: (principal) => principal.kind === 'role' && principal.mspid === mspid,
      })),
    );
  }

  #isAllowed(change: (root: ConfigGroup) => ConfigGroup): boolean {
    return this.#result(change) !== undefined;
  }

  #update(change: (root: ConfigGroup) => ConfigGroup): boolean {
    const result = this.#result(change);
    if (result === undefined) return false;
    this.#config = result;
    return true;
  }

  #result(change: (root: ConfigGroup) => ConfigGroup): Config | undefined {
    const current = writeConfig(this.#config);
    const wanted = writeConfig({ sequence: 0n, channelGroup: change(this.#config.channelGroup) });
    const config = readConfig(current);
    const {
      changes,
      faults,
      config: result,
    } = applyUpdate(config, readConfigUpdate(computeUpdate(current, wanted, 'c')));
    const evaluation = new Evaluation(new SignerList(this.#signers()));
    const judgements = judge(createPolicies(config.channelGroup), changes, evaluation);
    return faults.length === 0 && judgements.every(({ satisfied }) => satisfied) ? result : undefined;
  }
}

/** Changes the group that contains an element. */
const inGroup = (
  root: ConfigGroup,
  path: string,
  change: (parent: ConfigGroup, name: string) => ConfigGroup,
): ConfigGroup => {
  const names = namesBelowChannel(path);
  return replaced(root, names.slice(0, -1), (parent) => change(parent, names.at(-1)!));
};

function replaced(
  root: ConfigGroup,
  [name, ...rest]: readonly string[],
  change: (group: ConfigGroup) => ConfigGroup,
): ConfigGroup {
  if (name === undefined) return change(root);
  return makeGroup({
    ...root,
    groups: new Map(root.groups).set(name, replaced(root.groups.get(name)!, rest, change)),
  });
}

const withOwnPolicy = (parent: ConfigGroup, name: string, own: string): ConfigGroup => {
  const policy = makePolicy({
    ...parent.policies.get(name)!,
    policy: { ...policyOf(own), value: policyOf(`OR(${own}, ${own})`).value },
  });
  return makeGroup({ ...parent, policies: new Map(parent.policies).set(name, policy) });
};

const withOtherValue = (parent: ConfigGroup, name: string): ConfigGroup => {
  const old = parent.values.get(name)!;
  const value = makeValue({ ...old, value: Buffer.concat([old.value, Buffer.from('3a0178', 'hex')]) });
  return makeGroup({ ...parent, values: new Map(parent.values).set(name, value) });
};
