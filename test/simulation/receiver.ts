// The receiver of a notifier: what it accepted, and when it accepts nothing.

import { AgentError, type AgentEvent, type Notification } from '../../core/contract/index.js';
import type { NotifierSetup } from './setup.js';
import type { SimulatedTime } from './time.js';

/** An event that a receiver accepted. */
export interface Delivered {
  /** When, by the time of the simulation. */
  readonly at: number;
  readonly event: AgentEvent;
}

/** How a receiver responds; `late`: after 20 s. */
export type Response = 'accepts' | 'refuses' | 'hangs' | 'late';

/** How long a late response takes, in milliseconds. A notifier waits 30 s. */
const LATE = 20_000;

/** A receiver of the events of one agent, over all its restarts. */
export class SimulatedReceiver {
  readonly host: string;
  readonly setup: NotifierSetup;
  readonly delivered: Delivered[] = [];
  response: Response;
  readonly #time: SimulatedTime;

  constructor(host: string, setup: NotifierSetup, time: SimulatedTime) {
    this.host = host;
    this.setup = setup;
    this.#time = time;
    this.response = setup.isBroken === true ? 'refuses' : 'accepts';
  }

  /** Takes a notification. @throws AgentError `NOTIFICATION_NOT_ACCEPTED` if it refuses it; the reason of the signal */
  async take({ cause, events }: Notification, signal: AbortSignal): Promise<void> {
    const { response } = this;
    if (response === 'refuses') throw new AgentError('NOTIFICATION_NOT_ACCEPTED', 'HTTP status 503');
    await this.#time.after(response === 'late' ? LATE : 50, () => undefined);
    while (response === 'hangs') {
      signal.throwIfAborted();
      await this.#time.after(1_000, () => undefined);
    }
    if (cause === 'change') for (const event of events) this.delivered.push({ at: this.#time.now, event });
  }

  /** Returns true if it gets events of a severity. */
  wants(severity: 'critical' | 'warning'): boolean {
    const { events = 'all' } = this.setup;
    return events === 'all' || (events === 'critical' && severity === 'critical');
  }
}
