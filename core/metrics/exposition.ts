// Renders the store as Prometheus text 0.0.4 or OpenMetrics 1.0.0. prom-client renders a whole registry in one go and renames
// counters in OpenMetrics; this writer lets other work in between and keeps the names the same in both formats.

import {
  createYielder,
  type Exposition,
  type ExpositionFormat,
  type Labels,
  type MetricReader,
} from '../contract/index.js';
import type { FamilySnapshot, SeriesValue } from './family.js';
import type { MetricStore } from './store.js';

const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** How many lines are written between two looks at the clock. */
const LINES_PER_LOOK = 256;

/** A reader of the store. */
export function createMetricReader(store: MetricStore): MetricReader {
  return { render: (format) => render(store, format) };
}

async function render(store: MetricStore, format: ExpositionFormat): Promise<Exposition> {
  const parts: string[] = [];
  const pause = createYielder(1);
  for await (const family of store.families()) {
    parts.push(heading(family, format));
    const writeLine = createLineWriter(family.name);
    for await (const slice of family.slices()) {
      for (let start = 0; start < slice.length; start += LINES_PER_LOOK) {
        // Joined here: text that was only added up would all be copied at the end, in one go.
        parts.push(
          slice
            .slice(start, start + LINES_PER_LOOK)
            .map(writeLine)
            .join(''),
        );
        await pause();
      }
    }
  }
  if (format === 'openmetrics') parts.push('# EOF\n');
  return { contentType: CONTENT_TYPES[format], body: parts.join('') };
}

function heading({ name, help, type }: FamilySnapshot, format: ExpositionFormat): string {
  if (format === 'text') return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  const isCounter = type === 'counter';
  // OpenMetrics wants `_total` at the end of every counter; one without it (a name the nodes use) is of unknown type there.
  const family = isCounter && name.endsWith('_total') ? name.slice(0, -'_total'.length) : name;
  const openType = isCounter && family === name ? 'unknown' : type;
  return `# HELP ${family} ${escapeHelp(help).replaceAll('"', '\\"')}\n# TYPE ${family} ${openType}\n`;
}

/** Writes the lines of one family. */
function createLineWriter(family: string): (value: SeriesValue) => string {
  const writeLabels = createLabelWriter();
  const writeShared = createLabelWriter();
  // The lines of one series of a histogram have their labels in common, as one object.
  let shared: Labels | undefined;
  let sharedText = '';
  return ({ metricName = family, labels, sharedLabels, value }) => {
    let text = writeLabels(labels);
    if (sharedLabels !== undefined) {
      if (sharedLabels !== shared) [shared, sharedText] = [sharedLabels, writeShared(sharedLabels)];
      // `le` comes last, as Go's library writes it.
      text = sharedText === '' || text === '' ? sharedText + text : `${sharedText},${text}`;
    }
    return text === '' ? `${metricName} ${number(value)}\n` : `${metricName}{${text}} ${number(value)}\n`;
  };
}

/** Writes labels sorted by name. The series of a family have the same names, so their order is found once. */
function createLabelWriter(): (labels: Labels) => string {
  let known: readonly string[] = [];
  let sorted: readonly string[] = [];
  return (labels) => {
    const names = Object.keys(labels);
    if (names.length !== known.length || !names.every((name, index) => name === known[index])) {
      known = names;
      sorted = names.toSorted();
    }
    let text = '';
    for (const name of sorted)
      text += `${text === '' ? '' : ','}${name}="${escapeLabel(String(labels[name]))}"`;
    return text;
  };
}

const SPECIAL = /[\\"\n]/;

function escapeLabel(value: string): string {
  return SPECIAL.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function number(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
