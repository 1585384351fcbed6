// The channels that a peer has not loaded at its start, from its metrics and its log.
//
// A peer that cannot open the ledger of a channel logs the reason and starts without the channel (Fabric: core/peer/peer.go, `Initialize`).
// The gauge of the height is set before the ledger is complete (core/ledger/kvledger/kv_ledger.go, `newKVLedger`). The gauge of the members is
// set only for loaded channels, every `peer.gossip.membershipTrackerInterval` (gossip/gossip/channel/channel.go, `trackMembership`).

import type { FailedPart, SourceReading, Step } from '../../../core/contract/index.js';
import { ConditionDurations, valuesByChannel } from '../../../core/kit/index.js';

const HEIGHT = 'ledger_blockchain_height';
const MEMBERS = 'gossip_membership_total_peers_known';
/** Counts since the start of the peer. Only a loaded channel commits blocks; a channel that was joined now has committed its first one. */
const COMMITTED = 'ledger_transaction_count';

/** How long a peer may take to load its channels, in milliseconds. */
const LOAD_TIME = 20_000;

/** The line in the log about a channel that is not loaded, such as `Failed to load ledger ch1(<reason>)`. */
const FAILED = /Failed to load (ledger|chain) ([a-z][a-z0-9.-]*)\(.*/;

/** The steps for a ledger that cannot be opened. Databases that were dropped are made again from the blocks. */
const stepsFor = (node: string): Step[] => [
  {
    text: `Stop ${node}, run \`peer node rebuild-dbs\` with its configuration, which makes its databases again from its blocks, and start it. The peer refuses this if a channel began with a snapshot.`,
  },
  {
    text: `If it still does not load the channel, stop ${node} and put back a complete copy of its ledger folder, made while it was stopped.`,
  },
];

/** Judges the channels of one peer. */
export class LoadedChannels {
  readonly #node: string;
  /** How long a peer may take until it reports the members of a channel, in milliseconds. */
  readonly #limit: number;
  readonly #held = new ConditionDurations();
  #startTime: number | undefined;
  /** The channels in the first reading of the process: all others were joined later. */
  #first: ReadonlySet<string> | undefined;

  /** @param trackerInterval time between two values of the gauge of the members, in milliseconds */
  constructor(node: string, trackerInterval: number) {
    this.#node = node;
    this.#limit = LOAD_TIME + 2 * trackerInterval;
  }

  /**
   * The channels that are not loaded.
   *
   * @param lines lines of the log since the last start of the peer
   * @param now milliseconds, from a clock that does not jump
   * @param time milliseconds since the epoch
   */
  failuresOf(reading: SourceReading, lines: readonly string[], now: number, time: number): FailedPart[] {
    const heights = valuesByChannel(reading, HEIGHT);
    const [members, committed] = [valuesByChannel(reading, MEMBERS), valuesByChannel(reading, COMMITTED)];
    const { startTime } = reading;
    if (this.#first === undefined || startTime !== this.#startTime) this.#first = new Set(heights.keys());
    this.#startTime = startTime;
    const first = this.#first;
    const unseen = [...heights.keys()].filter((channel) => !members.has(channel) && !committed.has(channel));
    const durations = this.#held.record(unseen, now);
    const isUpLong = startTime !== undefined && time - startTime * 1000 >= this.#limit;
    const isLate = (channel: string): boolean =>
      (durations.get(channel) ?? 0) >= this.#limit || (isUpLong && first.has(channel));
    const logged = new Map(
      lines.flatMap((line) => {
        const [text, what, channel = ''] = FAILED.exec(line) ?? [];
        return text === undefined || members.has(channel) ? [] : [[channel, { text, what }] as const];
      }),
    );
    const missing = new Set([...logged.keys(), ...unseen.filter(isLate)]);
    return [...missing].sort().map((component) => {
      const { text, what = 'ledger' } = logged.get(component) ?? {};
      return {
        component,
        reason: `the peer has not loaded the channel: ${text ?? `the reason is in its log after its last start, in the line with 'Failed to load ledger ${component}'`}`,
        ...(what === 'ledger' && { steps: stepsFor(this.#node) }),
      };
    });
  }
}
