// `/silences`: GET lists the active silences, PUT begins one. `/silences/<id>`: DELETE ends one.

import { formatDuration, parsePositiveDuration } from '../common/text/duration.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { jsonLineReply, type Route } from '../http/route.js';
import {
  MAX_UNCONFIRMED,
  silenceDocument,
  unknownName,
  type Silences,
  type SilenceScope,
} from './silences.js';

/** Longest reason of a silence, in UTF-16 units. */
const MAX_WHY = 500;
/** Longest part of the body in a message, in UTF-16 units. */
const MAX_SHOWN = 100;

/** The names that silences can have. */
export interface KnownNames {
  readonly nodes: readonly string[];
  readonly channels: readonly string[];
}

/** A silence that a client asks for. */
interface Wanted extends SilenceScope {
  /** Milliseconds. */
  readonly duration: number;
  readonly why: string;
}

/** The routes. @param known called for each new silence */
export const silenceRoutes = (silences: Silences, known: () => KnownNames): readonly Route[] => [
  {
    path: '/silences',
    handlers: {
      GET: () => jsonLineReply(200, { silences: silences.active.map(silenceDocument) }),
      PUT: async (request) => {
        const { duration, ...wanted } = readSilence(await request.body(), known());
        const silence = silences.begin({ ...wanted, until: Date.now() + duration, by: request.caller });
        return jsonLineReply(201, silenceDocument(silence));
      },
    },
  },
  {
    path: '/silences/:id',
    handlers: {
      DELETE: ({ params, caller }) => {
        silences.end(params.get('id') ?? '', caller);
        return { status: 204 };
      },
    },
  },
];

/** The members of the body, with their types. */
const MEMBERS: ReadonlyMap<string, 'string' | 'boolean'> = new Map([
  ['node', 'string'],
  ['channel', 'string'],
  ['for', 'string'],
  ['why', 'string'],
  ['confirm', 'boolean'],
]);

/** Reads the body of `PUT /silences`. @throws AgentError `BODY_INVALID` */
function readSilence(body: Uint8Array, { nodes, channels }: KnownNames): Wanted {
  const members = readMembers(body);
  const text = (name: string): string | undefined => members.get(name) as string | undefined;
  const [node, channel, why = ''] = [text('node'), text('channel'), text('why')];
  const unknown = unknownName('node', node, nodes) ?? unknownName('channel', channel, channels);
  if (unknown !== undefined) throw invalid(unknown);
  const duration = readDuration(text('for'));
  if (duration > MAX_UNCONFIRMED && members.get('confirm') !== true)
    throw invalid(
      `${formatDuration(duration)} is longer than ${formatDuration(MAX_UNCONFIRMED)}; set "confirm" to true (--yes on the command line) if that is intended`,
    );
  if (why.trim() === '')
    throw invalid('"why" is missing: the reason for the silence, which is in its events');
  if (why.length > MAX_WHY)
    throw invalid(`"why" has ${why.length} characters; at most ${MAX_WHY} are allowed`);
  return { node, channel, duration, why: why.trim() };
}

function readDuration(text: string | undefined): number {
  if (text === undefined)
    throw invalid('"for" is missing: a silence needs an end, such as {"for":"30m","why":"upgrade"}');
  try {
    return parsePositiveDuration(text);
  } catch (error) {
    throw invalid(`"for" ${reasonOf(error)}; found '${text.slice(0, MAX_SHOWN)}'`);
  }
}

/** The members of the JSON object in a body. @throws AgentError `BODY_INVALID` */
function readMembers(body: Uint8Array): ReadonlyMap<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw invalid('the body is not valid JSON');
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw invalid('the body is not a JSON object, such as {"node":"peer0","for":"30m","why":"upgrade"}');
  const members = new Map<string, unknown>(Object.entries(document));
  for (const [name, value] of members) {
    const type = MEMBERS.get(name);
    if (type === undefined)
      throw invalid(
        `unknown attribute ${JSON.stringify(name.slice(0, MAX_SHOWN))}; allowed are ${[...MEMBERS.keys()].join(', ')}`,
      );
    if (typeof value !== type) throw invalid(`"${name}" must be a ${type}`);
  }
  return members;
}

const invalid = (reason: string): AgentError => new AgentError('BODY_INVALID', reason);
