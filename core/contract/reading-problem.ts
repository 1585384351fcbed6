// Checks the reading of a metric source. A source may be JavaScript, so a reading can have any form.

import type { SourceFamily, SourceHistogram, SourceSummary } from './metric-source.js';
import { createSeriesKey } from './instruments.js';
import { isStartTime } from '../common/text/time.js';
import { createYielder } from '../common/flow/yielder.js';
import { showValue } from '../common/text/value.js';

/** Maximum number of values in a reading; a histogram has one per bucket, the sum and the count. */
export const MAX_SAMPLES = 50_000;

/** Number of series that are checked between two reads of the clock. */
const SERIES_PER_CHECK = 256;

const FAMILY_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

type Unchecked = Readonly<Record<string, unknown>> | null | undefined;

// A record, so that the compiler reports a missing type.
const VALUE_PROBLEMS: Readonly<Record<SourceFamily['type'], (value: unknown) => string | undefined>> = {
  counter: numberProblem,
  gauge: numberProblem,
  untyped: numberProblem,
  histogram: histogramProblem,
  summary: summaryProblem,
};
const TYPES: ReadonlyMap<unknown, (value: unknown) => string | undefined> = new Map(
  Object.entries(VALUE_PROBLEMS),
);

/**
 * Checks a reading. It yields to the event loop in between.
 *
 * @returns the problem, or undefined when there is none
 */
export async function readingProblem(reading: unknown): Promise<string | undefined> {
  if (typeof reading !== 'object' || reading === null) return `the reading is ${showValue(reading)}`;
  const { startTime, families, skipped = [] } = reading as Readonly<Record<string, unknown>>;
  if (startTime !== undefined && !isStartTime(startTime)) return `the start time is ${showValue(startTime)}`;
  if (!Array.isArray(families)) return 'families is not an array';
  if (!Array.isArray(skipped) || !skipped.every(isSkippedPart))
    return 'skipped is not an array of objects with what and reason';
  const names = new Set<unknown>();
  const yieldIfDue = createYielder(SERIES_PER_CHECK);
  let samples = 0;
  for (const family of families as Unchecked[]) {
    const problem = familyProblem(family);
    if (problem !== undefined) return problem;
    const { name, type, series } = family as unknown as SourceFamily;
    if (names.has(name)) return `duplicate family ${name}`;
    names.add(name);
    const labelsProblem = createLabelsCheck(type);
    const valueProblem = VALUE_PROBLEMS[type];
    for (const each of series) {
      const seriesProblem = labelsProblem(each) ?? valueProblem(each.value);
      if (seriesProblem !== undefined) return `family ${name}: ${seriesProblem}`;
      samples += samplesOf(each.value);
      if (samples > MAX_SAMPLES) return `more than ${MAX_SAMPLES} values`;
      const nextTurn = yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
    }
  }
  return undefined;
}

function isSkippedPart(part: Unchecked): boolean {
  return typeof part?.['what'] === 'string' && typeof part['reason'] === 'string';
}

/** The number of values of a series: its lines in the Prometheus text format. */
export function samplesOf(value: number | SourceHistogram | SourceSummary): number {
  if (typeof value === 'number') return 1;
  return ('bounds' in value ? value.bounds : value.quantiles).length + 2;
}

function familyProblem(family: Unchecked): string | undefined {
  if (typeof family !== 'object' || family === null) return `a family is ${showValue(family)}`;
  const { name, help, type, parts, series } = family;
  if (typeof name !== 'string' || !FAMILY_NAME.test(name)) return `invalid family name ${showValue(name)}`;
  if (typeof help !== 'string') return `family ${name}: help is not a string`;
  if (!TYPES.has(type)) return `family ${name}: unknown type ${showValue(type)}`;
  const { namespace, subsystem, name: lastPart } = (parts ?? {}) as Readonly<Record<string, unknown>>;
  if ([namespace, subsystem, lastPart].some((part) => typeof part !== 'string'))
    return `family ${name}: the parts are not strings`;
  return Array.isArray(series) ? undefined : `family ${name}: series is not an array`;
}

/** Creates a function that checks a series of one family, except its value, and returns the problem. */
function createLabelsCheck(type: SourceFamily['type']): (series: unknown) => string | undefined {
  const keyOf = createSeriesKey();
  const keys = new Set<string>();
  const validNames = new Set<string>();
  return (series) => {
    if (typeof series !== 'object' || series === null) return `a series is ${showValue(series)}`;
    const { labels } = series as Readonly<Record<string, unknown>>;
    if (typeof labels !== 'object' || labels === null) return 'labels is not an object';
    for (const name of Object.keys(labels)) {
      if (!validNames.has(name)) {
        if (!LABEL_NAME.test(name)) return `invalid label name ${showValue(name)}`;
        if (name.startsWith('__')) return `label '${name}' is reserved, like every name that begins with __`;
        if (isAdded(name, type)) return `label '${name}' is reserved in a ${type}`;
        validNames.add(name);
      }
      if (!isLabelValue((labels as Readonly<Record<string, unknown>>)[name]))
        return `label '${name}' has a value that is not a string`;
    }
    const key = keyOf(labels as Readonly<Record<string, string>>);
    if (keys.has(key)) return `duplicate series ${showValue(labels)}`;
    keys.add(key);
    return undefined;
  };
}

/** Returns true for the label that distinguishes the lines of a histogram or summary. */
function isAdded(label: string, type: SourceFamily['type']): boolean {
  return (type === 'histogram' && label === 'le') || (type === 'summary' && label === 'quantile');
}

function isLabelValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function numberProblem(value: unknown): string | undefined {
  return typeof value === 'number' ? undefined : `a value is ${showValue(value)}, not a number`;
}

function histogramProblem(value: unknown): string | undefined {
  const { bounds, counts, sum, count } = (value ?? {}) as Partial<SourceHistogram>;
  if (!Array.isArray(bounds) || !Array.isArray(counts)) return 'a value is not a histogram';
  if (bounds.length !== counts.length) return 'a histogram does not have one count per bound';
  if (bounds.length === 0 || bounds.at(-1) !== Infinity || !isAscending(bounds))
    return 'the bounds of a histogram are not ascending up to Infinity';
  let before = 0;
  for (const upTo of counts as readonly unknown[]) {
    if (!Number.isSafeInteger(upTo) || (upTo as number) < before)
      return 'the counts of a histogram are not ascending integers';
    before = upTo as number;
  }
  if (count !== before) return 'the count of a histogram is not the count of its last bucket';
  return typeof sum === 'number' ? undefined : 'the sum of a histogram is not a number';
}

function summaryProblem(value: unknown): string | undefined {
  const { quantiles, values, sum, count } = (value ?? {}) as Partial<SourceSummary>;
  if (!Array.isArray(quantiles) || !Array.isArray(values)) return 'a value is not a summary';
  if (quantiles.length !== values.length) return 'a summary does not have one value per quantile';
  if (!isAscending(quantiles)) return 'the quantiles of a summary are not ascending';
  return [...values, sum, count].every((number) => typeof number === 'number')
    ? undefined
    : 'the values of a summary are not numbers';
}

function isAscending(numbers: readonly unknown[]): boolean {
  let before = -Infinity;
  for (const number of numbers) {
    if (typeof number !== 'number' || !(number > before)) return false;
    before = number;
  }
  return true;
}
