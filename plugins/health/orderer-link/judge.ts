// Judges the responses of the orderers of a channel.

import type {
  DetailedPart,
  ChannelResponses,
  OrdererResponse,
} from '../../../core/contract/internal/index.js';
import { ConditionDurations } from '../../../core/kit/index.js';

/**
 * The response of an orderer: the number of blocks of the channel, or why there is none, and whether the orderer refused the request or did
 * not respond.
 */
export type LinkResponse = OrdererResponse & {
  /** The address in the config of the channel, if the peer is configured to connect to `address` instead. */
  readonly replaces?: string | undefined;
} & (
    | { readonly height: bigint }
    | {
        readonly isRefused: boolean;
        /** Whether the name is unknown on this host only: the container of the peer has a network of its own. @default false */
        readonly isUnseen?: boolean;
        /** The status of the response (`common.Status`); undefined: there was none. */
        readonly status?: number | undefined;
        readonly reason: string;
      }
  );

/** An orderer without a response to a request for a block, or with a refusal. */
type FailedLink = Exclude<LinkResponse, { readonly height: bigint }>;

/** The newest config block in the ledger of a peer. */
export interface LinkConfig {
  /** The number of the block. */
  readonly block: number;
  readonly isInMaintenance: boolean;
}

/** `common.Status` of an orderer that refuses an identity, and in maintenance all identities but those of orderer organisations. */
const FORBIDDEN = 403;

/** The responses of the orderers of a channel to a peer. */
export interface LinkReport {
  readonly channel: string;
  /** The number of blocks in the ledger of the peer; undefined if it cannot be read. */
  readonly height: bigint | undefined;
  /** One for each orderer in the newest config block. */
  readonly responses: readonly LinkResponse[];
  /** Undefined: none was read. */
  readonly config?: LinkConfig | undefined;
  /** Why the ledger cannot be read; if there are responses, they are from an earlier config block. */
  readonly problem: string | undefined;
}

/** The record of the responses, for the verdicts about the channels. */
export const responsesIn = (links: readonly LinkReport[]): ChannelResponses[] =>
  links.map(({ channel, responses }) => ({
    channel,
    responses: responses.map(({ address, consenter, state }) => ({ address, consenter, state })),
  }));

/** A ledger that does not grow while orderers respond is critical after this multiple of `lagTimeout`. */
const STUCK_CRITICAL_AFTER = 4;

/** The options for {@link Judge}. */
interface JudgeOptions {
  /** Whether the requests are signed with an identity other than the identity of the peer. */
  readonly isReader: boolean;
  /** Whether the agent has a verdict about the channels, which names their maintenance. */
  readonly hasVerdict: boolean;
  /** How many blocks the ledger may be behind for longer than `lagTimeout`. */
  readonly maxLag: number;
  /** Milliseconds. */
  readonly lagTimeout: number;
}

/** The number of blocks that the highest orderer has; undefined if none responds. */
export function highestOf({ responses }: Pick<LinkReport, 'responses'>): bigint | undefined {
  const heights = responses.flatMap((each) => ('height' in each ? [each.height] : []));
  return heights.length === 0 ? undefined : heights.reduce((high, each) => (each > high ? each : high));
}

/** How many blocks the ledger of the peer is behind the highest orderer; undefined if one of them is unknown. */
export function lagOf(link: LinkReport): number | undefined {
  const highest = highestOf(link);
  return highest === undefined || link.height === undefined
    ? undefined
    : Math.max(0, Number(highest - link.height));
}

/** `127.0.0.1:7050, which addressOverrides uses instead of orderer1.example.com:7050` */
const addressOf = ({ address, replaces }: LinkResponse): string =>
  replaces === undefined ? address : `${address}, which addressOverrides uses instead of ${replaces}`;

const PROBLEM = 'Could not connect to ordering service';
/** The number of last log lines that are searched: a peer that gets no blocks writes some lines for each attempt, every few seconds. */
const NEWER_LINES = 10;

/**
 * The last log line of the peer about why it gets no blocks of a channel, without its time (Fabric: common/deliverclient/blocksprovider).
 */
function lastProblem(channel: string, log: readonly string[]): string | undefined {
  const found = log
    .slice(-NEWER_LINES)
    .findLast((line) => line.includes(PROBLEM) && line.split(/[\s"',=:]+/).includes(channel));
  return found?.slice(found.indexOf(PROBLEM));
}

/** Judges links, and measures how long ledgers have been behind. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #behind = new ConditionDurations();

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /**
   * @param now milliseconds, from a clock that does not jump
   * @param log the last warnings and errors in the log of the peer, oldest first
   * @param isInMaintenance whether the channel is in maintenance, in which orderers refuse the requests of peers
   */
  failuresOf(
    links: readonly LinkReport[],
    now: number,
    log: readonly string[] = [],
    isInMaintenance: (link: LinkReport) => boolean = () => false,
  ): DetailedPart[] {
    const { maxLag, lagTimeout } = this.#options;
    const lags = links.map((link) => {
      const lag = lagOf(link) ?? 0;
      // The key contains the height, so the duration starts again when the ledger grows.
      return { stuck: `stuck ${link.height} ${link.channel}`, far: `far ${link.channel}`, lag };
    });
    const keys = lags.flatMap(({ lag, stuck, far }) =>
      lag <= 0 ? [] : lag > maxLag ? [stuck, far] : [stuck],
    );
    const durations = this.#behind.record(keys, now);
    const lasts = (key: string, time = lagTimeout): boolean => (durations.get(key) ?? -1) >= time;
    return links.flatMap((link, index): DetailedPart[] => {
      const { stuck, far, lag } = lags[index]!;
      const isPaused = isInMaintenance(link);
      const failure = this.#linkFailure(link, isPaused);
      const isStuck = lasts(stuck);
      const verb = isStuck ? 'does not grow and is' : lasts(far) ? 'is' : undefined;
      const logged = isStuck ? lastProblem(link.channel, log) : undefined;
      const lagging =
        verb === undefined
          ? []
          : [
              `the ledger ${verb} ${lag} blocks behind: it has ${link.height!} blocks, the orderers have ${highestOf(link)!}`,
              ...(isPaused ? ['the channel is in maintenance, in which orderers send peers no blocks'] : []),
              ...(logged === undefined ? [] : [`the log of the peer has: ${logged}`]),
            ];
      const reasons = [...(failure === undefined ? [] : [failure.reason]), ...lagging];
      if (reasons.length === 0) return [];
      const isCritical =
        failure?.severity === 'critical' || (!isPaused && lasts(stuck, STUCK_CRITICAL_AFTER * lagTimeout));
      const failed = link.responses.filter((each) => !('height' in each));
      const isOfOrderers =
        lagging.length === 0 && failed.length > 0 && failed.every(({ replaces }) => replaces === undefined);
      return [
        {
          component: link.channel,
          severity: isCritical ? 'critical' : 'warning',
          reason: reasons.join('; '),
          ...headlineOf(failure?.headline, link.channel, lagging.length > 0),
          ...(failure?.isLate === true && { isLate: true }),
          ...(isOfOrderers && { follows: `channels/${link.channel}` }),
        },
      ];
    });
  }

  #linkFailure(
    { responses: all, problem }: LinkReport,
    isPaused: boolean,
  ): Pick<DetailedPart, 'headline' | 'severity' | 'reason' | 'isLate'> | undefined {
    if (all.length === 0)
      return { severity: 'warning', reason: problem ?? 'the newest config of the channel names no orderer' };
    const unseen = all.flatMap((each) => ('height' in each || each.isUnseen !== true ? [] : [each]));
    const responses = all.filter((each) => 'height' in each || each.isUnseen !== true);
    const failed = responses.flatMap((each) => ('height' in each ? [] : [each]));
    if (unseen.length > 0 && failed.length === responses.length) return unseenFailure(unseen, failed);
    const refused = isPaused ? failed.filter(({ status }) => status === FORBIDDEN) : [];
    if (refused.length > 0)
      return this.#maintenanceFailure(
        failed.filter((each) => !refused.includes(each)),
        responses.length,
      );
    const why = failed.map((each) => `${addressOf(each)}: ${each.reason}`).join('; ');
    const every = responses.length === 1 ? 'the only orderer' : `all ${responses.length} orderers`;
    if (failed.length === responses.length && failed.every(({ isRefused }) => isRefused)) {
      const refuse = responses.length === 1 ? 'refuses' : 'refuse';
      return this.#options.isReader
        ? {
            severity: 'warning',
            reason: `${every} ${refuse} the identity of options.certificate, so it is unknown whether they serve the peer: ${why}`,
          }
        : {
            severity: 'critical',
            headline:
              responses.length === 1
                ? 'The only orderer refuses {node}'
                : `All ${responses.length} orderers refuse {node}`,
            reason: `${every} ${refuse} this peer, which gets no blocks: ${why}`,
          };
    }
    if (failed.length === responses.length)
      return {
        severity: 'critical',
        headline:
          responses.length === 1
            ? 'The only orderer does not serve {node}'
            : `None of ${responses.length} orderers serves {node}`,
        reason: `${responses.length === 1 ? 'the only orderer does not serve' : `none of ${responses.length} orderers serves`} this peer, which gets no blocks: ${why}`,
        isLate: true,
      };
    if (failed.length > 0)
      return {
        severity: 'warning',
        headline: `Only ${responses.length - failed.length} of ${responses.length} orderers serve {node}`,
        reason: `${responses.length - failed.length} of ${responses.length} orderers serve this peer: ${why}`,
        isLate: true,
      };
    return problem === undefined
      ? undefined
      : { severity: 'warning', reason: `the ledger cannot be read: ${problem}` };
  }

  /** @param others the orderers that fail for other reasons than the maintenance @param count the number of all orderers */
  #maintenanceFailure(
    others: readonly FailedLink[],
    count: number,
  ): Pick<DetailedPart, 'headline' | 'severity' | 'reason' | 'isLate'> | undefined {
    const paused = 'the channel is in maintenance, in which orderers refuse peers';
    if (others.length === 0)
      return this.#options.hasVerdict ? undefined : { severity: 'warning', reason: paused };
    const why = others.map((each) => `${addressOf(each)}: ${each.reason}`).join('; ');
    return {
      severity: 'warning',
      reason: `${others.length} of ${count} orderers do not serve this peer: ${why}; ${paused}`,
      isLate: true,
    };
  }
}

/** No orderer serves the peer, and some of them have no address on this host, which is no evidence about these. */
const unseenFailure = (
  unseen: readonly FailedLink[],
  failed: readonly FailedLink[],
): Pick<DetailedPart, 'headline' | 'severity' | 'reason'> => ({
  severity: 'warning',
  headline: 'Whether orderers serve {node} is unknown',
  reason: `it is unknown whether the orderers serve this peer: these addresses are in the network of its container, where the agent is not: ${unseen.map(addressOf).join(', ')}; name these orderers with --node and --node-env, or run the agent in this network${failed.map((each) => `; ${addressOf(each)}: ${each.reason}`).join('')}`,
});

/** The headline about a channel: how orderers serve the peer, else that its ledger is behind. */
function headlineOf(
  ofLink: string | undefined,
  channel: string,
  isBehind: boolean,
): Pick<DetailedPart, 'headline'> {
  if (ofLink !== undefined) return { headline: ofLink };
  return isBehind ? { headline: `${channel} is behind on {node}` } : {};
}
