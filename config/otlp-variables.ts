// The environment variables of the OpenTelemetry specification for the options of the plugin otlp.
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/

import { resolve } from 'node:path';
import type { Environment } from './environment.js';
import type { PluginDeclaration } from './settings.js';

/** The plugin that the variables are for. */
const PLUGIN = 'otlp';
/** Where a receiver of several signals takes metrics. */
const METRICS_PATH = 'v1/metrics';

/** The variables of a process. */
export interface Variables {
  readonly environment: Environment;
  /** The directory that relative paths in variables are resolved against. */
  readonly directory: string;
}

/** A variable that is set. */
interface Variable {
  readonly name: string;
  readonly text: string;
  /** Whether it is the one for metrics alone. */
  readonly isForMetrics: boolean;
}

/** The value of an option; a text that cannot be converted stays as it is, so that the plugin refuses it. */
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

/**
 * Adds the options in variables to the declarations of the plugin otlp. Options in a declaration override variables, since the variables
 * are for every program and every instance.
 */
export function withOtlpVariables(
  plugins: readonly PluginDeclaration[],
  variables: Variables,
): PluginDeclaration[] {
  return plugins.map((declaration) =>
    declaration.plugin === PLUGIN ? withVariables(declaration, variables) : declaration,
  );
}

function withVariables(
  declaration: PluginDeclaration,
  { environment, directory }: Variables,
): PluginDeclaration {
  const declared = new Set(Object.keys(declaration.options).map((name) => name.toLowerCase()));
  const options: Record<string, unknown> = {};
  const optionOrigins: Record<string, string> = {};
  for (const [end, [option, convert]] of Object.entries(OPTIONS)) {
    const variable = variableOf(environment, end);
    if (variable === undefined || declared.has(option)) continue;
    options[option] = convert(variable, directory);
    optionOrigins[option] = `environment ${variable.name}`;
  }
  return {
    ...declaration,
    options: { ...declaration.options, ...options },
    optionOrigins: { ...declaration.optionOrigins, ...optionOrigins },
  };
}

/** The variable for metrics, else the one for all signals. Empty variables are ignored. */
function variableOf(environment: Environment, end: string): Variable | undefined {
  const found = [
    { name: `OTEL_EXPORTER_OTLP_METRICS_${end}`, isForMetrics: true },
    { name: `OTEL_EXPORTER_OTLP_${end}`, isForMetrics: false },
  ].find(({ name }) => (environment[name] ?? '').trim() !== '');
  return found === undefined ? undefined : { ...found, text: (environment[found.name] ?? '').trim() };
}

/** The variable for all signals has the URL that their paths follow. */
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
