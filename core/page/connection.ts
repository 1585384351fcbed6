// The connection to `/events`.

import type { Problem, StatusDocument } from '../status/document.js';
import { readEvent, readStatus } from '../status/read.js';

/** A state comes every 5 s; without one for this long, the agent does not run. In milliseconds. */
const SILENCE = 20_000;
/** Time until the page connects again if the browser does not, in milliseconds. */
const RETRY = 5000;
/** Most events that are kept. */
const MAX_EVENTS = 200;

/** The last messages of the agent. */
interface Word {
  readonly document: StatusDocument | undefined;
  /** The newest first. */
  readonly events: readonly Problem[];
  /** Whether the agent responds. */
  readonly isLost: boolean;
}

/** Listens to the agent. @param onWord called after each message, and when the agent no longer responds */
export function listen(onWord: (word: Word) => void): void {
  let word: Word = { document: undefined, events: [], isLost: false };
  let numbers = new Set<string>();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const say = (changes: Partial<Word>): void => {
    word = { ...word, ...changes };
    onWord(word);
  };
  const hear = (changes: Partial<Word>): void => {
    clearTimeout(silence);
    silence = setTimeout(() => say({ isLost: true }), SILENCE);
    say({ ...changes, isLost: false });
  };
  const connect = (): void => {
    const source = new EventSource('events');
    source.addEventListener('open', () => {
      // An agent that was restarted counts from 1 again.
      numbers = new Set();
      hear({ events: [] });
    });
    source.addEventListener('error', () => {
      clearTimeout(silence);
      say({ isLost: true });
      // The browser does not retry after a response that is not an event stream, such as the error of a proxy.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY);
    });
    source.addEventListener('state', ({ data }: MessageEvent<string>) =>
      hear({ document: readStatus(data) }),
    );
    source.addEventListener('problem', () => hear({}));
    source.addEventListener('event', ({ data, lastEventId }: MessageEvent<string>) => {
      if (numbers.has(lastEventId)) return;
      numbers.add(lastEventId);
      hear({ events: [readEvent(data), ...word.events].slice(0, MAX_EVENTS) });
    });
  };
  connect();
}
