// Reads `/status` of a running agent.

import { parseForeignJson } from '../common/text/foreign-json.js';
import { joinLines, onOneLine } from '../common/text/one-line.js';
import { maskUrls } from '../common/text/value.js';
import type { StatusDocument } from '../status/document.js';
import { readStatus } from '../status/read.js';
import {
  describeRequestError,
  getResource,
  MAX_BODY_SIZE,
  withoutQuery,
  type ClientOptions,
  type AgentResponse,
} from './client.js';

/** The status of a service, or why there is none. */
export interface StatusReport {
  /** When the status was made, RFC 3339; without a status, now. */
  readonly time: string;
  /** The URL of the agent; without an agent the files of the settings. */
  readonly url: string;
  /** Whether the agent responded. */
  readonly reachable: boolean;
  /** The node that responded instead. */
  readonly instead?: string;
  /** Whether the agent and all nodes are healthy. */
  readonly healthy: boolean;
  readonly document?: StatusDocument;
  /** Why there is no status. */
  readonly errors: readonly string[];
}

/** Reads the status of a service. Errors of the service are in the report. */
export async function readReport(options: ClientOptions): Promise<StatusReport> {
  const without = {
    time: new Date().toISOString(),
    url: maskUrls(options.url.href),
    reachable: true,
    healthy: false,
  };
  try {
    const response = await getResource(options, '/status');
    if (response.status === 404) return { ...without, ...(await explain404(options)) };
    if (response.status !== 200)
      return { ...without, errors: [`/status: ${describeStatus(response, options.url)}`] };
    const document = readStatus(response.body, parseBody);
    // Another service, which has a document under this path.
    if (Number.isNaN(Date.parse(document.time)))
      return { ...without, errors: ['/status: the response is not from an agent'] };
    return reportOf(document, without.url);
  } catch (error) {
    if (error instanceof SyntaxError)
      return { ...without, errors: [`/status: the response is not JSON: ${onOneLine(error.message)}`] };
    if (error instanceof RangeError) return { ...without, errors: [`/status: ${error.message}`] };
    return { ...without, reachable: false, errors: [describeRequestError(error, options.url)] };
  }
}

/** Whether something needs attention. */
export const hasWarnings = ({ warnings, nodes }: StatusDocument): boolean =>
  warnings.length > 0 || nodes.some((node) => node.warnings.length > 0);

/** The report of a document. @param url see {@link StatusReport} */
export const reportOf = (document: StatusDocument, url: string): StatusReport => ({
  time: document.time,
  url,
  reachable: true,
  healthy: document.agent.healthy && document.nodes.every((node) => node.up && node.healthy),
  document,
  errors: [],
});

/** Identifies a service without `/status`. */
async function explain404(options: ClientOptions): Promise<Pick<StatusReport, 'instead' | 'errors'>> {
  const [version, live, metrics] = await Promise.all(
    ['/version', '/livez', '/metrics'].map((path) => getResource(options, path).catch(() => undefined)),
  );
  if (live?.status === 200)
    return { errors: ['/status: HTTP status 404: the agent is older than this command'] };
  if (stringIn(version?.body, 'CommitSHA') === undefined) return { errors: ['/status: HTTP status 404'] };
  const text = metrics?.body ?? '';
  if (/^# TYPE (?:endorser|gossip|chaincode)_/m.test(text)) return { instead: 'a peer', errors: [] };
  const isOrderer = /^# TYPE (?:broadcast|blockcutter|consensus)_/m.test(text);
  return { instead: isOrderer ? 'an orderer' : 'a peer or an orderer', errors: [] };
}

/** Describes an error response on one line, with the error in its body. */
export function describeStatus({ status, body }: AgentResponse, url: URL): string {
  const reason = stringIn(body, 'error');
  const hint = status === 401 ? '; set --cert and --key' : '';
  return onOneLine(
    `HTTP status ${status}${reason === undefined ? '' : `: ${withoutQuery(joinLines(reason), url)}`}${hint}`,
  );
}

/** @throws SyntaxError, or RangeError for a document that is too deep or has too many values */
const parseBody = (body: string): unknown => parseForeignJson(body, MAX_BODY_SIZE);

/** A string member of the JSON object in a body. */
function stringIn(body: string | undefined, name: string): string | undefined {
  try {
    const document = parseBody(body ?? '');
    if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return undefined;
    const value = (document as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
