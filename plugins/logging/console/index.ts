import { isatty } from 'node:tty';
import {
  type Counter,
  defineLoggingBackend,
  LeveledLoggers,
  LEVELS,
  type LevelName,
  type MetricFactory,
} from '../../../core/contract/index.js';
import { nonBlocking } from './descriptor.js';
import { LineWriter } from './line-writer.js';
import { compilePattern, DEFAULT_PATTERN, type EntryFormatter } from './pattern.js';
import { createJsonFormatter, formatLogfmt } from './structured.js';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
/** Unwritten output that is queued, in bytes; further lines are dropped. */
const MAX_QUEUED = 8 * 1024 * 1024;
/** Time limit for the flush at stop, in milliseconds. */
const FLUSH_TIMEOUT = 2_000;

/** Writes log entries to the console of the process. */
export default defineLoggingBackend({
  name: 'console',
  forAgent: (agent) => ({ key: 'logging.format', options: { format: agent.get('logging.format') } }),
  options: {
    format: {
      format: checkFormat,
      default: '',
      doc: 'json, logfmt, or a pattern with %{…} verbs; empty: the default pattern of Fabric',
    },
    output: { format: ['stderr', 'stdout'], default: 'stderr', doc: 'stream to write to' },
  },
  create({ options: { format, output }, metrics }) {
    const checked = countByLevel(
      metrics,
      'entries_checked',
      'Log calls at or above the lowest level of the active specification.',
    );
    const written = countByLevel(metrics, 'entries_written', 'Log entries written.');
    const dropped = metrics.counter({
      namespace: 'logging',
      name: 'entries_dropped_total',
      help: 'Log entries that were lost because the output was full, closed or not read.',
    });
    const formatEntry = createFormatter(format, DESCRIPTORS[output]);
    const writer = new LineWriter(nonBlocking(DESCRIPTORS[output]), MAX_QUEUED, () => dropped.inc());
    const loggers = new LeveledLoggers({
      write: (entry) => writer.write(formatEntry(entry), () => written[entry.level].inc()),
      checked: (level) => checked[level].inc(),
    });
    return {
      spec: () => loggers.spec(),
      activate: (spec) => loggers.activate(spec),
      logger: (name) => loggers.logger(name),
      stop: () => writer.flush(FLUSH_TIMEOUT),
    };
  },
});

function checkFormat(value: unknown): void {
  if (typeof value !== 'string') throw new Error('must be json, logfmt, or a pattern');
  compilePattern(value, true);
}

function createFormatter(format: string, descriptor: number): EntryFormatter {
  if (format === 'json') return createJsonFormatter();
  if (format === 'logfmt') return formatLogfmt;
  // An explicit pattern always has its colors, the default pattern only on a terminal.
  return format === '' ? compilePattern(DEFAULT_PATTERN, isatty(descriptor)) : compilePattern(format, true);
}

function countByLevel(
  metrics: MetricFactory,
  name: string,
  help: string,
): Readonly<Record<LevelName, Counter>> {
  const family = metrics.counter({ namespace: 'logging', name, help, labelNames: ['level'] });
  const entries = Object.keys(LEVELS).map((level) => [level, family.with({ level })]);
  return Object.fromEntries(entries) as Record<LevelName, Counter>;
}
