// Detects a wrong clock of this host. Then the state of certificates, and of all components that are reached with TLS, is unknown.

import { formatDuration, periodText } from '../common/text/duration.js';
import type { HostClock, TimeEvidence } from '../contract/internal/index.js';

/** The component of the failure. */
export const CLOCK = 'clock';

/** Smaller differences are ignored, in milliseconds. Fabric itself allows 15 minutes between a client and a peer (`peer.authentication.timewindow`). */
const MOST = 5 * 60_000;
const MINUTE = 60_000;
/** Longer differences are printed in days, in milliseconds. */
const LONG = 48 * 3_600_000;

/**
 * Reasons that depend on the clock: of requests with TLS, of the checkers `certificates` and `channel-config`, and of requests that orderers
 * refuse because of their timestamp (`authentication.timewindow`).
 */
const BY_CLOCK =
  /certificate is not yet valid|certificate has expired|is not valid before |\bexpired on \d|\bexpires on \d|: bad request \(400\)/;
/** The reason of the checker `node-health` when the clocks of this host and of a node differ. */
const DIFFERENT = /^the clock of this host is /;

/** Returns true if a reason reports that a certificate or a request is not valid at this time. */
export const dependsOnClock = (reason: string): boolean => BY_CLOCK.test(reason);

/** Returns true if a reason only reports that the clocks differ. */
export const isDifference = (reason: string): boolean => DIFFERENT.test(reason);

/** Collects the evidence of all checkers about the clock of this host. */
export class Clock {
  readonly #now: () => number;
  /** By checker. */
  readonly #evidence = new Map<string, TimeEvidence>();
  /** The checkers without whose evidence there is no problem: none while the clock is right, so that no evidence has to be read. */
  readonly #suspicious = new Set<string>();
  #onWrong: () => void = () => undefined;

  /** @param now milliseconds since the epoch. @default Date.now */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param onWrong called when evidence is recorded while the clock is wrong */
  watch(onWrong: () => void): void {
    this.#onWrong = onWrong;
  }

  /** The clock for the context of a checker. @param name the name of the checker */
  of(name: string): HostClock {
    return {
      record: (evidence) => {
        this.#evidence.set(name, evidence);
        const { certificates, difference = 0 } = evidence;
        const isSuspicious = Math.abs(difference) > MOST || (certificates?.early ?? 0) > 0;
        this.#suspicious[isSuspicious ? 'add' : 'delete'](name);
        if (this.problem !== undefined) this.#onWrong();
      },
    };
  }

  /** Whether there is evidence of a wrong clock, which other checkers may not have confirmed yet. */
  get isDoubtful(): boolean {
    return [...this.#evidence.values()].some(
      ({ certificates, difference = 0 }) =>
        Math.abs(difference) > MOST || (certificates?.early ?? 0) > 0 || (certificates?.expired ?? 0) > 1,
    );
  }

  /** The problem of the clock, with the evidence; undefined: no problem is known. */
  get problem(): string | undefined {
    return this.#suspicious.size === 0 ? undefined : (this.#behind() ?? this.#ahead());
  }

  /** @throws Error with {@link problem} */
  check(): void {
    if (this.problem !== undefined) throw new Error(this.problem);
  }

  /** Certificates and files are from the past, so the time cannot be earlier than their times. */
  #behind(): string | undefined {
    const { certificates, ahead, others, written } = this.#known();
    const early = sum(certificates.map((each) => each.early));
    const isNoneValid = early > 1 && certificates.every((each) => each.early === each.count);
    const left = Math.max(...certificates.map(({ newest }) => newest), written) - this.#now();
    const areNodes = ahead.length > 1 && ahead.length === others;
    const isWritten = written - this.#now() > MOST;
    const isKnown = areNodes || isNoneValid || (early > 1 && (ahead.length > 0 || isWritten));
    if (!isKnown) return undefined;
    return describe('behind', ahead.length > 0 ? Math.min(...ahead) : left, ahead.length > 0, [
      ...(isNoneValid
        ? ['no certificate is valid yet']
        : early > 1
          ? [`${early} certificates are not valid yet`]
          : []),
      ...nodesText(ahead.length),
      ...(isWritten ? ['files were written later'] : []),
    ]);
  }

  /** All certificates of a network may really have expired, so expired certificates alone are no evidence. */
  #ahead(): string | undefined {
    const { certificates, behind, others } = this.#known();
    const expired = sum(certificates.map((each) => each.expired));
    const areNodes = behind.length > 1 && behind.length === others;
    if (!areNodes && !(expired > 1 && behind.length > 0)) return undefined;
    return describe('ahead', Math.min(...behind), true, [
      ...(expired > 1 ? [`${expired} certificates have expired`] : []),
      ...nodesText(behind.length),
    ]);
  }

  #known() {
    const all = [...this.#evidence.values()];
    const differences = all.flatMap(({ difference }) => difference ?? []);
    return {
      certificates: all.flatMap(({ certificates }) =>
        certificates === undefined || certificates.count === 0 ? [] : [certificates],
      ),
      written: Math.max(-Infinity, ...all.flatMap(({ written }) => written ?? [])),
      /** How much other clocks are ahead of this clock or behind it, as positive numbers. */
      ahead: differences.filter((each) => each > MOST),
      behind: differences.filter((each) => each < -MOST).map((each) => -each),
      /** The number of known other clocks. */
      others: differences.length,
    };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const nodesText = (count: number): string[] =>
  count === 0
    ? []
    : [
        count === 1
          ? 'the difference to the clock of a node shows it'
          : `the difference to the clocks of ${count} nodes shows it`,
      ];

function describe(relation: string, difference: number, isExact: boolean, how: readonly string[]): string {
  const rounded = Math.max(MINUTE, Math.round(difference / MINUTE) * MINUTE);
  const period = rounded < LONG ? formatDuration(rounded) : periodText(rounded);
  return `the clock of this host is ${isExact ? '' : 'at least '}${period} ${relation} (${how.join(', ')})`;
}
