// The names of the agent's families, and checks of their definitions that prom-client does not make.

import { AgentError } from '../contract/index.js';
import type { FamilyOptions, HistogramOptions } from '../contract/instruments.js';
import type { FamilyParts } from '../contract/metric-sink.js';

/** The namespace of every family of the agent, so that no family has the same name as one of a Fabric node. */
export const OWN_NAMESPACE = 'fabric_ops_agent';

const OWN_PREFIX = `${OWN_NAMESPACE}_`;

/** The prefix of the names of x509-certificate-exporter, which are served without our prefix so that its dashboards work. */
const ESTABLISHED_PREFIX = 'x509_';

/** The members of a definition that form the name. */
type FamilyName = Pick<FamilyOptions, 'namespace' | 'subsystem' | 'name'>;

/**
 * The parts of the served name of a family: its namespace and subsystem, joined by `_`, become the subsystem. A name
 * that already begins with `fabric_ops_agent_` is not prefixed again.
 */
export function ownParts({ namespace = '', subsystem = '', name }: FamilyName): FamilyParts {
  const owner = joined(namespace, subsystem);
  const full = joined(owner, name);
  if (!full.startsWith(OWN_PREFIX)) return { namespace: OWN_NAMESPACE, subsystem: owner, name };
  if (owner.startsWith(OWN_PREFIX))
    return { namespace: OWN_NAMESPACE, subsystem: owner.slice(OWN_PREFIX.length), name };
  return { namespace: OWN_NAMESPACE, subsystem: '', name: full.slice(OWN_PREFIX.length) };
}

/** The Prometheus name of a family. Names of x509-certificate-exporter have no prefix here; in StatsD they have it like all others. */
export function nameOf({ namespace, subsystem, name }: FamilyParts): string {
  const own = joined(subsystem, name);
  return namespace === OWN_NAMESPACE && own.startsWith(ESTABLISHED_PREFIX) ? own : joined(namespace, own);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('_');
}

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

/** The suffixes of the series of a histogram or summary, after the name of the family. */
export const SERIES_ENDINGS: Readonly<Record<'histogram' | 'summary', readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['_sum', '_count'],
};

/**
 * Checks that no series of a histogram has the name of another family: Prometheus refuses a whole response with both.
 *
 * @param typeOf returns the type of the family with a name, or undefined if there is none
 * @throws AgentError `METRIC_INVALID`
 */
export function checkSeriesNames(
  name: string,
  type: string,
  typeOf: (name: string) => string | undefined,
): void {
  for (const ending of SERIES_ENDINGS.histogram) {
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
