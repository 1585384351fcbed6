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
