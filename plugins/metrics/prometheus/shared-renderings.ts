/** How long requests share a rendering after it began, in milliseconds. */
export const SHARED_FOR = 1000;

/**
 * Shares renderings between the requests within one second. A rendering takes time and memory, and any number of clients may request it.
 *
 * @returns a function that renders a format within a timeout, or returns a rendering of the format that began less than {@link SHARED_FOR}
 * ago
 */
export function shareRenderings<Format, Rendering>(
  render: (format: Format, timeout: number | undefined) => Promise<Rendering>,
): (format: Format, timeout: number | undefined) => Promise<Rendering> {
  const shared = new Map<Format, { readonly rendering: Promise<Rendering>; readonly start: number }>();
  return (format, timeout) => {
    const last = shared.get(format);
    const now = performance.now();
    if (last !== undefined && now - last.start < SHARED_FOR) return last.rendering;
    const rendering = render(format, timeout);
    shared.set(format, { rendering, start: now });
    const forget = (): void => void (shared.get(format)?.rendering === rendering && shared.delete(format));
    // A failure is not shared with later requests, and the memory of a rendering is freed when it cannot be shared any more.
    rendering.then(() => setTimeout(forget, SHARED_FOR - (performance.now() - now)).unref(), forget);
    return rendering;
  };
}
