// What is fuzzed, and what an input and its outcome are.

/** Each target takes bytes, and must either do its work or refuse them in words. */
export const TARGETS = [
  'decode',
  'encode',
  'form',
  'logspec',
  'put-logspec',
  'config',
  'http',
  'statsd',
] as const;

export type TargetName = (typeof TARGETS)[number];

/** One input. */
export interface Input {
  readonly target: TargetName;
  /** Of decode and encode the message name, of http which of the {@link SERVERS}; empty otherwise. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** The two services. */
export const SERVERS = ['agent', 'translator'] as const;

/** What came of an input: it was taken, or refused. Anything else is thrown. */
export type Outcome = 'taken' | 'refused';

/** What some targets need beside them. */
export interface Fixtures {
  /** The ports of the services by their name in {@link SERVERS}. */
  readonly ports: ReadonlyMap<string, number>;
  /** A folder for files. */
  readonly folder: string;
  readonly close: () => Promise<void>;
}
