// `npm run fuzz -- --target powers`: updates of policies, MSPs, ACLs and organisations. Fabric's own code judges whether recorded identities
// satisfy the policy of each service before and after; a review must name those who do not any more, and nobody else.

import { attempt } from '../../proto/attempt.js';
import { channelOf, type Channel } from '../../translator/channel/channel.js';
import { readConfigFile, readUpdateFile } from '../../translator/channel/file.js';
import type { NodeRole } from '../../translator/msp/config.js';
import {
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../translator/policy/index.js';
import { createPolicies, type Policies } from '../../translator/policy/policies.js';
import { ownPolicy, servicePolicies, servicesOf, type Service } from '../../translator/powers/services.js';
import { review, type Finding } from '../../translator/review/index.js';
import { computeUpdate } from '../../translator/update/index.js';
import { findOracle } from '../e2e/fabric/programs.js';
import { inMsp, type Group } from '../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../helpers/review-cases.js';
import { createRandom, type Random } from './random.js';
import { signedEnvelope } from './review/envelope.js';
import { parse, serialize, type Tree } from './review/messages.js';
import { Oracle } from './review/oracle.js';

const CHANNEL = 'testchannel';
const BASES = ['app3', 'app3', 'msp-v3', 'raft2'] as const;
const NAMES = ['Readers', 'Writers', 'Admins', 'Endorsement', 'LifecycleEndorsement', 'BlockValidation'];
const MSPS = ['Org1MSP', 'Org2MSP', 'Org3MSP', 'OrdererMSP'];
const ROLES = ['member', 'admin', 'client', 'peer', 'orderer'];
const UNITS = ['peer', 'client', 'orderer', 'admin'].map((role) => `${role}_ou_identifier`);
const RESOURCES = ['peer/Propose', 'event/Block', 'qscc/GetChainInfo'];
const ACL_POLICIES = ['/Channel/Orderer/Writers', 'Admins', '/Channel/Application/Readers', 'Missing'];

/** The recorded identities that are usual ones of their organisation and role. */
const PEOPLE: readonly (readonly [identity: string, organization: string, role: NodeRole])[] = [
  ...['Org1', 'Org2', 'Org3'].flatMap((name) => [
    [`${name}/peer0`, name, 'peer'] as const,
    [`${name}/user1`, name, 'client'] as const,
    [`${name}/admin`, name, 'admin'] as const,
  ]),
  ['OrdererOrg/o1', 'OrdererOrg', 'orderer'],
  ['OrdererOrg/admin', 'OrdererOrg', 'admin'],
];

/** Findings that stand for the loss of services. */
const CAUSES: ReadonlySet<string> = new Set([
  'acl-policy-missing',
  'msp-ca-removed',
  'msp-node-ou-changed',
  'msp-node-ous-enabled',
  'msp-unit-required',
  'policy-foreign-msp',
  'policy-removed',
  'policy-unsatisfiable',
]);

function policyOf(random: Random): Tree {
  if (random.below(2) === 0)
    return { type: 3, value: writeImplicitMeta({ rule: random.below(3), subPolicy: random.pick(NAMES) }) };
  const one = (): string => `'${random.pick(MSPS)}.${random.pick(ROLES)}'`;
  const text = random.pick([
    () => `OR(${one()})`,
    () => `OR(${one()}, ${one()})`,
    () => `AND(${one()}, ${one()})`,
    () => `OutOf(2, ${one()}, ${one()}, ${one()})`,
  ])();
  return { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(text)) };
}

const groupsIn = (group: Group): Group[] => [group, ...Object.values(group.groups ?? {}).flatMap(groupsIn)];

function change(random: Random, channel: Group): void {
  const how = random.below(10);
  if (how < 6) {
    const { policies } = random.pick(
      groupsIn(channel).filter((group) => Object.keys(group.policies ?? {}).length > 0),
    );
    const name = random.pick(Object.keys(policies));
    if (random.below(8) === 0) delete policies[name];
    else policies[name]!.policy = policyOf(random);
  } else if (how < 8)
    inMsp(random.pick(groupsIn(channel).filter(({ values }) => values?.MSP !== undefined)), (msp) =>
      changeMsp(random, msp),
    );
  else if (how < 9)
    channel.groups.Application!.values.ACLs = {
      mod_policy: 'Admins',
      value: serialize('protos.ACLs', {
        acls: { [random.pick(RESOURCES)]: { policy_ref: random.pick(ACL_POLICIES) } },
      }),
    };
  else {
    const { groups } = channel.groups.Application!;
    if (Object.keys(groups).length > 1) delete groups[random.pick(Object.keys(groups))];
  }
}

function changeMsp(random: Random, msp: Tree): void {
  const units = msp.fabric_node_ous as (Tree & { enable: boolean }) | undefined;
  const how = random.below(5);
  if (how === 0 || units === undefined)
    msp.organizational_unit_identifiers = [
      {
        certificate: (msp.root_certs as Uint8Array[])[0],
        organizational_unit_identifier: random.pick(['peer', 'admin', 'zz']),
      },
    ];
  else if (how === 1) units.enable = !units.enable;
  else if (how === 2) delete units[random.pick(UNITS)];
  else {
    const unit = units[random.pick(UNITS)] as Tree | null | undefined;
    if (unit == null) return;
    if (how === 3) unit.organizational_unit_identifier = random.pick(['x', 'admin', 'peer']);
    else unit.certificate = new Uint8Array();
  }
}

/** Asks the program whether an identity satisfies policies of one config: each is the mod_policy of an element that it changes. */
class Judge {
  readonly #known = new Map<string, Promise<boolean | undefined>>();

  readonly config: Uint8Array;
  readonly #now: Date;
  readonly #oracle: Oracle;

  constructor(config: Uint8Array, now: Date, oracle: Oracle) {
    this.config = config;
    this.#now = now;
    this.#oracle = oracle;
  }

  /** Undefined if the program cannot judge. */
  satisfied(path: string, name: string): Promise<boolean | undefined> {
    const key = `${path} ${name}`;
    const found = this.#known.get(key) ?? this.#ask(path, name);
    this.#known.set(key, found);
    return found;
  }

  async #ask(path: string, name: string): Promise<boolean | undefined> {
    const tree = parse('common.Config', this.config);
    const root = tree.channel_group as Group;
    const probe = (version: number, mspid: string): Tree => ({
      Probe: {
        version,
        mod_policy: path,
        policy: { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(`OR('${mspid}.member')`)) },
      },
    });
    Object.assign(root.policies, probe(0, 'Org1MSP'));
    const update = serialize('common.ConfigUpdate', {
      channel_id: CHANNEL,
      read_set: {},
      write_set: { version: root.version, policies: probe(1, 'Org2MSP') },
    });
    const random = createRandom(1);
    const envelope = signedEnvelope(random, {
      channel: CHANNEL,
      update,
      now: this.#now,
      signers: [name],
      submitter: name,
    });
    const decision = await this.#oracle.propose({
      config: serialize('common.Config', tree).toString('base64'),
      envelope: envelope.toString('base64'),
      channel: CHANNEL,
      now: this.#now.toISOString(),
    });
    if (decision === undefined) return undefined;
    if (decision.accepted) return true;
    return /not satisfied|missing policy/.test(decision.error ?? decision.panic ?? '') ? false : undefined;
  }
}

interface Side {
  readonly channel: Channel;
  readonly policies: Policies;
  readonly judge: Judge;
}

function sideOf(config: Uint8Array, judge: Judge): Side {
  const read = readConfigFile(config).config;
  return { channel: channelOf(read), policies: createPolicies(read.channelGroup), judge };
}

/** Whether an identity has a service, as Fabric's code judges the policy. */
async function has(
  { channel, policies, judge }: Side,
  service: Service,
  [name, organization]: (typeof PEOPLE)[number],
): Promise<boolean | undefined> {
  const own = channel.organizations.find((each) => each.name === organization);
  if (own === undefined && !service.policy.startsWith('/')) return false;
  const found = servicePolicies(channel, policies).get(service) ?? ownPolicy(service, own!, policies);
  return found.policy === undefined ? false : judge.satisfied(found.path, name);
}

/** Whether a finding names the loss of a service. */
function names({ id, data }: Finding, service: Service, organization: string, role: NodeRole): boolean {
  if (id !== 'service-lost') return false;
  const { services } = data as unknown as {
    services: readonly {
      service: Service;
      resources: string[];
      actors: readonly { role: string; organizations: string[]; issuers: string[] }[];
    }[];
  };
  return services.some(
    (each) =>
      each.service === (service.name as unknown) &&
      (service.resource === undefined || each.resources.includes(service.resource)) &&
      each.actors.some((actors) => actors.role === role && actors.organizations.includes(organization)),
  );
}

/** @returns the exit status */
export async function fuzzPowers({
  seed,
  first,
  runs,
}: {
  seed: number;
  first: number;
  runs: number;
}): Promise<0 | 1> {
  const { configs, now: text } = readReviewCases();
  const now = new Date(text);
  const oracle = new Oracle(findOracle('v3.0.0'));
  const judges = new Map(BASES.map((name) => [name, new Judge(bytesIn(configs[name]!), now, oracle)]));
  const counts = { refused: 0, same: 0, compared: 0, unjudged: 0, lost: 0, named: 0 };
  const classes = new Map<string, number>();
  for (let number = first; number < first + runs; number++) {
    const random = createRandom(seed + number * 7919);
    const name = random.pick(BASES);
    const judge = judges.get(name)!;
    const tree = parse('common.Config', judge.config);
    for (let count = 1 + random.below(2); count > 0; count--) change(random, tree.channel_group as Group);
    const after = serialize('common.Config', tree);
    const update = differenceOf(judge.config, after);
    if (update === undefined) {
      counts.same++;
      continue;
    }
    const { findings } = await review(readUpdateFile(update), readConfigFile(judge.config), {
      now,
      fabric: ['3.0.0'],
    });
    if (findings.some(({ severity }) => severity === 'refused')) {
      counts.refused++;
      continue;
    }
    const sides = [sideOf(judge.config, judge), sideOf(after, new Judge(after, now, oracle))] as const;
    const isCaused = findings.some(({ id }) => CAUSES.has(id));
    for (const person of PEOPLE) {
      const [, organization, role] = person;
      const own = sides[0].channel.organizations.find((each) => each.name === organization);
      for (const service of own === undefined ? [] : servicesOf(own.section, role)) {
        if (service.signatures !== 'one' || service.name === 'make-blocks') continue;
        const had = await has(sides[0], service, person);
        if (had !== true) continue;
        const still = await has(sides[1], service, person);
        if (still === undefined) {
          counts.unjudged++;
          continue;
        }
        counts.compared++;
        if (!still) counts.lost++;
        const isNamed = findings.some((finding) => names(finding, service, organization, role));
        if (isNamed && !still) counts.named++;
        if (still ? !isNamed : isNamed || isCaused) continue;
        const kind = `${still ? 'named without a loss' : 'lost, not named'}: ${service.name} of a ${role}`;
        const count = (classes.get(kind) ?? 0) + 1;
        classes.set(kind, count);
        if (count === 1)
          console.log(
            `--target powers --seed ${seed} --first ${number} --runs 1: ${kind} of ${organization} (${name}); ${findings.map(({ id, path }) => `${id} ${path}`).join(', ')}`,
          );
      }
    }
  }
  oracle.close();
  console.log(`seed ${seed}, ${runs} updates: ${JSON.stringify(counts)}`);
  for (const [kind, count] of classes) console.log(`${count} x ${kind}`);
  return classes.size === 0 ? 0 : 1;
}

/** Undefined if nothing differs. */
function differenceOf(before: Uint8Array, after: Uint8Array): Uint8Array | undefined {
  return Buffer.from(before).equals(after)
    ? undefined
    : attempt(
        () => computeUpdate(before, after, CHANNEL),
        () => undefined,
      );
}
