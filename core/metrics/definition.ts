// Checks of a family definition that prom-client does not make.

import { AgentError, type HistogramOptions } from '../contract/index.js';

/**
 * Checks the definition of a family.
 *
 * @param name the full name of the family
 * @param isTaken whether a process metric has this name
 * @throws AgentError `METRIC_INVALID`
 */
export function checkDefinition(
  name: string,
  { name: ownName, help, labelNames = [], buckets = [] }: HistogramOptions,
  isTaken: boolean,
): void {
  const fail = (what: string): never => {
    throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${what}`);
  };
  if (typeof (ownName as unknown) !== 'string' || ownName === '') fail('name must be a non-empty string');
  if (typeof (help as unknown) !== 'string' || help === '') fail('help must be a non-empty string');
  if (isTaken) fail('the name is used by a process metric');
  const reserved = labelNames.find((label) => label.startsWith('__'));
  if (reserved !== undefined) fail(`label '${reserved}' is reserved, like every name that begins with __`);
  const duplicate = labelNames.find((label, index) => labelNames.indexOf(label) !== index);
  if (duplicate !== undefined) fail(`duplicate label '${duplicate}'`);
  if (buckets.some((bound, index) => !(bound > (buckets[index - 1] ?? -Infinity) && bound < Infinity)))
    fail('buckets must be finite numbers in ascending order');
}

/** What the names of the series of a histogram end with, after the name of the family. */
const SERIES_ENDINGS = ['_bucket', '_sum', '_count'];

/**
 * Checks that no series of a histogram has the name of another family: Prometheus refuses a whole response with both.
 *
 * @param typeOf the type of the family with a name; undefined: there is none
 * @throws AgentError `METRIC_INVALID`
 */
export function checkSeriesNames(
  name: string,
  type: string,
  typeOf: (name: string) => string | undefined,
): void {
  for (const ending of SERIES_ENDINGS) {
    const series = `${name}${ending}`;
    if (type === 'histogram' && typeOf(series) !== undefined)
      throw new AgentError(
        'METRIC_INVALID',
        `cannot create metric '${name}': its series '${series}' has the name of another metric`,
      );
    const histogram = name.slice(0, -ending.length);
    if (name.endsWith(ending) && typeOf(histogram) === 'histogram')
      throw new AgentError(
        'METRIC_INVALID',
        `cannot create metric '${name}': the histogram '${histogram}' has series of that name`,
      );
  }
}
