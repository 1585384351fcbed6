// A config before or after an update, and who satisfies its policies, as the program made of Fabric's own code says.

import { createHash } from 'node:crypto';
import { channelOf, type Channel } from '../../../translator/channel/channel.js';
import { readConfigFile } from '../../../translator/channel/file.js';
import {
  parseSignaturePolicy,
  readImplicitMeta,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { createPolicies, type Policies } from '../../../translator/policy/policies.js';
import type { Group } from '../../helpers/changed-config.js';
import { createRandom } from '../random.js';
import { signedEnvelope } from '../review/envelope.js';
import { parse, serialize, type Tree } from '../review/messages.js';
import type { Oracle } from '../review/oracle.js';

const CHANNEL = 'testchannel';
const IMPLICIT_META = 3;
/** How many verdicts are remembered. */
const REMEMBERED = 1_000_000;

/** What several judges share. */
export interface Program {
  readonly oracle: Oracle;
  readonly now: Date;
  /** Verdicts by what they depend on: the signers, their MSPs, and the policy with those below it. */
  readonly known: Map<string, boolean>;
}

/** Judges the policies of one config: each is the mod_policy of a policy that an update changes, and all are asked at once. */
export class Judge {
  readonly #program: Program;
  readonly #config: Tree;
  readonly #channel: Group;
  /** The hash of the MSP of each organisation. */
  readonly #msps: ReadonlyMap<string, string>;
  readonly #digests = new Map<string, string>();
  /** The paths that have been asked for; the config has a policy for each. */
  readonly #paths: string[] = [];

  constructor(config: Uint8Array, program: Program) {
    this.#program = program;
    this.#config = parse('common.Config', config);
    this.#channel = this.#config.channel_group as Group;
    this.#msps = new Map(mspsOf(this.#channel, ''));
  }

  /**
   * Whether signers satisfy policies together.
   *
   * @returns the verdict for each path; without those that the program cannot judge
   */
  async satisfied(
    signers: readonly string[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const { known } = this.#program;
    this.prepare(paths);
    const keys = new Map(paths.map((path) => [path, this.#keyOf(signers, path)]));
    const asked = paths.filter((path) => !known.has(keys.get(path)!));
    if (known.size > REMEMBERED) known.clear();
    const verdicts = asked.length === 0 ? new Map<string, boolean>() : await this.#ask(signers, asked);
    for (const [path, verdict] of verdicts) known.set(keys.get(path)!, verdict);
    return new Map(
      paths.flatMap((path) => {
        const verdict = verdicts.get(path) ?? known.get(keys.get(path)!);
        return verdict === undefined ? [] : [[path, verdict]];
      }),
    );
  }

  /** Names policies that will be asked for; the config of the program has a policy for each, and is the same for all of them. */
  prepare(paths: readonly string[]): void {
    this.#paths.push(...paths.filter((path) => !this.#paths.includes(path)));
  }

  /** Whether a policy exists. */
  has(path: string): boolean {
    return this.#policyAt(path) !== undefined;
  }

  /**
   * The paths of a policy and of all policies that it depends on, also of those that are missing.
   *
   * @param depth how many levels below it
   */
  dependencies(path: string, depth = Infinity): string[] {
    const found = this.#policyAt(path);
    if (depth === 0 || found?.type !== IMPLICIT_META) return [path];
    const { subPolicy } = readImplicitMeta(found.value as Uint8Array);
    const parent = path.slice(0, path.lastIndexOf('/'));
    return [
      path,
      ...Object.keys(this.#groupOf(path)?.groups ?? {}).flatMap((name) =>
        this.dependencies(`${parent}/${name}/${subPolicy}`, depth - 1),
      ),
    ];
  }

  /** Fabric judges a signature by the MSP that its identity names, and a policy by its content. */
  #keyOf(signers: readonly string[], path: string): string {
    const msps = new Set(signers.map((name) => this.#msps.get(name.slice(0, name.indexOf('/'))) ?? ''));
    return hashOf(JSON.stringify([signers, [...msps], this.#digestOf(path)]));
  }

  /** The content of a policy with those below it. */
  #digestOf(path: string): string {
    let digest = this.#digests.get(path);
    if (digest === undefined) {
      const policy = this.#policyAt(path);
      const [, ...below] = this.dependencies(path, 1);
      const content = Buffer.from((policy?.value ?? []) as Uint8Array).toString('base64');
      digest = hashOf(JSON.stringify([policy?.type, content, below.map((each) => this.#digestOf(each))]));
      this.#digests.set(path, digest);
    }
    return digest;
  }

  /** The group that a policy is in. */
  #groupOf(path: string): Group | undefined {
    let group: Group | undefined = this.#channel;
    for (const name of path.split('/').slice(2, -1)) group = group?.groups?.[name];
    return group;
  }

  #policyAt(path: string): Tree | undefined {
    return this.#groupOf(path)?.policies?.[path.slice(path.lastIndexOf('/') + 1)]?.policy;
  }

  /** Asks for all paths; for each refusal, which names a policy that is not satisfied, again for the others. */
  async #ask(signers: readonly string[], paths: readonly string[]): Promise<Map<string, boolean>> {
    const verdicts = new Map<string, boolean>();
    const left = new Set(paths);
    while (left.size > 0) {
      const refused = await this.#refused(signers, left);
      if (refused === undefined) break;
      for (const path of refused === 'none' ? left : [refused]) {
        verdicts.set(path, refused === 'none');
        left.delete(path);
      }
    }
    return verdicts;
  }

  /** One of the paths, whose policy is not satisfied; `none`; undefined if the program cannot judge. */
  async #refused(signers: readonly string[], paths: ReadonlySet<string>): Promise<string | undefined> {
    const { oracle, now } = this.#program;
    const policies = { ...this.#channel.policies, ...this.#probes(this.#paths, 0, 'Org1MSP') };
    const config = { ...this.#config, channel_group: { ...this.#channel, policies } };
    const update = serialize('common.ConfigUpdate', {
      channel_id: CHANNEL,
      read_set: {},
      write_set: { version: this.#channel.version, policies: this.#probes(paths, 1, 'Org2MSP') },
    });
    const submitter = signers[0]!;
    const envelope = signedEnvelope(createRandom(1), { channel: CHANNEL, update, now, signers, submitter });
    const decision = await oracle.propose({
      config: serialize('common.Config', config).toString('base64'),
      envelope: envelope.toString('base64'),
      channel: CHANNEL,
      now: now.toISOString(),
    });
    if (decision === undefined) return undefined;
    if (decision.accepted) return 'none';
    const text = decision.error ?? decision.panic ?? '';
    if (!/not satisfied|missing policy/.test(text)) return undefined;
    const index = /\/Channel\/Probe(\d+)\b/.exec(text)?.[1];
    return index === undefined ? undefined : this.#paths[Number(index)];
  }

  #probes(paths: Iterable<string>, version: number, mspid: string): Tree {
    const policy = { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(`OR('${mspid}.member')`)) };
    return Object.fromEntries(
      [...paths].map((path) => [`Probe${this.#paths.indexOf(path)}`, { version, mod_policy: path, policy }]),
    );
  }
}

function* mspsOf(group: Group, name: string): Generator<readonly [string, string]> {
  const msp = group.values?.MSP;
  if (msp !== undefined) yield [name, hashOf(Buffer.from(msp.value).toString('base64'))];
  for (const [key, child] of Object.entries(group.groups ?? {})) yield* mspsOf(child, key);
}

/** A config before or after an update. */
export interface Side {
  readonly config: Uint8Array;
  readonly channel: Channel;
  readonly policies: Policies;
  readonly judge: Judge;
}

export function sideOf(config: Uint8Array, program: Program): Side {
  const read = readConfigFile(config).config;
  return {
    config,
    channel: channelOf(read),
    policies: createPolicies(read.channelGroup),
    judge: new Judge(config, program),
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64').slice(0, 20);
