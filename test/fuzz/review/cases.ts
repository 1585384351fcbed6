// Makes updates from recorded ones: mutated configs, mutated updates, other clocks.

import { computeUpdate } from '../../../translator/update/index.js';
import { TranslateError } from '../../../proto/errors.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { createRandom, type Random } from '../random.js';
import { envelopeOf } from './envelope.js';
import { parse, serialize } from './messages.js';
import { mutate } from './mutate.js';
import { Pool } from './pool.js';

/** An update to judge. */
export interface ReviewInput {
  /** The name of the recorded config. */
  readonly name: string;
  readonly channel: string;
  readonly config: Buffer;
  readonly envelope: Buffer;
  readonly now: Date;
  /** The Raft consenters that are alive, from 1 in the order of the config; all if undefined. */
  readonly active: readonly number[] | undefined;
  /** The fields that were changed. */
  readonly changed: readonly string[];
}

const CHANNEL = 'testchannel';
const DAY = 86_400_000;
/** Days from the recorded clock: the identities were made on its day, and most are valid for ten years. */
const DAYS = [0, 0, 0, 0, 0, 0, 1, 400, 3_700, -2];

/** Makes inputs that a seed and a number determine. */
export function createInputs(seed: number): (number: number) => ReviewInput {
  const { now, configs, cases } = readReviewCases();
  const bytes = Object.entries(configs).map(([name, text]) => [name, bytesIn(text)] as const);
  const pool = new Pool();
  for (const [, config] of bytes) pool.add('common.Config', parse('common.Config', config));
  const updates = cases.flatMap((each) => {
    const update = updateIn(bytesIn(each.envelope));
    return update === undefined ? [] : [{ config: each.config, update }];
  });
  return (number) => {
    const random = createRandom(seed + number * 7919);
    const clock = new Date(Date.parse(now) + random.pick(DAYS) * DAY);
    const changed: string[] = [];
    const [name, config, update] =
      random.below(4) === 0 ? ofUpdate(random) : ofConfig(random, random.pick(bytes));
    const envelope = envelopeOf(random, CHANNEL, update, clock);
    const active = random.below(5) === 0 ? activeIn(random, config) : undefined;
    return { name, channel: CHANNEL, config, envelope, now: clock, active, changed };

    /** A recorded update, mutated. */
    function ofUpdate(from: Random): [string, Buffer, Buffer] {
      const each = from.pick(updates);
      const tree = parse('common.ConfigUpdate', each.update);
      for (let count = from.below(3); count > 0; count -= 1)
        changed.push(mutate(from, pool, 'common.ConfigUpdate', tree));
      return [each.config, bytesIn(configs[each.config]!), serialize('common.ConfigUpdate', tree)];
    }

    /** The update to a mutated config; mutated again while it is the same as before. */
    function ofConfig(from: Random, [of, original]: readonly [string, Buffer]): [string, Buffer, Buffer] {
      const tree = parse('common.Config', original);
      for (;;) {
        for (let count = 1 + from.below(2); count > 0; count -= 1)
          changed.push(mutate(from, pool, 'common.Config', tree));
        const result = differenceOf(original, serialize('common.Config', tree));
        if (result !== undefined) return [of, original, result];
      }
    }
  };
}

/** Some of the Raft consenters of a config; undefined if it has none. */
function activeIn(random: Random, config: Buffer): number[] | undefined {
  const { channel_group: root } = parse('common.Config', config) as { channel_group: Group };
  const value = root.groups?.Orderer?.values?.ConsensusType?.value;
  if (value === undefined) return undefined;
  const { type, metadata } = parse('orderer.ConsensusType', value);
  if (type !== 'etcdraft' || metadata === undefined) return undefined;
  const { consenters = [] } = parse('etcdraft.ConfigMetadata', metadata as Uint8Array) as {
    consenters?: unknown[];
  };
  return consenters.map((_, index) => index + 1).filter(() => random.below(4) > 0);
}

interface Group {
  readonly groups?: Readonly<Record<string, Group>>;
  readonly values?: Readonly<Record<string, { readonly value?: Uint8Array }>>;
}

/** Undefined if nothing differs, or one of them cannot be compared. */
function differenceOf(original: Buffer, updated: Buffer): Buffer | undefined {
  try {
    return Buffer.from(computeUpdate(original, updated, CHANNEL));
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}

function updateIn(envelope: Buffer): Uint8Array | undefined {
  try {
    const { payload } = parse('common.Envelope', envelope);
    const { data } = parse('common.Payload', payload as Uint8Array);
    const update = parse('common.ConfigUpdateEnvelope', data as Uint8Array).config_update as Uint8Array;
    parse('common.ConfigUpdate', update);
    return update;
  } catch {
    return undefined;
  }
}
