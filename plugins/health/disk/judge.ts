// Judges a file system.

import type { DetailedPart } from '../../../core/contract/internal/index.js';
import { periodText } from '../../../core/kit/index.js';
import { bytesText, type Amount } from './amount.js';
import { NEW_CHANNEL_WAL, WAL_SEGMENT, type RaftWal } from './raft-wal.js';
import type { Space } from './space.js';

const DAY = 86_400_000;
/** How long the file of the next segment may be empty, in milliseconds: it is empty until its space is allocated. */
const ALLOCATION = 60_000;

/** A reason with its severity. */
export type UnnamedFailure = Omit<DetailedPart, 'component'>;

/** The amount of an option, with its text. */
export interface Limit {
  readonly text: string;
  readonly of: Amount;
}

/** The limits in the options of the checker. */
export interface Limits {
  readonly minimum: Limit;
  readonly warning: Limit;
  readonly minimumInodes: Limit;
  /** Full sooner than this is a warning, in milliseconds. */
  readonly fullWithin: number;
}

/** The known facts about a file system. */
export interface FileSystem {
  readonly space: Space;
  /** Growth in bytes per millisecond; undefined: not known yet. */
  readonly growth: number | undefined;
  /** The raft WALs in it; undefined: it is not the file system of the WALs of an orderer. */
  readonly wals: readonly RaftWal[] | undefined;
}

/** How much the raft WALs of an orderer can need at once, in bytes: the next segment of each WAL, and the segments of a new channel. */
export const walNeeds = (wals: readonly RaftWal[]): number => wals.length * WAL_SEGMENT + NEW_CHANNEL_WAL;

/** In how many milliseconds a file system is full; undefined: it does not grow, or its growth is unknown. */
export const untilFull = ({ space, growth }: FileSystem): number | undefined =>
  growth === undefined || growth <= 0 ? undefined : space.freeBytes / growth;

/** @param now milliseconds since the epoch */
export function spaceProblem(system: FileSystem, limits: Limits, now: number): UnnamedFailure | undefined {
  const { space, wals = [] } = system;
  const free = `${bytesText(space.freeBytes)} of ${bytesText(space.bytes)} are free`;
  const problems: readonly [string | undefined, headline: string, severity?: 'warning'][] = [
    [criticalOf(space, limits, free), 'The disk of {node} is almost full'],
    [failedWal(wals, now), 'A raft WAL of {node} got no space'],
    [noSegment(space, wals, free), 'The disk of {node} is too full for raft'],
    [soonFull(system, limits, free), 'The disk of {node} will be full soon', 'warning'],
    [walSpace(system, free), 'The disk of {node} has little space for raft', 'warning'],
    [tooLittle(space, limits, free), 'The disk of {node} has little space left', 'warning'],
  ];
  const [reason, headline, severity] = problems.find(([each]) => each !== undefined) ?? [];
  return reason === undefined || headline === undefined
    ? undefined
    : { reason, headline, ...(severity !== undefined && { severity }) };
}

function criticalOf(
  { bytes, freeBytes, inodes, freeInodes }: Space,
  { minimum, minimumInodes }: Limits,
  free: string,
): string | undefined {
  if (freeBytes < minimum.of(bytes)) return `${free}; the minimum is ${minimum.text}`;
  if (inodes > 0 && freeInodes < minimumInodes.of(inodes))
    return `${freeInodes} of ${inodes} inodes are free; the minimum is ${minimumInodes.text}`;
  return undefined;
}

function failedWal(wals: readonly RaftWal[], now: number): string | undefined {
  const failed = wals.filter(({ failedAt = now }) => now - failedAt > ALLOCATION);
  if (failed.length === 0) return undefined;
  const channels = failed.map(({ channel }) => channel).join(', ');
  return `there was no space for the next segment of the raft WAL of ${channels}: the orderer panics when the current segment is full, even if there is space again; free ${bytesText(WAL_SEGMENT)} for each and restart it`;
}

function noSegment({ freeBytes }: Space, wals: readonly RaftWal[], free: string): string | undefined {
  if (wals.length === 0 || freeBytes >= WAL_SEGMENT) return undefined;
  return `${free}; the next segment of a raft WAL takes ${bytesText(WAL_SEGMENT)}, and without it the orderer panics`;
}

const tooLittle = ({ bytes, freeBytes }: Space, { warning }: Limits, free: string): string | undefined =>
  freeBytes < warning.of(bytes) ? `${free}; less than ${warning.text} is a warning` : undefined;

function soonFull(system: FileSystem, { fullWithin }: Limits, free: string): string | undefined {
  const left = untilFull(system);
  if (left === undefined || left >= fullWithin) return undefined;
  const growth = bytesText(Math.round(system.growth! * DAY));
  return `full in ${periodText(left)}: ${free}, and it grows by ${growth} a day; sooner than ${periodText(fullWithin)} is a warning`;
}

function walSpace({ space, wals }: FileSystem, free: string): string | undefined {
  if (wals === undefined || space.freeBytes >= walNeeds(wals)) return undefined;
  const segments =
    wals.length === 0
      ? ''
      : `${bytesText(WAL_SEGMENT)} for the next segment of each of ${wals.length} channel${wals.length === 1 ? '' : 's'} and `;
  return `${free}; raft WALs can need ${bytesText(walNeeds(wals))}: ${segments}${bytesText(NEW_CHANNEL_WAL)} for a new channel`;
}
