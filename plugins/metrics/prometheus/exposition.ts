// Renders metrics as Prometheus text 0.0.4 or OpenMetrics 1.0.0, with the labels in the order of the Go client library. prom-client takes
// three times the CPU for the same lines, and would rename the counters of its registry for OpenMetrics.

import {
  createYielder,
  type FamilySnapshot,
  type Labels,
  type MetricReader,
} from '../../../core/contract/index.js';
import type { SeriesValue } from '../../../core/contract/internal/index.js';
import { hasNames } from '../../../core/kit/internal/index.js';
import { TextBuffer } from './text-buffer.js';

/** Prometheus text 0.0.4 or OpenMetrics 1.0.0. */
export type ExpositionFormat = 'text' | 'openmetrics';

/** Rendered metrics. */
export interface Exposition {
  /** The media type of the format, with its version. */
  readonly contentType: string;
  readonly body: Buffer;
}

const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** How many lines are written between two reads of the clock. */
const LINES_PER_CHECK = 256;

/** Options of a rendering. */
interface RenderOptions {
  /** The expected size in bytes. @default 0 */
  readonly size?: number | undefined;
  /** How long it may wait for sources, in milliseconds; see `MetricReader.families`. */
  readonly timeout?: number | undefined;
}

/** Renders all metrics. Other code can run meanwhile. */
export async function render(
  reader: MetricReader,
  format: ExpositionFormat,
  { size = 0, timeout }: RenderOptions = {},
): Promise<Exposition> {
  const text = new TextBuffer(size);
  const yieldIfDue = createYielder(1);
  const write = async (family: FamilySnapshot): Promise<void> => {
    text.add(heading(family, format));
    const writeLine = createLineWriter(family);
    let lines: string[] = [];
    for (const value of family.values()) {
      lines.push(writeLine(value));
      if (lines.length < LINES_PER_CHECK) continue;
      // Joined in small parts: V8 would copy a long concatenated string in one step when it is used.
      text.add(lines.join(''));
      lines = [];
      await yieldIfDue();
    }
    text.add(lines.join(''));
    await yieldIfDue();
  };
  for await (const family of reader.families(timeout)) await write(family);
  if (format === 'openmetrics') text.add('# EOF\n');
  return { contentType: CONTENT_TYPES[format], body: text.content };
}

function heading({ name, help, type }: FamilySnapshot, format: ExpositionFormat): string {
  if (format === 'text') return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  const isCounter = type === 'counter';
  // OpenMetrics requires `_total` at the end of a counter; one without it (Fabric nodes have such names) has the type unknown.
  const family = isCounter && name.endsWith('_total') ? name.slice(0, -'_total'.length) : name;
  const openType = (isCounter && family === name) || type === 'untyped' ? 'unknown' : type;
  return `# HELP ${family} ${escapeHelp(help).replaceAll('"', '\\"')}\n# TYPE ${family} ${openType}\n`;
}

/** The label that is after the others in the lines of a type, as in the Go client library. */
const LAST: ReadonlyMap<FamilySnapshot['type'], string> = new Map([
  ['histogram', 'le'],
  ['summary', 'quantile'],
]);

/** Creates a function that writes the lines of one family. */
function createLineWriter({ name, type }: FamilySnapshot): (value: SeriesValue) => string {
  const writeLabels = createLabelWriter(LAST.get(type));
  const writeShared = createLabelWriter();
  // The lines of one histogram series follow each other and share one labels object, so its text is written once.
  let shared: Labels | undefined;
  let sharedText = '';
  return ({ metricName = name, labels, sharedLabels, value }) => {
    let text = writeLabels(labels);
    if (sharedLabels !== undefined) {
      if (sharedLabels !== shared) [shared, sharedText] = [sharedLabels, writeShared(sharedLabels)];
      text = sharedText === '' || text === '' ? sharedText + text : `${sharedText},${text}`;
    }
    return text === '' ? `${metricName} ${number(value)}\n` : `${metricName}{${text}} ${number(value)}\n`;
  };
}

/**
 * Creates a function that writes labels sorted by name. The series of a family have the same names, so they are sorted once.
 *
 * @param last the label that is after the others
 */
function createLabelWriter(last?: string): (labels: Labels) => string {
  let names: readonly string[] = [];
  let sorted: readonly LabelStart[] = [];
  return (labels) => {
    if (!hasNames(labels, names)) {
      names = Object.keys(labels);
      const ordered = names.filter((name) => name !== last).toSorted();
      if (last !== undefined && names.includes(last)) ordered.push(last);
      sorted = ordered.map((name, index) => ({ name, text: `${index === 0 ? '' : '",'}${name}="` }));
    }
    if (sorted.length === 0) return '';
    let text = '';
    for (const start of sorted) text += start.text + escapeLabel(String(labels[start.name]));
    return `${text}"`;
  };
}

/** The text of a label up to its value, with the end of the label before. */
interface LabelStart {
  readonly name: string;
  readonly text: string;
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
