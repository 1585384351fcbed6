// Builds one frozen Settings object from the values of all sources.

import { hostname } from 'node:os';
import { checkValues, type RawValue } from './check-values.js';
import { listedPlugins } from './declarations.js';
import { keyIn, type Dialect } from './dialects.js';
import type { LoadedNode } from './node/nodes.js';
import { SETTINGS } from './schema.js';
import { readRoles } from './roles.js';
import { listedAgents } from './agents.js';
import { listedSilences } from './silences.js';
import {
  SettingsError,
  type Configured,
  type EffectiveValue,
  type NodeSettings,
  type Settings,
} from './settings.js';

/** Settings with their origins. */
export interface BuiltSettings {
  readonly settings: Settings;
  /** Every setting by its key. */
  readonly effective: ReadonlyMap<string, EffectiveValue>;
  /** Warnings about valid settings, for the operator. */
  readonly warnings: readonly string[];
}

/** The origin of defaults that differ when the agent monitors a node. */
export const MONITORING_DEFAULT = 'default when monitoring a node';

/** The argument of {@link buildSettings}. */
interface SettingsInput {
  /** The given values, by key. */
  readonly raw: ReadonlyMap<string, RawValue>;
  /** The problems of reading the sources. */
  readonly problems: readonly string[];
  /** The dialects of the files. */
  readonly dialects: ReadonlySet<Dialect>;
  /** What plugins take options from, except the settings. */
  readonly configured: Omit<Configured, 'effective'>;
}

/**
 * Checks the values and builds the settings.
 *
 * @throws SettingsError with every problem found, the given ones first
 */
export function buildSettings({ raw, problems, dialects, configured }: SettingsInput): BuiltSettings {
  const { nodes } = configured;
  const { values, invalid } = checkValues(SETTINGS, raw);
  const listed = listedPlugins(raw.get('plugins'));
  const { roles, problems: ofRoles } = readRoles(values, raw);
  const { silences, ...ofSilences } = listedSilences(raw.get('silences'), Date.now());
  const name = (values.get('operations.name') as string | undefined) || hostname();
  const { agents, problems: ofAgents } = listedAgents(raw.get('agents'), name);
  const found = [
    ...problems,
    ...invalid.map(({ key, origin = 'default', reason }) => `${origin}: ${key}: ${reason}`),
    ...listed.problems,
    ...ofSilences.problems,
    ...ofAgents,
    ...ofRoles,
    ...missingValues(values, raw, dialects),
    ...(values.get('operations.tls.enabled') === false ? relayProblems(nodes) : []),
  ];
  if (found.length > 0) throw new SettingsError(found);

  const get = <T>(key: string): T => values.get(key) as T;
  const effective = effectiveValues(values, raw);
  const settings: Settings = {
    operations: {
      listenAddress: get('operations.listenAddress'),
      name,
      url: get('operations.url'),
      hosts: get('operations.hosts'),
      stateDirectory: get('operations.stateDirectory'),
      page: get('operations.page'),
      tls: {
        enabled: get('operations.tls.enabled'),
        certFile: get('operations.tls.cert.file'),
        keyFile: get('operations.tls.key.file'),
        clientAuthRequired: get('operations.tls.clientAuthRequired'),
        clientRootCAFiles: get('operations.tls.clientRootCAs.files'),
        ...(roles && { roles }),
      },
    },
    health: {
      timeout: get('health.timeout'),
      cacheFor: get('health.cacheFor'),
      interval: get('health.interval'),
      channelsInterval: get('health.channelsInterval'),
      groups: {
        ready: { include: get('health.groups.ready.include'), exclude: get('health.groups.ready.exclude') },
      },
    },
    metrics: { maxSeries: get('metrics.maxSeries') },
    logging: {
      spec: get('logging.spec'),
      specOrigin: raw.get('logging.spec')?.origin ?? 'default',
    },
    nodes: nodeSettings(nodes),
    silences,
    agents,
    plugins: listed.plugins,
    configured: { ...configured, effective },
  };
  return {
    settings: deepFreeze(settings),
    effective,
    warnings: ofSilences.warnings,
  };
}

/** A setting with a value that requires other settings. */
const REQUIREMENTS = [
  {
    key: 'operations.tls.enabled',
    value: true,
    required: ['operations.tls.cert.file', 'operations.tls.key.file', 'operations.tls.clientRootCAs.files'],
  },
  { key: 'metrics.provider', value: 'statsd', required: ['metrics.statsd.address'] },
] as const;

/** The problems of empty values that another setting requires. */
function missingValues(
  values: ReadonlyMap<string, unknown>,
  raw: ReadonlyMap<string, RawValue>,
  dialects: ReadonlySet<Dialect>,
): string[] {
  const nameOf = (key: string): string => {
    const ordererKey = dialects.has('orderer') ? keyIn('orderer', key) : undefined;
    return ordererKey === undefined || ordererKey.toLowerCase() === key.toLowerCase()
      ? key
      : `${key} (${ordererKey} in orderer.yaml)`;
  };
  return REQUIREMENTS.filter(({ key, value }) => values.get(key) === value).flatMap(
    ({ key, value, required }) =>
      required
        .filter((each) => isEmpty(values.get(each)))
        .map(
          (each) =>
            `${raw.get(key)?.origin ?? 'default'}: ${nameOf(each)}: is required when ${key} is ${value}: ${SETTINGS.get(each)?.doc ?? ''}`,
        ),
  );
}

/** Returns true for an empty value. Undefined is not empty: such a value is invalid and already reported. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The run-time settings of nodes. */
function nodeSettings(nodes: readonly LoadedNode[]): NodeSettings[] {
  return nodes.map(({ name, kind, address, logging, spec, metrics, isLabelled, log, container, files }) => ({
    name,
    kind,
    address: address.value,
    ...(!logging.value && { logging: false }),
    ...(spec !== undefined && { spec }),
    ...(!metrics.value && { metrics: false }),
    ...(isLabelled && { isLabelled }),
    ...(log && { log }),
    ...(container && { container }),
    files,
  }));
}

/**
 * The problems of nodes with TLS: a node serves its metrics and its log level only to clients with a certificate, but an agent without TLS
 * would relay them to every client.
 */
function relayProblems(nodes: readonly LoadedNode[]): string[] {
  return nodes
    .filter(
      ({ tls, metrics, logging, insecureRelay }) =>
        tls.tls.value && !insecureRelay && (metrics.value || logging.value),
    )
    .map(
      ({ name, path, tls }) =>
        `${tls.tls.origin}: ${name} serves its metrics and log level only to clients with a certificate, but this agent has no TLS and would relay them to every client: set operations.tls of this agent, or ${path}.metrics and ${path}.logging to false, or ${path}.insecureRelay to true`,
    );
}

function effectiveValues(
  values: ReadonlyMap<string, unknown>,
  raw: ReadonlyMap<string, RawValue>,
): Map<string, EffectiveValue> {
  const effective = new Map<string, EffectiveValue>();
  for (const [key, { format, default: fallback, sensitive = false }] of SETTINGS) {
    const given = raw.get(key);
    // The converted values of these formats cannot be written in a file, so the written values are shown.
    const isAsWritten = ['duration', 'positive-duration', 'host-port'].includes(String(format));
    const value = isAsWritten ? (given?.value ?? fallback) : values.get(key);
    const origin = given?.origin ?? 'default';
    const isDefault = given === undefined || origin === MONITORING_DEFAULT;
    effective.set(key, { value, origin, isDefault, sensitive });
  }
  return effective;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
