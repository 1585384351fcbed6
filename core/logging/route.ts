// The routes of logging specifications, and the parsing of their queries and bodies.

import { formatDuration, parsePositiveDuration } from '../common/text/duration.js';
import { timeText } from '../common/text/time.js';
import { AgentError, parseLogSpec, reasonOf } from '../contract/index.js';
import { jsonLineReply, type IncomingRequest, type Route } from '../http/route.js';
import type { LeasedSpec } from './lease.js';

/** The header with the end of a lease in the response to GET. */
const REVERTS_AT = 'Logspec-Reverts-At';
/** The header with the name of the owner in each response with status 200 or 204. */
const OWNER = 'Logspec-Owner';

/** The logging specification of a node or of the agent. */
interface NamedSpec {
  /** The name of the node, or `self` for the agent. */
  readonly owner: string;
  readonly level: LeasedSpec;
}

/**
 * `/logspec`: GET returns the active logging specification, PUT `{"spec":"…"}` changes it, for a limited time with `?for=10m`.
 *
 * @param specOf returns the specification of a request; can throw a client error
 */
export function logspecRoute(path: string, specOf: (request: IncomingRequest) => NamedSpec): Route {
  return {
    path,
    handlers: {
      GET: async (request) => {
        const { owner, level } = specOf(request);
        const { spec, revertsAt } = await level.get();
        const reply = jsonLineReply(200, { spec });
        const end = revertsAt === undefined ? {} : { [REVERTS_AT]: new Date(revertsAt).toISOString() };
        return { ...reply, headers: { ...reply.headers, [OWNER]: owner, ...end } };
      },
      PUT: async (request) => {
        const { owner, level } = specOf(request);
        const duration = readLeaseDuration(request.query);
        const spec = readSpec(await request.body());
        await level.set(spec, { caller: request.caller, requestId: request.id }, duration);
        return { status: 204, headers: { [OWNER]: owner } };
      },
    },
  };
}

/** The specification of one node, or an error. */
interface NodeResult {
  readonly name: string;
  readonly spec?: string;
  readonly reverts_at?: string | undefined;
  readonly error?: string;
}

/**
 * The logging specifications of all nodes: GET lists them, PUT changes all of them, for a limited time with `?for=10m`. If a node
 * fails, the others are changed nevertheless; the response names it.
 *
 * @param specs by the name of the node
 */
export function allSpecsRoute(path: string, specs: ReadonlyMap<string, LeasedSpec>): Route {
  const forEach = (work: (spec: LeasedSpec) => Promise<Omit<NodeResult, 'name'>>): Promise<NodeResult[]> =>
    Promise.all(
      [...specs].map(async ([name, spec]) => ({
        name,
        ...(await work(spec).catch((error: unknown) => ({ error: reasonOf(error) }))),
      })),
    );
  return {
    path,
    handlers: {
      GET: async () => {
        const nodes = await forEach(async (each) => {
          const { spec, revertsAt } = await each.get();
          return { spec, reverts_at: timeText(revertsAt) };
        });
        return jsonLineReply(200, { nodes });
      },
      PUT: async (request) => {
        const duration = readLeaseDuration(request.query);
        const spec = readSpec(await request.body());
        // An invalid specification must not be sent to any node.
        parseLogSpec(spec);
        if (specs.size === 0)
          throw new AgentError('NODE_UNKNOWN', 'the agent has no node with a log level that can be changed');
        const nodes = await forEach(async (each) => {
          await each.set(spec, { caller: request.caller, requestId: request.id }, duration);
          return { spec };
        });
        const failed = nodes.filter(({ error }) => error !== undefined).length;
        if (failed === 0) return { status: 204 };
        const error = `${failed} of ${nodes.length} nodes failed; see nodes`;
        return jsonLineReply(502, { error, nodes });
      },
    },
  };
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

// An object with one string attribute. It is applied to valid JSON, to find a duplicate attribute.
const ONE_ATTRIBUTE = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}\s*$/;

/**
 * Reads the body of `PUT /logspec`.
 *
 * @throws AgentError `BODY_INVALID`
 */
function readSpec(body: Uint8Array): string {
  const text = UTF8.decode(body);
  if (text.trim() === '') throw invalidBody('the body is empty');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The message of V8 differs between versions and quotes the input.
    throw invalidBody('the body is not valid JSON');
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw invalidBody(`the body is ${typeName(document)}`);
  const { spec } = document as { spec?: unknown };
  if (spec === undefined) throw invalidBody(`the attribute "spec" is missing`);
  if (typeof spec !== 'string') throw invalidBody(`the attribute "spec" is ${typeName(spec)}`);
  const other = Object.keys(document).find((name) => name !== 'spec');
  if (other !== undefined) throw invalidBody(`unknown attribute ${JSON.stringify(other.slice(0, 100))}`);
  if (!ONE_ATTRIBUTE.test(text)) throw invalidBody('duplicate attribute "spec"');
  return spec;
}

function invalidBody(found: string): AgentError {
  return new AgentError(
    'BODY_INVALID',
    `expected a JSON object with one attribute, "spec", a string, such as {"spec":"info"}; ${found}`,
  );
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The shortest and the longest lease, in milliseconds. */
const MIN_DURATION = 1000;
const MAX_DURATION = 24 * 3_600_000;
/** Longest part of a parameter in a message, in UTF-16 units. */
const MAX_SHOWN = 100;

/**
 * Reads the query of `PUT /logspec`: empty, or `for` with a duration.
 *
 * @returns milliseconds; undefined without `for`
 * @throws AgentError `QUERY_INVALID`
 */
function readLeaseDuration(query: URLSearchParams): number | undefined {
  const unknown = [...query.keys()].find((name) => name !== 'for');
  if (unknown !== undefined) throw invalidQuery(`unknown parameter '${unknown.slice(0, MAX_SHOWN)}'`);
  const [text, ...others] = query.getAll('for');
  if (text === undefined) return undefined;
  if (others.length > 0) throw invalidQuery("duplicate parameter 'for'");
  const duration = parse(text);
  if (duration === undefined || duration < MIN_DURATION || duration > MAX_DURATION)
    throw invalidQuery(`found '${text.slice(0, MAX_SHOWN)}'`);
  return duration;
}

function parse(text: string): number | undefined {
  try {
    return parsePositiveDuration(text);
  } catch {
    return undefined;
  }
}

function invalidQuery(found: string): AgentError {
  const range = `from ${formatDuration(MIN_DURATION)} to ${formatDuration(MAX_DURATION)}`;
  return new AgentError(
    'QUERY_INVALID',
    `the only parameter is 'for', a duration ${range} such as 10m or 1h30m; ${found}`,
  );
}
