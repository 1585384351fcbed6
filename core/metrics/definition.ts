// What a definition of a family must be, beside what prom-client says to it.

import { AgentError, type HistogramOptions } from '../contract/index.js';

/**
 * Checks a definition.
 *
 * @param name the name of the family, its parts joined
 * @param isTaken whether a family of the process has the name
 * @throws AgentError `METRIC_INVALID`
 */
export function checkDefinition(
  name: string,
  { help, labelNames = [], buckets = [] }: HistogramOptions,
  isTaken: boolean,
): void {
  const fail = (what: string): never => {
    throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${what}`);
  };
  if (typeof (help as unknown) !== 'string' || help === '') fail('its help is not a text');
  if (isTaken) fail('the name is taken by a metric of the process');
  const reserved = labelNames.find((label) => label.startsWith('__'));
  if (reserved !== undefined) fail(`label '${reserved}' is reserved, as is every name that begins with __`);
  const twice = labelNames.find((label, index) => labelNames.indexOf(label) !== index);
  if (twice !== undefined) fail(`label '${twice}' is declared twice`);
  if (buckets.some((bound, index) => !(bound > (buckets[index - 1] ?? -Infinity) && bound < Infinity)))
    fail('its buckets are not finite numbers in ascending order');
}
