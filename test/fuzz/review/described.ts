// Whether a review describes everything that changes: two different changes of one element must not have the same words.

import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { review } from '../../../translator/review/review.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { TranslateError } from '../../../proto/errors.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { createRandom } from '../random.js';
import { parse, serialize, type Tree } from './messages.js';
import { mutate } from './mutate.js';
import { Pool } from './pool.js';

const CHANNEL = 'testchannel';

/** Says that a change is not shown. */
const NOT_SHOWN = 'not shown';

/** A value or policy of a config, as plain data. */
interface Element {
  readonly type: 'common.ConfigValue' | 'common.ConfigPolicy';
  readonly name: string;
  readonly message: Tree;
}

/** What {@link describeMutations} found. */
export interface Described {
  /** How many mutations a review described. */
  readonly described: number;
  /** How many it reports as changes that are not shown. */
  readonly notShown: number;
  /** Mutations without words of their own. */
  readonly problems: readonly string[];
}

/** Mutates one element of a recorded config twice, and compares what reviews of both results say. */
export async function describeMutations(seed: number, first: number, runs: number): Promise<Described> {
  const { now, configs } = readReviewCases();
  const originals = Object.entries(configs).map(([name, text]) => [name, bytesIn(text)] as const);
  const pool = new Pool();
  for (const [, bytes] of originals) pool.add('common.Config', parse('common.Config', bytes));
  let [described, notShown] = [0, 0];
  const problems: string[] = [];
  for (let number = first; number < first + runs; number += 1) {
    const random = createRandom(seed + number * 7919);
    const [name, original] = random.pick(originals);
    const tree = parse('common.Config', original);
    const element = random.pick(elementsOf(tree.channel_group as Tree));
    const words = [await wordsOf(original, original)];
    const paths: string[] = [];
    const contents = new Set([contentOf(element)]);
    for (let count = 0; count < 2; count += 1) {
      paths.push(mutate(random, pool, element.type, element.message, element.name));
      const isNew = contents.size < contents.add(contentOf(element)).size;
      const said = await wordsOf(original, serialize('common.Config', tree));
      if (!isNew || said === undefined) continue;
      if (said === NOT_SHOWN) notShown += 1;
      else {
        described += 1;
        if (words.includes(said) && !SHARED.test(said))
          problems.push(`--first ${number} (${name}, ${element.name}, ${paths.join(', ')}): ${said}`);
      }
      words.push(said);
    }
  }
  return { described, notShown, problems };

  /** The words of all changes; undefined if the configs cannot be compared. */
  async function wordsOf(from: Buffer, to: Buffer): Promise<string | undefined> {
    try {
      const update = readUpdateFile(computeUpdate(from, to, CHANNEL));
      const { elements, findings } = await review(update, readConfigFile(from), { now: new Date(now) });
      const isShown = findings.every(({ id }) => id !== 'change-not-shown');
      if (!isShown || elements.some(({ data }) => data.some(({ hidden }) => hidden === true)))
        return NOT_SHOWN;
      return elements
        .map(({ element, words }) => `${element}: ${words.join('; ')}`)
        .filter((text) => !text.endsWith('the same content with a new version'))
        .join('\n');
    } catch (error) {
      if (error instanceof TranslateError) return from === to ? '' : undefined;
      throw error;
    }
  }
}

/** Words that different changes may share: an order that is not shown, and what orderers refuse. */
const SHARED = /reordered$|not a valid policy$/;

/** Without the version, which the update sets. The order of addresses has no words: their bytes are compared in any order. */
function contentOf({ type, name, message }: Element): string {
  const bytes = serialize(type, { ...message, version: undefined });
  return name === 'Endpoints' || name === 'OrdererAddresses'
    ? String([...bytes].toSorted((one, other) => one - other))
    : bytes.toString('hex');
}

function elementsOf(group: Tree): Element[] {
  const entries = (field: string): [string, Tree][] =>
    Object.entries((group[field] ?? {}) as Record<string, Tree>);
  return [
    ...entries('values').map(([name, message]): Element => ({ type: 'common.ConfigValue', name, message })),
    ...entries('policies').map(([name, message]): Element => ({
      type: 'common.ConfigPolicy',
      name,
      message,
    })),
    ...entries('groups').flatMap(([, nested]) => elementsOf(nested)),
  ];
}
