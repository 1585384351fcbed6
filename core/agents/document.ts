// The part of the document of another agent that this agent uses. The other agent may be wrong or lie, so the document, its lists and its
// texts are bounded.

import { parseForeignJson } from '../common/text/foreign-json.js';
import { onOneLine } from '../common/text/one-line.js';
import type { ChannelStatus, ConsenterStatus, NodeStatus, Problem } from '../status/document.js';

/** Longest text, in UTF-16 units: names of channels have up to 249. */
const MAX_TEXT = 256;
/** Most entries of a list; of the consenters of a channel. */
const [MAX_ENTRIES, MAX_CONSENTERS] = [1_000, 100];

/** The document of another agent. Texts have at most 256 UTF-16 units on one line. */
export interface OtherAgentDocument {
  /** Undefined: the document is not from an agent, or from an older one. */
  readonly name: string | undefined;
  /** Undefined: its first checks still run. */
  readonly healthy: boolean | undefined;
  /** The notifiers that run: the events that each wants, and whether its last call failed. */
  readonly notifiers: readonly { readonly events: string; readonly isFailing: boolean }[];
  readonly problems: readonly Pick<Problem, 'component' | 'delivered' | 'severity'>[];
  readonly nodes: readonly Pick<NodeStatus, 'name' | 'kind' | 'state' | 'restarting'>[];
  readonly channels: readonly OtherAgentChannel[];
}

/** A channel of another agent. */
interface OtherAgentChannel extends Pick<ChannelStatus, 'name' | 'verdict'> {
  /** The consenters that the agent monitors, with known states. */
  readonly consenters: readonly ConsenterStatus[];
  /** Whether it has a node in the channel. */
  readonly hasNodes: boolean;
}

/** Reads `/status` of another agent. @throws SyntaxError or RangeError, see {@link parseForeignJson} */
export function readAgentDocument(json: string): OtherAgentDocument {
  const document = parseForeignJson(json);
  const agent = memberOf(document, 'agent');
  return {
    name: textIn(agent, 'name'),
    healthy: listIn(document, 'unchecked').length > 0 ? undefined : memberOf(agent, 'healthy') === true,
    notifiers: entriesIn(document, 'notifiers')
      .filter((each) => memberOf(each, 'state') === 'running')
      .map((each) => ({
        events: textIn(each, 'events') ?? '',
        isFailing: memberOf(each, 'problem') !== undefined,
      })),
    problems: entriesIn(document, 'problems').map((each) => ({
      component: textIn(each, 'component') ?? '',
      severity: textIn(each, 'severity') ?? '',
      delivered: memberOf(each, 'delivered') === true || undefined,
    })),
    nodes: entriesIn(document, 'nodes').map((each) => ({
      name: textIn(each, 'name') ?? '',
      kind: textIn(each, 'kind') ?? '',
      state: textIn(each, 'state') ?? '',
      restarting: memberOf(each, 'restarting') === true || undefined,
    })),
    channels: entriesIn(document, 'channels').map((each) => ({
      name: textIn(each, 'name') ?? '',
      verdict: textIn(each, 'verdict'),
      consenters: entriesIn(each, 'consenters', MAX_CONSENTERS).flatMap(consenterOf),
      hasNodes: listIn(each, 'nodes').length > 0,
    })),
  };
}

function consenterOf(consenter: unknown): ConsenterStatus[] {
  const [node, address, state] = ['node', 'address', 'state'].map((key) => textIn(consenter, key));
  if (node === undefined || address === undefined || state === undefined || state === 'unknown') return [];
  const outage = textIn(consenter, 'outage');
  const name = textIn(consenter, 'name') ?? '';
  return [{ name, node, address, state, outage, leader: memberOf(consenter, 'leader') === true }];
}

/** A member of an object; undefined for every other value. */
const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}

const entriesIn = (value: unknown, key: string, max = MAX_ENTRIES): readonly unknown[] =>
  listIn(value, key).slice(0, max);

function textIn(value: unknown, key: string): string | undefined {
  const text = memberOf(value, key);
  return typeof text === 'string' ? onOneLine(text.slice(0, MAX_TEXT)) : undefined;
}
