// What the tasks of a page cost its main thread. CPU time is counted, so that a busy machine changes nothing.

import type { Browser, Page } from 'playwright-core';

/** The categories of Chromium's trace that contain the tasks and the names of the threads. */
const CATEGORIES = ['disabled-by-default-devtools.timeline'];
/** The event of one task. */
const TASK = 'RunTask';
const MAIN_THREAD = 'CrRendererMain';

/** An event of a trace, as far as it is used. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/**
 * The CPU time of each task of the main thread while some work runs, in milliseconds, the longest first. The page must have had a file
 * chosen before: the first choice runs scripts of Playwright in the page.
 */
export async function tasksOf(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await work().catch(async (error: Error) => {
    await browser.stopTracing();
    throw error;
  });
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const threads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === MAIN_THREAD).map(threadOf),
  );
  return traceEvents
    .filter((event) => event.name === TASK && event.ph === 'X' && threads.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000)
    .toSorted((one, other) => other - one);
}

/** A task of known work, like the work of a page: objects, texts and JSON. */
const CALIBRATION = `(() => {
  const organisations = Array.from({ length: 20000 }, (_, index) => ({ name: 'Org' + index, index }));
  return JSON.parse(JSON.stringify(organisations)).map(({ name, index }) => name.slice(3) + index).join().length;
})()`;
/** The CPU time of it on the machine for which budgets are stated, in milliseconds. */
const CALIBRATED = 12;

/** How much more CPU time this machine needs at the moment than the machine for which budgets are stated; at least 1. */
export async function machineFactor(browser: Browser, page: Page): Promise<number> {
  // The first run compiles.
  await page.evaluate(CALIBRATION);
  const [longest = 0] = await tasksOf(browser, page, async () => void (await page.evaluate(CALIBRATION)));
  return Math.max(1, longest / CALIBRATED);
}
