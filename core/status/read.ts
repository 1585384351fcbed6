// Reads the document of `/status`. Members of the wrong type count as missing: a page and a command may be older or newer than the agent,
// and a URL may belong to another service. Runs in browsers.

import type { Step } from '../contract/step.js';
import type { CheckStatus, NodeChannel, Problem, Span, StatusDocument } from './document.js';

type Read<Value> = (value: unknown) => Value;

/** Reads each member of an object; a value that is not an object has no members. */
const object =
  <Value>(members: { readonly [Name in keyof Required<Value>]: Read<Value[Name]> }): Read<Value> =>
  (value) => {
    const found = membersOf(value);
    return Object.fromEntries(
      Object.entries<Read<unknown>>(members).map(([name, read]) => [name, read(found.get(name))]),
    ) as Value;
  };

const list =
  <Value>(read: Read<Value>): Read<readonly Value[]> =>
  (value) =>
    Array.isArray(value) ? value.map(read) : [];

/** Reads an object that may be missing. @param key a string member that every such object has */
const optional =
  <Value>(key: string, read: Read<Value>): Read<Value | undefined> =>
  (value) =>
    typeof membersOf(value).get(key) === 'string' ? read(value) : undefined;

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);

const optionalText: Read<string | undefined> = (value) => (typeof value === 'string' ? value : undefined);
const text: Read<string> = (value) => optionalText(value) ?? '';
const optionalNumber: Read<number | undefined> = (value) => (typeof value === 'number' ? value : undefined);
const number: Read<number> = (value) => optionalNumber(value) ?? 0;
const flag: Read<boolean> = (value) => value === true;
const optionalFlag: Read<boolean | undefined> = (value) => (typeof value === 'boolean' ? value : undefined);

const optionalTrue: Read<true | undefined> = (value) => (value === true ? true : undefined);

const CHECK = object<CheckStatus>({ component: text, reason: text });

const PROBLEM = object<Problem>({
  component: text,
  node: optionalText,
  state: text,
  severity: text,
  reason: text,
  since: text,
  runbook: optionalText,
  kind: optionalText,
  cause: optionalText,
  headline: optionalText,
  steps: list(object<Step>({ text, command: optionalText })),
  began_at: optionalText,
  silenced: optionalTrue,
  delivered: optionalTrue,
  waiting: optionalText,
});

const SPAN = object<Span>({ component: text, severity: text, from: text, to: text });

const OF_CHANNEL = {
  height: optionalNumber,
  consensus: optional(
    'type',
    object<NonNullable<NodeChannel['consensus']>>({
      type: text,
      is_leader: optionalFlag,
      leader_id: optionalNumber,
      view_change: optionalTrue,
      cluster_size: optionalNumber,
      active_nodes: optionalNumber,
    }),
  ),
  relation: optionalText,
  status: optionalText,
  removed: optionalTrue,
  stale: optionalTrue,
};

const DELIVERY = object<StatusDocument['sinks'][number]>({
  name: text,
  state: text,
  path: optionalText,
  delivered_at: optionalText,
  queued: optionalNumber,
  events: optionalText,
  problem: optionalText,
});

const DOCUMENT = object<StatusDocument>({
  time: text,
  agent: object({
    version: optionalText,
    commit: optionalText,
    started_at: text,
    uptime: number,
    healthy: flag,
    notes: list(text),
    name: optionalText,
    host: optionalText,
    found: list(text),
    running: number,
    program: text,
    lag: optionalNumber,
  }),
  problems: list(PROBLEM),
  checks: list(text),
  unchecked: list(text),
  unconfirmed: list(CHECK),
  nodes: list(
    object({
      name: text,
      kind: text,
      up: flag,
      state: text,
      address: optionalText,
      reason: optionalText,
      refused: optionalTrue,
      version: optionalText,
      healthy: flag,
      failed_checks: list(CHECK),
      warnings: list(CHECK),
      started_at: optionalText,
      restarts_last_hour: number,
      restarting: optionalTrue,
      last_reading: optionalText,
      channels: list(object({ name: text, ...OF_CHANNEL })),
      log: optional(
        'source',
        object({
          source: text,
          lines: list(text),
          last: optionalText,
          ended: optionalTrue,
          cause: optionalText,
          started: optionalTrue,
          unknown: optionalText,
          problem: optionalText,
        }),
      ),
      past: list(SPAN),
    }),
  ),
  warnings: list(CHECK),
  channels: list(
    object({
      name: text,
      verdict: optionalText,
      reason: optionalText,
      since: optionalText,
      height: optionalNumber,
      last_block_at: optionalText,
      blocks: list(number),
      transactions: list(number),
      consenters: list(
        object({
          name: text,
          node: optionalText,
          address: optionalText,
          state: text,
          outage: optionalText,
          leader: flag,
        }),
      ),
      needed: optionalNumber,
      may_fail: optionalNumber,
      nodes: list(object({ node: text, kind: text, ...OF_CHANNEL })),
      past: list(SPAN),
    }),
  ),
  certificates: list(
    object({
      component: text,
      part: optionalText,
      node: optionalText,
      subject: text,
      kind: text,
      path: text,
      not_after: text,
    }),
  ),
  engines: list(object({ component: text, version: text })),
  levels: list(
    object({
      name: text,
      spec: optionalText,
      configured: optionalText,
      reverts_at: optionalText,
      set_by: optionalText,
      set_at: optionalText,
    }),
  ),
  plugins: list(object({ name: text, kind: text, state: text })),
  sinks: list(DELIVERY),
  notifiers: list(DELIVERY),
  silences: list(
    object({
      id: text,
      node: optionalText,
      channel: optionalText,
      from: text,
      until: text,
      by: text,
      why: text,
    }),
  ),
  agents: list(
    object({
      name: text,
      url: text,
      reachable: flag,
      since: text,
      reason: optionalText,
      healthy: optionalFlag,
      nodes: list(object({ name: text, kind: text, state: text })),
      channels: list(object({ name: text, verdict: optionalText })),
    }),
  ),
});

/** Reads the document of `/status`. @param parse parses JSON. @throws the error of `parse`: SyntaxError if the text is not JSON */
export const readStatus = (json: string, parse: (json: string) => unknown = JSON.parse): StatusDocument =>
  DOCUMENT(parse(json));

/** Reads the data of a message of type `event` of `/events`. @throws SyntaxError if the text is not JSON */
export const readEvent = (json: string): Problem => PROBLEM(JSON.parse(json));
