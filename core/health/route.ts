// The routes that report health.

import { ownerOf } from '../common/text/component.js';
import { joinLines, onOneLine } from '../common/text/one-line.js';
import {
  errorReply,
  jsonReply,
  NOT_FOUND,
  type Handler,
  type IncomingRequest,
  type Reply,
  type Route,
} from '../http/route.js';
import type { AgentHealth, HealthReport } from './health.js';
import {
  componentNames,
  describeOtherNodes,
  describeUnknownName,
  isKnownName,
  type ComponentNames,
  type ReadySelection,
} from './selection.js';

const EVERYTHING: ReadySelection = { include: [], exclude: [], otherNodes: [] };

/**
 * `/healthz`, `/healthz/<component>` and `/readyz`: 503 with the failed checks if a covered check fails and is critical, else 200.
 * `/livez`: 200, without any check. The parameter `verbose` lists each check.
 *
 * @param ready the components of `/readyz`
 * @param short the full name of each part with a short name
 */
export function healthRoutes(
  health: Pick<AgentHealth, 'components' | 'run'>,
  ready: () => ReadySelection,
  short: ReadonlyMap<string, string> = new Map(),
): Route[] {
  const respond = async (
    name: string,
    { include, exclude, otherNodes }: ReadySelection,
    { query }: IncomingRequest,
  ): Promise<Reply> => {
    const { components } = health;
    const known = (excluded: string): boolean => isKnownName(excluded, components);
    const names = componentNames(short, components);
    const excluded = query.getAll('exclude').map(names.read);
    const report = await health.run({ include, exclude: exclude.concat(excluded.filter(known)) });
    if (!query.has('verbose')) return summaryReply(report, otherNodes, names);
    const text = verboseText(name, report, {
      excluded: [...exclude, ...excluded].filter(known),
      unknown: excluded.filter((each) => !known(each)),
      otherNodes,
      names,
    });
    return verboseReply(text, report);
  };
  const healthOf = async (request: IncomingRequest): Promise<Reply> => {
    const { components } = health;
    const names = componentNames(short, components);
    const component = names.read(request.params.get('*') ?? '');
    // `/healthz/` is not a resource.
    if (component === '') return NOT_FOUND;
    if (!isKnownName(component, components))
      return errorReply(404, describeUnknownName(component, components));
    return respond('healthz', { ...EVERYTHING, include: [component] }, request);
  };
  return [
    openRoute('/healthz', (request) => respond('healthz', EVERYTHING, request)),
    { path: '/healthz/*', handlers: { GET: healthOf } },
    openRoute('/readyz', (request) => respond('readyz', ready(), request)),
    openRoute('/livez', async ({ query }) => {
      const report = { failedChecks: [], warnings: [], components: [], time: Date.now() };
      const names = componentNames(short, []);
      return query.has('verbose')
        ? verboseReply(
            verboseText('livez', report, { excluded: [], unknown: [], otherNodes: [], names }),
            report,
          )
        : summaryReply(report, [], names);
    }),
  ];
}

/** A route for probes without a client certificate. The list of all checks (`verbose`) requires one. */
function openRoute(path: string, GET: Handler): Route {
  return { path, isOpen: (query) => !query.has('verbose'), handlers: { GET } };
}

/** The reply of each report without excluded nodes: requests that share a report share its reply, which can be long. */
const replies = new WeakMap<HealthReport, Reply>();

/** @param excluded the nodes that the report does not cover because there are several */
function summaryReply(report: HealthReport, excluded: readonly string[], names: ComponentNames): Reply {
  if (excluded.length > 0) return newSummaryReply(report, excluded, names);
  const reply = replies.get(report) ?? newSummaryReply(report, [], names);
  replies.set(report, reply);
  return reply;
}

function newSummaryReply(
  { failedChecks, time }: HealthReport,
  excluded: readonly string[],
  { shown }: ComponentNames,
): Reply {
  const isHealthy = failedChecks.length === 0;
  const reply = jsonReply(isHealthy ? 200 : 503, {
    status: isHealthy ? 'OK' : 'Service Unavailable',
    time: new Date(time).toISOString(),
    ...(!isHealthy && {
      failed_checks: failedChecks
        .map(({ component, reason }) => ({ component: shown(component), reason }))
        .sort((a, b) => (a.component < b.component ? -1 : 1)),
    }),
    ...(excluded.length > 0 && { excluded }),
  });
  // A string would be encoded again for each response.
  return isHealthy ? reply : { ...reply, body: Buffer.from(reply.body ?? '') };
}

function verboseReply(body: string, { failedChecks }: HealthReport): Reply {
  return {
    status: failedChecks.length === 0 ? 200 : 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body,
  };
}

/** The names of components, and the components that a report does not cover. */
interface VerboseOptions {
  /** The excluded names that are known. */
  readonly excluded: readonly string[];
  /** The unknown names in `exclude`. */
  readonly unknown: readonly string[];
  /** The nodes that `/readyz` does not cover because there are several. */
  readonly otherNodes: readonly string[];
  readonly names: ComponentNames;
}

/**
 * One line for each component, sorted by name: `[+]docker ok`, `[-]couchdb failed: reason`, `[+]disk warning: reason` or `[+]disk excluded: ok`. A component that
 * failed in parts has one line for each failed part. The last line is the result.
 *
 * @param endpoint the name of the resource, for the last line
 */
function verboseText(
  endpoint: string,
  { failedChecks, warnings, components }: HealthReport,
  { excluded, unknown, otherNodes, names: { shown } }: VerboseOptions,
): string {
  const failing = new Set(
    [...failedChecks, ...warnings].map(({ component }) => ownerOf(component, components)),
  );
  const lines: { name: string; text: string }[] = [
    ...components.filter((name) => !failing.has(name)).map((name) => ({ name, text: `[+]${name} ok` })),
    ...failedChecks.map(({ component, reason }) => {
      const name = shown(component);
      return { name, text: `[-]${name} failed: ${joinLines(reason)}` };
    }),
    ...warnings.map(({ component: name, reason }) => ({
      name,
      text: `[+]${name} warning: ${joinLines(reason)}`,
    })),
    ...[...new Set(excluded)].map(shown).map((name) => ({ name, text: `[+]${name} excluded: ok` })),
  ];
  lines.sort((a, b) => (a.name < b.name ? -1 : 1));
  const warning = `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => JSON.stringify(name)).join(',')}`;
  return [
    ...lines.map(({ text }) => text),
    ...(unknown.length > 0 ? [warning] : []),
    ...(otherNodes.length > 0 ? [describeOtherNodes(otherNodes)] : []),
    `${endpoint} check ${failedChecks.length === 0 ? 'passed' : 'failed'}`,
  ]
    .map((line) => `${onOneLine(line)}\n`)
    .join('');
}
