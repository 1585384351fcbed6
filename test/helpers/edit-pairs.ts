// Properties of the reviews of two edits of a channel, at once and one after the other.

import { readFileSync } from 'node:fs';
import { readConfig } from '../../translator/channel/read.js';
import { readConfigFile, readUpdateFile } from '../../translator/channel/file.js';
import { writeConfig } from '../../translator/channel/write.js';
import { MspCache } from '../../translator/msp/index.js';
import {
  countingFindings,
  review,
  summaryOf,
  verdictOf,
  VERDICTS,
  type Finding,
  type Review,
} from '../../translator/review/index.js';
import { controlOf } from '../../translator/control/index.js';
import { channelOf, lastName } from '../../translator/channel/index.js';
import { ChannelState } from '../../translator/state/index.js';
import { computeUpdate } from '../../translator/update/index.js';
import { attempt } from '../../proto/errors.js';
import { parse, serialize } from '../fuzz/review/messages.js';
import type { Group } from './changed-config.js';
import { prepareForCatalogue, type CatalogueEdit } from './edit-catalogue.js';
import { bytesIn, readReviewCases } from './review-cases.js';

const { configs } = readReviewCases();
const now = new Date('2026-11-26T00:00:00Z');
const msps = new MspCache();

/** A recorded channel with what the edits name. */
export class EditedChannel {
  readonly #base: Uint8Array;
  readonly #reviews = new Map<string, Promise<Review>>();

  /** @param config `common.Config` */
  constructor(config: Uint8Array) {
    this.#base = changed(config, prepareForCatalogue);
  }

  /** The review of edits at once, after other ones. Each is made once. */
  async review(edits: readonly CatalogueEdit[], before: readonly CatalogueEdit[] = []): Promise<Review> {
    const key = [before, edits].map((each) => each.map(({ id }) => id).join(' + ')).join(' then ');
    const known = this.#reviews.get(key);
    if (known !== undefined) return known;
    const made = this.#make(edits, before);
    this.#reviews.set(key, made);
    return made;
  }

  async #make(edits: readonly CatalogueEdit[], before: readonly CatalogueEdit[]): Promise<Review> {
    const original = this.configAfter(before);
    const update = computeUpdate(original, this.configAfter([...before, ...edits]), 'testchannel');
    return review(readUpdateFile(update), readConfigFile(original), { now, msps });
  }

  /** Whether edits change anything after other ones. */
  changes(edits: readonly CatalogueEdit[], before: readonly CatalogueEdit[]): boolean {
    const [original, updated] = [this.configAfter(before), this.configAfter([...before, ...edits])];
    return attempt(
      () => computeUpdate(original, updated, 'testchannel').length > 0,
      () => false,
    );
  }

  /** The config after edits. */
  configAfter(edits: readonly CatalogueEdit[]): Uint8Array {
    return edits.reduce((config, { change }) => changed(config, change), this.#base);
  }
}

function changed(config: Uint8Array, change: (channel: Group) => void): Uint8Array {
  const tree = parse('common.Config', config);
  change(tree.channel_group as Group);
  return serialize('common.Config', tree);
}

const block = (name: string): Uint8Array =>
  writeConfig(readConfigFile(readFileSync(`test/vectors/powers/${name}.block`)).config);

/** Raft, BFT, and two orderer organisations. */
export const EDITED_CHANNELS: ReadonlyMap<string, EditedChannel> = new Map([
  ['raft', new EditedChannel(block('raft'))],
  ['bft', new EditedChannel(block('bft'))],
  ['two orderer organisations', new EditedChannel(writeConfig(readConfig(bytesIn(configs.app3!))))],
]);

const isGrave = ({ severity }: Finding): boolean => severity === 'danger' || severity === 'refused';
const keyOf = ({ id, path }: Finding): string => `${id} ${path}`;

/** Whether an edit changes what a finding is about: its element, or a group with it that is new or removed. */
function touches({ elements }: Review, { path }: Finding): boolean {
  return elements.some(
    ({ element, change }) => element === path || (change !== 'modified' && path.startsWith(`${element}/`)),
  );
}

/** Whether two edits change the same element, or one changes what the other one removes. */
const overlap = (one: Review, other: Review): boolean =>
  one.elements.some(({ element, kind, change }) =>
    other.elements.some(
      (each) =>
        (each.element === element && (kind !== 'group' || change !== 'modified' || each.data.length > 0)) ||
        (each.change === 'removed' && element.startsWith(`${each.element}/`)),
    ),
  );

/**
 * The dangers of an edit that are not found if a second one, of other elements, is made with it. `policy-weakened` is compared by who
 * gains: see `gainsNotTold`.
 */
async function hiddenDangers(
  channel: EditedChannel,
  edit: CatalogueEdit,
  other: CatalogueEdit,
): Promise<string[]> {
  const [alone, second, both] = await Promise.all([
    channel.review([edit]),
    channel.review([other]),
    channel.review(inOrder(edit, other)),
  ]);
  if (overlap(alone, second) || both.findings.some(({ severity }) => severity === 'refused')) return [];
  const found = new Set(both.findings.filter(isGrave).map(keyOf));
  // Nodes of an organisation that the second edit removes gain nothing.
  const gone = second.elements.filter(({ kind, change }) => kind === 'group' && change === 'removed');
  const isOfGone = ({ id, text }: Finding): boolean =>
    id === 'service-gained' && gone.some(({ element }) => text.includes(` of ${lastName(element)} can `));
  return alone.findings
    .filter((each) => isGrave(each) && each.id !== 'policy-weakened' && !isOfGone(each))
    .filter((each) => !found.has(keyOf(each)) && !touches(second, each))
    .map((each) => `${keyOf(each)}: ${each.text}`);
}

const PARTS = ['/Channel', '/Channel/Application', '/Channel/Orderer'];

/** The parts of a channel that anybody, or one organisation alone, controls in the end: `Org1MSP /Channel/Application`. */
async function soleControl(config: Uint8Array): Promise<ReadonlySet<string>> {
  const { sets } = await controlOf(new ChannelState(readConfig(config), { now, cache: msps }));
  return new Set(
    PARTS.flatMap((path) =>
      (sets.get(`[Group]  ${path}`) ?? []).flatMap((set) =>
        set.length === 0
          ? [`anybody ${path}`]
          : set.length === 1 && set[0]!.count === 1
            ? set[0]!.of.map((mspid) => `${mspid} ${path}`)
            : [],
      ),
    ),
  );
}

/** Who gains the sole control of a part of the channel, without a finding that names these people and the headline of a harmless update. */
export async function gainsNotTold(
  channel: EditedChannel,
  edits: readonly CatalogueEdit[],
): Promise<string[]> {
  const after = channel.configAfter(edits);
  const [was, is] = [await soleControl(channel.configAfter([])), await soleControl(after)];
  const result = await channel.review(edits);
  if (result.findings.some(({ severity }) => severity === 'refused')) return [];
  const { organizations } = channelOf(readConfig(after));
  const people = result.findings.flatMap((each): readonly string[] => {
    if (each.id === 'mod-policy-open' || each.id === 'policy-always-satisfied') return ['anybody'];
    if (each.id === 'policy-weakened') return each.data.mspids;
    if (each.id === 'msp-ca-foreign') return each.data.owners;
    if (each.id !== 'sole-control-gained') return [];
    return organizations.flatMap(({ name, mspId = '' }) =>
      each.data.organizations.includes(name) ? [mspId] : [],
    );
  });
  const told = new Set(people);
  const gained = [...is].filter((each) => !was.has(each));
  return [
    ...gained.filter((each) => !told.has(each.split(' ')[0]!)),
    ...(gained.length > 0 && summaryOf(result).startsWith('harmless') ? [summaryOf(result)] : []),
  ];
}

/** Findings that name a cause that is not there. */
const causesThatAreMissing = ({ findings }: Review): string[] => {
  const ids = new Set<string>(findings.map(({ id }) => id));
  return findings.flatMap(({ id, explainedBy }) =>
    explainedBy === undefined || ids.has(explainedBy) ? [] : [`${id} by ${explainedBy}`],
  );
};

/** What changes besides a danger that is allowed. */
function changedByAllowing(result: Review): string[] {
  const dangers = new Set(
    result.findings.filter(({ severity }) => severity === 'danger').map(({ id }) => id),
  );
  const counting = countingFindings(result);
  return [...dangers].flatMap((id) => {
    const allowed = new Set<string>([id]);
    const left = countingFindings(result, allowed);
    const hidden = counting.filter((each) => !left.includes(each));
    const graver = left.some((each) => each.severity === 'danger' && each.id !== id);
    const verdict = verdictOf(result, allowed);
    return [
      ...hidden.map((each) => `--allow ${id} hides ${keyOf(each)}`),
      ...(graver && verdict !== 'dangerous' && verdict !== 'refused' ? [`--allow ${id}: ${verdict}`] : []),
    ];
  });
}

/** Edits of different elements give one config in either order: it is reviewed once. */
const inOrder = (...edits: readonly CatalogueEdit[]): readonly CatalogueEdit[] =>
  edits.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Whether two updates are judged milder, each by itself, than both in one: the verdicts. */
async function milderInSteps(
  channel: EditedChannel,
  edit: CatalogueEdit,
  other: CatalogueEdit,
): Promise<string[]> {
  if (!channel.changes([other], [edit])) return [];
  const [first, second, both] = await Promise.all([
    channel.review([edit]),
    channel.review([other], [edit]),
    channel.review(inOrder(edit, other)),
  ]);
  if (overlap(first, await channel.review([other]))) return [];
  // An update that orderers refuse does no harm.
  if (verdictOf(both) === 'refused') return [];
  const rank = (result: Review): number => VERDICTS.indexOf(verdictOf(withoutSignatures(result)));
  const steps = Math.min(rank(first), rank(second));
  if (steps <= rank(both)) return [];
  return [`${VERDICTS[steps]!} in steps, ${VERDICTS[rank(both)]!} at once: ${summaryOf(both)}`];
}

const withoutSignatures = ({ findings }: Review): Pick<Review, 'findings'> => ({
  findings: findings.filter(({ severity }) => severity !== 'unsigned'),
});

/** What is found about a routine edit only because of an earlier one of other elements. */
async function foundAgain(
  channel: EditedChannel,
  earlier: CatalogueEdit,
  edit: CatalogueEdit,
): Promise<string[]> {
  if (!channel.changes([edit], [earlier])) return [];
  const [alone, after] = await Promise.all([channel.review([edit]), channel.review([edit], [earlier])]);
  if (overlap(await channel.review([earlier]), alone)) return [];
  const known = new Set(alone.findings.map(keyOf));
  return after.findings
    .filter(({ severity }) => severity === 'danger' || severity === 'warning')
    .filter((each) => !known.has(keyOf(each)) && !touches(alone, each))
    .map((each) => `${each.severity} ${keyOf(each)}: ${each.text}`);
}

/** Everything that is wrong in the reviews of two edits, at once and one after the other. */
export async function faultsOfPair(
  channel: EditedChannel,
  edit: CatalogueEdit,
  other: CatalogueEdit,
): Promise<string[]> {
  if (edit === other) return [];
  const both = await channel.review(inOrder(edit, other));
  const faults: readonly (readonly [what: string, found: readonly string[]])[] = [
    ['hidden', await hiddenDangers(channel, edit, other)],
    ['nobody is told', await gainsNotTold(channel, inOrder(edit, other))],
    ['found again', other.isRoutine ? await foundAgain(channel, edit, other) : []],
    ['without a cause', causesThatAreMissing(both)],
    ['allowed', changedByAllowing(both)],
    ['milder', await milderInSteps(channel, edit, other)],
  ];
  return faults.flatMap(([what, found]) =>
    found.map((each) => `${edit.id} and ${other.id}: ${what}: ${each}`),
  );
}
