import type { Counter, Gauge, Histogram, MetricFactory } from './instruments.js';

const ignore = (): void => undefined;

/** An instrument of any type that ignores every call. */
export const NO_OP_INSTRUMENT: Counter & Gauge & Histogram = {
  inc: ignore,
  set: ignore,
  add: ignore,
  observe: ignore,
};

const NO_OP_FAMILY = { ...NO_OP_INSTRUMENT, with: () => NO_OP_INSTRUMENT, remove: ignore };

/** Makes instruments that ignore every call. */
export const NO_OP_METRICS: MetricFactory = {
  counter: () => NO_OP_FAMILY,
  gauge: () => NO_OP_FAMILY,
  histogram: () => NO_OP_FAMILY,
};
