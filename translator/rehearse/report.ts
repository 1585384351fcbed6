// The result of a rehearsal in words, and its exit status.

import { groupBy } from '../../core/common/group-by.js';
import { addressText } from '../channel/index.js';
import { type Document, type Row, shortList, tableOf, type Tone } from '../documents/index.js';
import { type Loss, lossText, type Phase, type Probe } from './losses.js';
import { lossesOf, type Rehearsal, type UpdateOutcome } from './rehearse.js';

/**
 * The outcome of a rehearsal in one word. `refused`: orderers do not accept an update. `lost`: something stopped. `unserved`: no orderer
 * served the channel, so nothing is known about an update.
 */
export type Outcome = 'nothing lost' | 'lost' | 'refused' | 'unserved';

/** The outcome; a loss is worse than a refusal. */
export function outcomeOf(rehearsal: Rehearsal): Outcome {
  if (lossesOf(rehearsal).length > 0) return 'lost';
  const outcomes = new Set(rehearsal.updates.map(({ outcome }) => outcome));
  if (outcomes.has('unserved')) return 'unserved';
  return outcomes.has('refused') ? 'refused' : 'nothing lost';
}

/** The exit status of each outcome: those of a review. */
export const EXIT_STATUS_OF: Readonly<Record<Outcome, number>> = {
  'nothing lost': 0,
  refused: 2,
  unserved: 3,
  lost: 4,
};

/** The words for what is tried. */
const TRIED: Readonly<Record<Probe, string>> = {
  process: 'processes',
  start: 'starts',
  fetch: 'fetching blocks',
  order: 'ordering of updates',
  height: 'blocks of peers',
  approve: 'approving chaincode definitions',
  commit: 'committing them',
  transaction: 'transactions',
  submit: 'submitting config updates',
  update: 'changes of each group by all admins',
  gossip: 'peers of other organisations',
};

const NOT_TRIED = 'Idemix, private data, chaincode, CouchDB, clocks, nodes outside of the copy';

/** What a phase does not try. */
const LEFT_OUT: Readonly<Partial<Record<Phase, string>>> = {
  after: 'peers of other organisations',
  'one down': 'chaincode definitions and peers of other organisations',
};

/** Prints a rehearsal. */
export function rehearsalDocument(rehearsal: Rehearsal): Document {
  const { orderers, peers, fabric, replaced, channel, seconds, notes, updates, oneDown, restarted } =
    rehearsal;
  const { certificates, cas, addresses } = replaced;
  const nodes = `${counted(orderers, 'orderer')}, ${counted(peers, 'peer')} of Fabric ${fabric}`;
  const copies = `${counted(certificates, 'certificate')}, ${counted(cas, 'CA')} and ${counted(addresses, 'address', 'addresses')} replaced`;
  const rows = [
    ...labelled('nodes', nodeTexts(rehearsal)),
    ...labelled('note', notes),
    ...labelled('before', beforeTexts(rehearsal)),
    ...updates.flatMap((each) => updateRows(each, updates.length > 1)),
    ...(oneDown === null
      ? []
      : labelled(`${oneDown.node} stopped`, lossTexts(oneDown.losses, 'one down'), toneOf(oneDown.losses))),
    ...(restarted === null
      ? []
      : labelled('after a restart', lossTexts(restarted.losses, 'restarted'), toneOf(restarted.losses))),
    ...labelled('review', reviewTexts(rehearsal)),
    ...labelled('not tried', [NOT_TRIED]),
    ...labelled('took', [`${seconds} s`]),
  ];
  return {
    title: `rehearsed on 127.0.0.1 with new keys: channel ${channel}, ${nodes}; ${copies}`,
    blocks: [tableOf(rows)],
  };
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Rows with the label in the first one only. */
const labelled = (label: string, texts: readonly string[], tone?: Tone): Row[] =>
  texts.map((text, index) => ({
    cells: [index === 0 ? label : '', tone === undefined ? text : { text, tone }],
  }));

const toneOf = (losses: readonly Loss[]): Tone => (losses.length === 0 ? 'good' : 'bad');

const nodeTexts = ({ nodes }: Rehearsal): string[] => {
  const texts = nodes.flatMap(({ name, original, isDown }) =>
    original === undefined ? [] : [`${name} is ${addressText(original)}${isDown ? ' (down)' : ''}`],
  );
  return texts.length === 0 ? [] : [shortList(texts)];
};

function beforeTexts({ worked, failedBefore }: Rehearsal): string[] {
  const tried = new Set(worked.map(({ probe }) => probe));
  const probes = (Object.keys(TRIED) as Probe[])
    .filter((probe) => tried.has(probe))
    .map((probe) => TRIED[probe]);
  const failed = failedBefore.map((each) => lossText(each));
  return [
    `${counted(worked.length, 'thing')} tried that worked: ${probes.join(', ')}`,
    ...(failed.length === 0 ? [] : [`did not work before, and was not tried again: ${failed.join('; ')}`]),
  ];
}

const OUTCOMES: Readonly<Record<UpdateOutcome['outcome'], string>> = {
  accepted: 'accepted, and in a block',
  refused: 'refused',
  unordered: 'accepted, but in no block',
  unserved: 'no orderer serves the channel',
  skipped: 'not submitted, because an update before it was not accepted',
};

function updateRows({ name, outcome, reason, losses }: UpdateOutcome, isNamed: boolean): Row[] {
  const text = `${isNamed ? `${name}: ` : ''}${OUTCOMES[outcome]}${reason === '' ? '' : `: ${reason}`}`;
  const update = labelled('update', [text], outcome === 'accepted' ? 'good' : 'bad');
  const isTried = outcome === 'accepted' || outcome === 'unordered';
  return [...update, ...(isTried ? labelled('at once', lossTexts(losses, 'after'), toneOf(losses)) : [])];
}

/** The losses, those with one reason in one sentence. */
function lossTexts(losses: readonly Loss[], phase: Phase): string[] {
  const leftOut = LEFT_OUT[phase];
  if (losses.length === 0)
    return [`nothing lost of what worked before${leftOut === undefined ? '' : `; not tried: ${leftOut}`}`];
  const byReason = groupBy(
    losses,
    ({ reason, line }) => `${reason}${line === undefined ? '' : `; its log: ${line}`}`,
  );
  return [...byReason].map(([reason, all]) => `${all.map((each) => lossText(each)).join('; ')} (${reason})`);
}

function reviewTexts({ review, restarted }: Rehearsal): string[] {
  const { foretold, notForetold, notSeen, notTried } = review;
  if (restarted === null) return [];
  const losses = (list: readonly Loss[]): string => shortList([...new Set(list.map(lossText))], '; ');
  const parts = [
    ...(foretold.length > 0 ? [`foretold: ${losses(foretold)}`] : []),
    ...(notForetold.length > 0 ? [`not foretold: ${losses(notForetold)}`] : []),
    ...notSeen.map(({ path, text }) => `foretold and not seen: ${path}: ${text}`),
    ...notTried.map(({ path, text }) => `foretold and not tried: ${path}: ${text}`),
  ];
  return parts.length === 0 ? ['foretold no loss'] : parts;
}

/** The result for programs: with the outcome first, and the findings of the review in short. */
export function rehearsalJson(rehearsal: Rehearsal): unknown {
  const { review, ...others } = rehearsal;
  const inShort = (findings: Rehearsal['review']['notSeen']): unknown =>
    findings.map(({ id, path, text }) => ({ id, path, text }));
  return {
    outcome: outcomeOf(rehearsal),
    ...others,
    review: { ...review, notSeen: inShort(review.notSeen), notTried: inShort(review.notTried) },
  };
}
