// Two updates, one after the other, on a small channel: what real orderers would let each set of admins do afterwards. No two reviews may
// call them harmless if somebody can do what they could not before. Fabric's own code judges (test/fuzz/review/oracle.ts).

import test from 'ava';
import { applyUpdate } from '../../translator/channel/apply.js';
import { readConfigFile, readUpdateFile } from '../../translator/channel/file.js';
import { readConfig, readConfigUpdate } from '../../translator/channel/read.js';
import { writeConfig } from '../../translator/channel/write.js';
import { MspCache } from '../../translator/msp/index.js';
import { review } from '../../translator/review/index.js';
import { attempt } from '../../proto/errors.js';
import { computeUpdate } from '../../translator/update/index.js';
import { createRandom } from '../fuzz/random.js';
import { signedEnvelope } from '../fuzz/review/envelope.js';
import { parse, serialize } from '../fuzz/review/messages.js';
import { Oracle } from '../fuzz/review/oracle.js';
import { application, orderer, type Group } from '../helpers/changed-config.js';
import { CATALOGUE, prepareForCatalogue } from '../helpers/edit-catalogue.js';
import { bytesIn, readReviewCases } from '../helpers/review-cases.js';
import { findOracle } from './fabric/programs.js';

const { configs, now: time } = readReviewCases();
const now = new Date(time);
const CHANNEL = 'testchannel';
const ADMINS = ['Org1/admin', 'Org2/admin', 'OrdererOrg/admin'];
const SUBMITTER = 'Org1/user1';
/** At most so many pairs are tried. */
const PAIRS = 400;

type Change = (channel: Group) => void;

/** All sets of admins, smaller ones first. */
const SETS = ADMINS.reduce<string[][]>(
  (sets, admin) => [...sets, ...sets.map((set) => [...set, admin])],
  [[]],
).toSorted((one, other) => one.length - other.length);

const mark: Change = (group) => {
  group.policies.Mark = { policy: { type: 0, value: new Uint8Array() }, mod_policy: 'Admins' };
  group.policies.Mark.policy = Object.values(group.policies)[0]!.policy;
};
const orgIn = (channel: Group, name: string): Group | undefined => application(channel).groups[name];

/** What somebody may want to change: each is an update that changes one element only. */
const WANTED: Readonly<Record<string, (channel: Group) => Group | undefined>> = {
  '/Channel': (channel) => channel,
  '/Channel/Application': application,
  '/Channel/Orderer': orderer,
  '/Channel/Application/Org1': (channel) => orgIn(channel, 'Org1'),
  '/Channel/Application/Org2': (channel) => orgIn(channel, 'Org2'),
};

/** The update that makes a change; undefined if the config stays as it is. */
function updateFor(config: Uint8Array, change: Change): Buffer | undefined {
  const tree = parse('common.Config', config);
  change(tree.channel_group as Group);
  const wanted = serialize('common.Config', tree);
  return attempt(
    () => Buffer.from(computeUpdate(config, wanted, CHANNEL)),
    () => undefined,
  );
}

/** The channel after an update: with the versions that orderers give it. */
const after = (config: Uint8Array, update: Uint8Array): Uint8Array =>
  writeConfig(applyUpdate(readConfig(config), readConfigUpdate(update)).config);

const random = createRandom(1);

/** Whether orderers accept an update with the signatures of some admins. */
async function isAccepted(
  oracle: Oracle,
  config: Uint8Array,
  update: Buffer,
  signers: readonly string[],
): Promise<boolean> {
  const envelope = signedEnvelope(random, { channel: CHANNEL, update, now, signers, submitter: SUBMITTER });
  const verdict = await oracle.judge({
    config: Buffer.from(config).toString('base64'),
    envelope: envelope.toString('base64'),
    channel: CHANNEL,
    now: now.toISOString(),
  });
  return verdict?.accepted === true;
}

/** What each set of admins can change at once: `Org1/admin changes /Channel/Application`. */
async function powersIn(oracle: Oracle, config: Uint8Array): Promise<ReadonlySet<string>> {
  const powers = new Set<string>();
  for (const [path, groupIn] of Object.entries(WANTED)) {
    const update = updateFor(config, (channel) => {
      const group = groupIn(channel);
      if (group !== undefined) mark(group);
    });
    if (update === undefined) continue;
    for (const set of SETS) {
      const isKnown = SETS.some(
        (less) =>
          less.length < set.length &&
          less.every((each) => set.includes(each)) &&
          powers.has(text(less, path)),
      );
      if (isKnown || (await isAccepted(oracle, config, update, set))) powers.add(text(set, path));
    }
  }
  return powers;
}

const text = (set: readonly string[], path: string): string =>
  `${set.length === 0 ? 'anybody' : set.join(' and ')} changes ${path}`;

const msps = new MspCache();

/** Whether a review finds nothing about an update, besides missing signatures. */
async function isHarmless(config: Uint8Array, update: Uint8Array): Promise<boolean> {
  const { findings } = await review(readUpdateFile(update), readConfigFile(config), { now, msps });
  return findings.every(({ severity }) => severity === 'unsigned');
}

/** Edits that are harmless for themselves, and lead to others. */
const STEPS: readonly (readonly [id: string, change: Change])[] = CATALOGUE.map(({ id, change }) => [
  id,
  change,
]);

test('two updates that give somebody power are not both harmless, whoever signs', async (t) => {
  t.timeout(900_000);
  const oracle = new Oracle(findOracle('v3.1.5'));
  t.teardown(() => oracle.close());
  const recorded = bytesIn(configs.app2!);
  const base = after(recorded, updateFor(recorded, prepareForCatalogue)!);
  const before = await powersIn(oracle, base);
  t.true(before.has('Org1/admin changes /Channel/Application/Org1'));
  const faults: string[] = [];
  let [tried, accepted] = [0, 0];
  for (const [first, change] of STEPS) {
    const update = updateFor(base, change);
    if (
      update === undefined ||
      !(await isHarmless(base, update)) ||
      !(await isAccepted(oracle, base, update, ADMINS))
    )
      continue;
    const middle = after(base, update);
    for (const [second, next] of [['nothing', () => {}] as const, ...STEPS]) {
      if (tried >= PAIRS) break;
      const last = updateFor(middle, next);
      if (last === undefined && second !== 'nothing') continue;
      if (last !== undefined && !(await isHarmless(middle, last))) continue;
      tried += 1;
      const signers = last && (await signersOf(oracle, middle, last));
      if (last !== undefined && signers === undefined) continue;
      accepted += 1;
      const powers = await powersIn(oracle, last === undefined ? middle : after(middle, last));
      for (const power of powers)
        if (!before.has(power))
          faults.push(`${first}, then ${second} (${signers?.join(' and ') ?? ''}): ${power}`);
    }
  }
  t.deepEqual(faults, []);
  t.true(accepted > 50, `${accepted} of ${tried}`);
});

/** The smallest set of admins whose signatures are enough; undefined if there is none. */
async function signersOf(
  oracle: Oracle,
  config: Uint8Array,
  update: Buffer,
): Promise<readonly string[] | undefined> {
  for (const set of SETS) if (await isAccepted(oracle, config, update, set)) return set;
  return undefined;
}
