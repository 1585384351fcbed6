// The fuzz targets, their inputs and outcomes.

/** Each target reads bytes and must either process them or refuse them with a message. */
export const TARGETS = [
  'decode',
  'encode',
  'message',
  'form',
  'logspec',
  'put-logspec',
  'config',
  'channel-config',
  'http',
  'statsd',
  'exposition',
  'certificate',
  'envelope',
  'policy',
] as const;

export type TargetName = (typeof TARGETS)[number];

/** One input. */
export interface Input {
  readonly target: TargetName;
  /** The message name for decode, encode and message, one of {@link SERVERS} for http, otherwise empty. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** The two services. */
export const SERVERS = ['agent', 'translator'] as const;

/** The outcome of an input. Anything else is thrown. */
export type Outcome = 'accepted' | 'refused';

/** What some targets need. */
export interface Fixtures {
  /** The ports of the services by their name in {@link SERVERS}. */
  readonly ports: ReadonlyMap<string, number>;
  /** A directory for files. */
  readonly folder: string;
  readonly close: () => Promise<void>;
}
