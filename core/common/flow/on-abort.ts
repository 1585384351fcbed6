// Waits for the abort of a signal that many calls share. The signal has one listener for all of them: Node.js takes the eleventh for a leak
// (`MaxListenersExceededWarning`).

/** The waiting calls of a signal, and their listener. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const WAITING = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back once when a signal aborts; at once if it has aborted.
 *
 * @returns ends the wait; the last one also removes the listener of the signal
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const { callbacks, listener } = WAITING.get(signal) ?? listenTo(signal);
  // The same function may wait twice.
  const own = (): void => callback();
  callbacks.add(own);
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    WAITING.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = (): void => [...callbacks].forEach((each) => each());
  const waiting = { callbacks, listener };
  WAITING.set(signal, waiting);
  signal.addEventListener('abort', listener, { once: true });
  return waiting;
}
