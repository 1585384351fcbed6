// What the agent and the process of an isolated plugin send each other, as structured clones.

import { errorCodeOf } from '../../contract/errors.js';
import {
  AgentError,
  FailedChecks,
  reasonOf,
  type FailedPart,
  type FamilyOptions,
  type HistogramOptions,
  type Labels,
  type LevelName,
  type LogFields,
  type MetricBatch,
  type OptionSpec,
  type PluginKind,
  type SourceState,
} from '../../contract/index.js';

/** Most parts of a failed check that are sent. */
const MAX_PARTS = 1_000;

/** What the agent requests, by name: the arguments and the result of each call. */
export interface Calls {
  /** Imports the module. `options` are those of the declaration, as written. */
  load: [args: { url: string; options: Readonly<Record<string, unknown>> }, result: Described];
  create: [args: { name: string; options: Readonly<Record<string, unknown>> }, result: Created];
  init: [args: undefined, result: undefined];
  start: [args: undefined, result: undefined];
  check: [args: undefined, result: undefined];
  flush: [args: MetricBatch, result: undefined];
  stop: [args: undefined, result: undefined];
}

/** The name of a call. */
export type CallName = keyof Calls;

/** The format of an option; that of a function is what it says of the value given, or of the default. */
export type WireFormat =
  | { readonly kind: 'named'; readonly format: string | readonly string[] }
  | { readonly kind: 'String' }
  | { readonly kind: 'Number' }
  | { readonly kind: 'Boolean' }
  | { readonly kind: 'function'; readonly problem?: string; readonly allowed?: string };

/** The definition of a plugin, or why there is none. */
export type Described =
  | { readonly problem: string }
  | {
      readonly kind: PluginKind;
      readonly name: string;
      readonly options: Readonly<
        Record<string, Omit<OptionSpec, 'format'> & { readonly format: WireFormat }>
      >;
    };

/** What `create` returned. */
export interface Created {
  /** Why it is not a plugin of its kind. */
  readonly problem?: string;
  readonly isPull: boolean;
  /** The values of a push sink. */
  readonly push?: {
    readonly interval: number;
    readonly values?: 'growth' | 'totals';
    readonly maxTimings?: number;
  };
}

/** A message of the agent. */
export type Request =
  | {
      readonly id: number;
      readonly call: CallName;
      readonly args: unknown;
      /** The lowest level that the logger of the plugin writes. */
      readonly level: LevelName;
      /** The readings of the sources, when they changed. */
      readonly readings?: readonly SourceState[];
    }
  | { readonly abort: number; readonly reason: string };

/** A family that the plugin created. */
export interface WireFamily {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly options: FamilyOptions | HistogramOptions;
}

/** A change of an instrument. */
export interface WireChange {
  /** The position of its family among all families that were sent. */
  readonly family: number;
  readonly labels: Labels;
  readonly method: 'inc' | 'set' | 'add' | 'observe';
  readonly amount: number;
}

/** A log entry. */
export interface WireEntry {
  readonly level: LevelName;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/** What the plugin did with its instruments and its logger since the last message. */
export interface Updates {
  readonly families: readonly WireFamily[];
  readonly changes: readonly WireChange[];
  readonly entries: readonly WireEntry[];
  /** Changes and entries over the limits, which are not sent. */
  readonly dropped: number;
}

/** A message of the process. Updates precede the reply to the call that made them. */
export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: WireError }
  | { readonly updates: Updates }
  | { readonly uncaught: WireError };

/** An error. */
export interface WireError {
  readonly message: string;
  readonly code?: string;
  readonly parts?: readonly FailedPart[];
}

/** The error to send for anything that was thrown. */
export function toWire(thrown: unknown): WireError {
  const code = errorCodeOf(thrown);
  const message = reasonOf(thrown);
  try {
    const { parts } = thrown as { readonly parts: readonly FailedPart[] };
    if (code === 'CHECKS_FAILED')
      return {
        message,
        code,
        parts: parts.slice(0, MAX_PARTS).map(({ component, reason }) => ({
          component,
          reason: reasonOf(reason),
        })),
      };
  } catch {
    // Reading the parts ran code of the plugin, which threw.
  }
  return code === undefined ? { message } : { message, code };
}

/** The error that was sent. */
export function fromWire({ message, code, parts }: WireError): Error {
  if (parts !== undefined && parts.length > 0) return new FailedChecks(parts);
  const known = errorCodeOf({ code });
  return known === undefined || known === 'CHECKS_FAILED'
    ? new Error(message)
    : new AgentError(known, message);
}
