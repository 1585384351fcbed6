// The options of the sink, and their checks.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { OptionSchema, OptionValues } from '../../../core/contract/index.js';
import { checkUrl } from '../../../core/kit/index.js';

/** Headers that the sink sets itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);

/** Attributes that the sink sets itself. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(['service.name', 'service.instance.id']);

export const OPTIONS = {
  endpoint: {
    format: checkUrl,
    default: 'http://localhost:4318/v1/metrics',
    doc: 'URL of the receiver, with its path',
  },
  headers: {
    format: checkHeaders,
    default: {},
    doc: 'headers of each request, such as Authorization',
    sensitive: true,
  },
  compression: { format: ['gzip', 'none'], default: 'gzip', doc: 'compression of the requests' },
  writeInterval: { format: 'duration', default: '10s', doc: 'time between two pushes, at least 10ms' },
  timeout: { format: 'duration', default: '10s', doc: 'time limit for a request; a push has 10s in total' },
  ca: { format: 'path', default: '', doc: 'PEM file with the CA of the server certificate' },
  cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
  key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
  instance: {
    format: String,
    default: '',
    doc: '`service.instance.id` of the agent; empty: the host name',
  },
  resource: {
    format: checkAttributes,
    default: {},
    doc: 'further attributes of every resource, such as `service.namespace`',
  },
} as const satisfies OptionSchema;

/** The values of {@link OPTIONS}. */
export type OtlpOptions = OptionValues<typeof OPTIONS>;

function checkHeaders(value: unknown): void {
  for (const [name, text] of textEntries(value, 'headers')) {
    if (OWN_HEADERS.has(name.toLowerCase())) throw new Error(`must not contain the header ${name}`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text);
    } catch {
      throw new Error('must be a mapping of names of HTTP headers to their values');
    }
  }
}

function checkAttributes(value: unknown): void {
  for (const [name] of textEntries(value, 'attributes'))
    if (name === '' || OWN_ATTRIBUTES.has(name)) throw new Error(`must not contain the attribute '${name}'`);
}

/** @throws Error unless the value is an object with strings */
function textEntries(value: unknown, what: string): [string, string][] {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  if (entries === undefined || !entries.every(([, text]) => typeof text === 'string'))
    throw new Error(`must be a mapping of ${what} to strings`);
  return entries as [string, string][];
}
