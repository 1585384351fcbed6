// `npm run fuzz -- --target powers`: updates of policies, MSPs, ACLs and organisations. Fabric's own code judges whether recorded identities
// satisfy the policy of each service before and after, alone or together; a review must name those who lose or gain one, and nobody else.

import { attempt } from '../../../proto/errors.js';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { SERVICES } from '../../../translator/state/services.js';
import { review, type Finding } from '../../../translator/review/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { findOracle } from '../../e2e/fabric/programs.js';
import { inConsenters, type Group } from '../../helpers/changed-config.js';
import { certificateOf } from '../../helpers/channel-vectors.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { createRandom } from '../random.js';
import { parse, serialize, type Tree } from '../review/messages.js';
import { Oracle } from '../review/oracle.js';
import { changeChannel } from './change.js';
import { compareAlone, compareOwn } from './alone.js';
import { organizationOf, PEOPLE, type Difference } from './case.js';
import { sideOf, type Program, type Side } from './side.js';
import { compareQuorum, compareSets, compareTogether, SHARED } from './together.js';

const CHANNEL = 'testchannel';
const BASES = ['app3', 'app3', 'msp-v3', 'raft2', 'bft4'] as const;

/** How many updates are compared at the same time: the program judges meanwhile. */
const AT_ONCE = 4;
/** How many differences of a class are printed. */
const SHOWN = 2;

/** The identities of the four BFT consenters; those of the recorded config are not all known. */
const CONSENTERS = [
  ['OrdererMSP', 'OrdererOrg/o1'],
  ['OrdererMSP', 'OrdererOrg/o2'],
  ['Org1MSP', 'Org1/peer0'],
  ['Org2MSP', 'Org2/peer0'],
] as const;

function baseOf(name: (typeof BASES)[number]): Uint8Array {
  const config = bytesIn(readReviewCases().configs[name]!);
  if (name !== 'bft4') return config;
  const tree = parse('common.Config', config);
  const channel = tree.channel_group as Group;
  inConsenters(channel, (consenters) => {
    for (const [index, [mspid, identity]] of CONSENTERS.entries())
      Object.assign(consenters[index]!, { msp_id: mspid, identity: certificateOf(identity) });
  });
  channel.groups.Orderer!.policies.BlockValidation!.policy = quorum();
  return serialize('common.Config', tree);
}

/** What BlockValidation must be: three of the four (Fabric's `EncodeBFTBlockVerificationPolicy`). */
function quorum(): Tree {
  const rules = CONSENTERS.map((_, index) => ({ signed_by: index }));
  const envelope = {
    rule: { n_out_of: { n: 3, rules } },
    identities: CONSENTERS.map(([mspid, identity]) => ({
      principal_classification: 2,
      principal: serialize('msp.SerializedIdentity', { mspid, id_bytes: certificateOf(identity) }),
    })),
  };
  return { type: 1, value: serialize('common.SignaturePolicyEnvelope', envelope) };
}

interface Campaign {
  readonly seed: number;
  readonly first: number;
  readonly runs: number;
}

/** @returns the exit status */
export async function fuzzPowers({ seed, first, runs }: Campaign): Promise<0 | 1> {
  const now = new Date(readReviewCases().now);
  const oracle = new Oracle(findOracle('v3.0.0'));
  const program: Program = { oracle, now, known: new Map() };
  const bases = new Map(BASES.map((name) => [name, sideOf(baseOf(name), program)]));
  const counts: Record<string, number> = {};
  const classes = new Map<string, number>();
  const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
  const compareNumber = async (number: number): Promise<void> => {
    const random = createRandom(seed + number * 7919);
    const name = random.pick(BASES);
    const before = bases.get(name)!;
    const tree = parse('common.Config', before.config);
    changeChannel(random, tree.channel_group as Group);
    const { differences, outcome, ids, isDanger } = await compareUpdate(
      before,
      serialize('common.Config', tree),
      program,
    );
    count(outcome);
    const verdicts = new Set(differences.map(({ verdict }) => verdict));
    if (['loss', 'cause', 'element'].some((each) => verdicts.has(each as Difference['verdict']))) {
      count('updates that take');
      if (isDanger) count('updates that take, with a danger');
      if (verdicts.has('cause')) count('updates with a loss that a finding about its cause names');
      if (verdicts.has('element')) count('updates with a loss named by its element alone');
    }
    for (const { kind, verdict, who } of differences) {
      count(verdict);
      if (verdict !== 'differs') continue;
      const seen = (classes.get(kind) ?? 0) + 1;
      classes.set(kind, seen);
      if (seen <= SHOWN)
        console.log(
          `--target powers --seed ${seed} --first ${number} --runs 1: ${kind}: ${who} (${name}); ${ids}`,
        );
    }
  };
  for (let number = first; number < first + runs; number += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, first + runs - number) }, (_, at) => number + at);
    await Promise.all(numbers.map(compareNumber));
    const done = number + numbers.length - first;
    if (done % 1000 === 0) console.log(`${done} updates: ${JSON.stringify(counts)}, ${classes.size} classes`);
  }
  oracle.close();
  console.log(`seed ${seed}, ${runs} updates: ${JSON.stringify(counts)}`);
  for (const [kind, number] of classes) console.log(`${number} x ${kind}`);
  return classes.size === 0 ? 0 : 1;
}

interface Compared {
  readonly outcome: 'updates' | 'refused' | 'same';
  readonly differences: readonly Difference[];
  /** The findings. */
  readonly ids: string;
  readonly isDanger: boolean;
}

async function compareUpdate(before: Side, config: Uint8Array, program: Program): Promise<Compared> {
  const update = differenceOf(before.config, config);
  if (update === undefined) return { outcome: 'same', differences: [], ids: '', isDanger: false };
  const { findings } = await review(readUpdateFile(update), readConfigFile(before.config), {
    now: program.now,
    fabric: ['3.0.0'],
  });
  if (findings.some(({ severity }) => severity === 'refused'))
    return { outcome: 'refused', differences: [], ids: '', isDanger: false };
  const differences = await compare(before, sideOf(config, program), findings);
  const ids = findings.map(({ id, path }) => `${id} ${path}`).join(', ');
  return {
    outcome: 'updates',
    differences,
    ids,
    isDanger: findings.some(({ severity }) => severity === 'danger'),
  };
}

/** Compares all services of all recorded identities, and what organisations can do together. */
async function compare(before: Side, after: Side, findings: readonly Finding[]): Promise<Difference[]> {
  const given = { before, after, findings };
  const found: Difference[] = [];
  const paths = policiesOf(before);
  for (const { judge } of [before, after]) judge.prepare(paths.filter((path) => judge.has(path)));
  for (const person of PEOPLE.filter(
    ({ organization }) => organizationOf(before, organization) !== undefined,
  ))
    found.push(...(await compareAlone(given, person)), ...(await compareOwn(given, person)));
  for (const person of PEOPLE.filter(({ role }) => role === 'peer'))
    if (organizationOf(before, person.organization) !== undefined)
      found.push(...(await compareTogether(given, person)));
  return [...found, ...(await compareSets(given)), ...(await compareQuorum(given))];
}

/** The policies that are asked for, without those that only ACLs name. */
const policiesOf = ({ channel }: Side): string[] => [
  ...new Set(SERVICES.flatMap(({ policy }) => (policy.startsWith('/') ? [policy] : []))),
  ...SHARED,
  ...channel.organizations.flatMap(({ path }) => [`${path}/Admins`, `${path}/Endorsement`]),
];

/** Undefined if nothing differs. */
function differenceOf(before: Uint8Array, after: Uint8Array): Uint8Array | undefined {
  return Buffer.from(before).equals(after)
    ? undefined
    : attempt(
        () => computeUpdate(before, after, CHANNEL),
        () => undefined,
      );
}
