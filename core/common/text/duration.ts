// Durations of the agent, in milliseconds: Go durations in the range of timers.

import { parseDuration as parseGoDuration } from './go-duration.js';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const ALLOWED = 'must be a duration such as 10s, 1m30s or 500ms';

/** Longest duration, in milliseconds (about 24.8 days): Node's timers cannot wait longer. */
const MAX_DURATION = 2 ** 31 - 1;

/**
 * Parses a duration such as `10s`, `1m30s` or `500ms`. As in Go, 0 needs no unit.
 *
 * @returns milliseconds
 * @throws Error saying what is allowed
 */
export function parseDuration(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw new Error(ALLOWED);
  if (NUMBER.test(text)) return parseBareNumber(text);
  const duration = parseGoDuration(text);
  if ('error' in duration) throw new Error(ALLOWED);
  const total = Number(duration.nanoseconds) / 1e6;
  if (total < 0) throw new Error('must not be negative');
  if (total > MAX_DURATION) throw new Error(`must not be longer than ${formatDuration(MAX_DURATION)}`);
  return total;
}

function parseBareNumber(text: string): number {
  if (Number(text) === 0) return 0;
  throw new Error(`must have a unit: write ${text}s for seconds or ${text}ms for milliseconds`);
}

/** Like {@link parseDuration}, but refuses zero. */
export function parsePositiveDuration(value: unknown): number {
  const milliseconds = parseDuration(value);
  if (milliseconds === 0) throw new Error('must be longer than 0s');
  return milliseconds;
}

/** Formats milliseconds as a duration that {@link parseDuration} can parse: `10s`, `1m30s`, `1.5ms`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return milliseconds === 0 ? '0s' : `${round(milliseconds)}ms`;
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor((milliseconds % 3_600_000) / 60_000);
  const seconds = round((milliseconds % 60_000) / 1000);
  return [
    hours > 0 ? `${hours}h` : '',
    minutes > 0 ? `${minutes}m` : '',
    seconds > 0 ? `${seconds}s` : '',
  ].join('');
}

function round(value: number): number {
  return Number(value.toFixed(6));
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A period in the largest unit that fits, rounded down: `3 days`. */
export function periodText(milliseconds: number): string {
  const [unit, size] = UNITS.find((each) => milliseconds >= each[1]) ?? UNITS[3];
  const count = Math.floor(milliseconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
