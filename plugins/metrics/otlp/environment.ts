// The environment variables of the OpenTelemetry specification for the options of the plugin otlp.
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/

import { resolve } from 'node:path';
import type { FromEnvironment } from '../../../core/contract/internal/index.js';

/** The path for metrics at a receiver of several signals. */
const METRICS_PATH = 'v1/metrics';

/** The variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set. */
interface Variable {
  readonly name: string;
  readonly text: string;
  /** Whether it is the variable for metrics only. */
  readonly isForMetrics: boolean;
}

/** The value of an option; a text that cannot be converted is not changed, so that the plugin rejects it. */
type Convert = (variable: Variable, directory: string) => unknown;

const asText: Convert = ({ text }) => text;
const asPath: Convert = ({ text }, directory) => resolve(directory, text);

/** The options by the end of the names of their variables. */
const OPTIONS: Readonly<Record<string, readonly [option: string, convert: Convert]>> = {
  ENDPOINT: ['endpoint', endpointOf],
  HEADERS: ['headers', ({ text }) => headersOf(text) ?? text],
  COMPRESSION: ['compression', asText],
  TIMEOUT: ['timeout', ({ text }) => (/^\d+$/.test(text) ? `${text}ms` : text)],
  CERTIFICATE: ['ca', asPath],
  CLIENT_CERTIFICATE: ['cert', asPath],
  CLIENT_KEY: ['key', asPath],
};

/** Reads options from variables. They apply to every instance. */
export const fromEnvironment: FromEnvironment = (environment, directory) =>
  Object.fromEntries(
    Object.entries(OPTIONS).flatMap(([end, [option, convert]]) => {
      const variable = variableOf(environment, end);
      if (variable === undefined) return [];
      const value = convert(variable, directory);
      return [[option, { value, origin: `environment ${variable.name}` }]];
    }),
  );

/** The variable for metrics, else the variable for all signals. Empty variables are ignored. */
function variableOf(environment: Environment, end: string): Variable | undefined {
  const found = [
    { name: `OTEL_EXPORTER_OTLP_METRICS_${end}`, isForMetrics: true },
    { name: `OTEL_EXPORTER_OTLP_${end}`, isForMetrics: false },
  ].find(({ name }) => (environment[name] ?? '').trim() !== '');
  return found === undefined ? undefined : { ...found, text: (environment[found.name] ?? '').trim() };
}

/** The URL in the variable for all signals has no path of the signal. */
function endpointOf({ text, isForMetrics }: Variable): string {
  if (isForMetrics || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${METRICS_PATH}`;
  return url.href;
}

/** Headers as `name=value,name=value`, with percent-encoded values; undefined for another text. */
function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  const entries: [string, string][] = [];
  for (const pair of text.split(',')) {
    const end = pair.indexOf('=');
    if (pair.trim() === '') continue;
    if (end < 1) return undefined;
    entries.push([pair.slice(0, end).trim(), decoded(pair.slice(end + 1).trim())]);
  }
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
