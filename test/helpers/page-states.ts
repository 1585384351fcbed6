// Recorded states of real networks for the page of the agent. test/e2e/agent-page-states.test.ts records them.

import { readFileSync, writeFileSync } from 'node:fs';
import type { Problem, StatusDocument } from '../../core/status/document.js';
import { readEvent, readStatus } from '../../core/status/read.js';

/** The names of the recorded states. */
export const STATES = [
  'no-node',
  'healthy',
  'ordering',
  'orderer-killed',
  'quorum-lost',
  'recovered',
  'peer-killed',
  'planned',
  'peer-frozen',
  'certificate',
  'level-raised',
  'starved',
  'host-stopped',
  'host-unreachable',
] as const;

export type StateName = (typeof STATES)[number];

/** What the page gets from `/events`. */
export interface PageState {
  readonly document: StatusDocument;
  /** The newest first. */
  readonly events: readonly Problem[];
  /** When it was recorded, in milliseconds since the epoch. */
  readonly now: number;
}

const fileOf = (name: StateName): string => `test/core/page/states/${name}.json`;

/** A recorded state. */
export function pageState(name: StateName): PageState {
  const { state, events } = JSON.parse(readFileSync(fileOf(name), 'utf8')) as {
    readonly state: unknown;
    readonly events: readonly unknown[];
  };
  const document = readStatus(JSON.stringify(state));
  return {
    document,
    events: events.map((event) => readEvent(JSON.stringify(event))),
    now: Date.parse(document.time),
  };
}

/** Writes a state. @param texts texts of this machine, and what stands for them */
export function recordState(
  name: StateName,
  state: StatusDocument,
  events: readonly Problem[],
  texts: ReadonlyMap<string, string>,
): void {
  let json = JSON.stringify({ state, events: events.slice(0, 30) }, undefined, 1);
  // Only whole words: the name of a host can be part of other names.
  for (const [text, instead] of texts)
    json = json.replaceAll(new RegExp(`(?<![\\w])${text}(?![\\w])`, 'g'), instead);
  writeFileSync(fileOf(name), `${json}\n`);
}
