import { isatty } from 'node:tty';
import pino from '#pino';
import {
  defineLoggingBackend,
  LEVEL_NAMES,
  LeveledLoggers,
  type Counter,
  type LevelName,
  type LogEntry,
  type MetricFactory,
} from '../../../core/contract/index.js';
import { nonBlocking } from './descriptor.js';
import { compilePattern, DEFAULT_PATTERN } from './pattern.js';
import { createJsonWriter, formatLogfmt } from './structured.js';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
/** Unwritten output that is buffered, in bytes; further lines are dropped. */
const MAX_BUFFERED = 8 * 1024 * 1024;
/** Time limit for the flush at stop, in milliseconds. */
const FLUSH_TIMEOUT = 2_000;

/** Writes log entries to the console of the process. */
export default defineLoggingBackend({
  name: 'console',
  options: {
    format: {
      format: checkFormat,
      default: '',
      doc: 'json, logfmt, or a pattern with %{…} verbs; empty: the default pattern of Fabric',
    },
    output: { format: ['stderr', 'stdout'], default: 'stderr', doc: 'stream to write to' },
  },
  create({ options: { format, output }, metrics }) {
    const destination = pino.destination({
      dest: nonBlocking(DESCRIPTORS[output]),
      sync: false,
      // Writes each line immediately. With 0, flush() would call back before everything is written.
      minLength: 1,
      maxLength: MAX_BUFFERED,
    });
    // A closed console must not end the process.
    destination.on('error', () => undefined);
    const checked = countByLevel(
      metrics,
      'entries_checked',
      'Log calls at or above the lowest level of the active specification.',
    );
    const written = countByLevel(metrics, 'entries_written', 'Log entries written.');
    const loggers = new LeveledLoggers({
      write: createWriter(format, DESCRIPTORS[output], destination),
      checked: (level) => checked[level].inc(),
      written: (level) => written[level].inc(),
    });
    return {
      spec: () => loggers.spec(),
      activate: (spec) => loggers.activate(spec),
      logger: (name) => loggers.logger(name),
      // Not flushSync: it can write before a pending asynchronous write.
      stop: () =>
        new Promise<void>((resolve) => {
          // A stalled reader: without destroy(), pino would wait for it when the process exits.
          const timer = setTimeout(() => {
            destination.destroy();
            resolve();
          }, FLUSH_TIMEOUT);
          destination.flush(() => {
            clearTimeout(timer);
            resolve();
          });
        }),
    };
  },
});

function checkFormat(value: unknown): void {
  if (typeof value !== 'string') throw new Error('must be json, logfmt, or a pattern');
  compilePattern(value, true);
}

function createWriter(
  format: string,
  descriptor: number,
  destination: pino.DestinationStream,
): (entry: LogEntry) => void {
  if (format === 'json') return createJsonWriter(destination);
  if (format === 'logfmt') return (entry) => destination.write(formatLogfmt(entry));
  // An explicit pattern always has its colors, the default pattern only on a terminal.
  const formatEntry =
    format === '' ? compilePattern(DEFAULT_PATTERN, isatty(descriptor)) : compilePattern(format, true);
  return (entry) => destination.write(formatEntry(entry));
}

function countByLevel(
  metrics: MetricFactory,
  name: string,
  help: string,
): Readonly<Record<LevelName, Counter>> {
  const family = metrics.counter({ namespace: 'logging', name, help, labelNames: ['level'] });
  return Object.fromEntries(LEVEL_NAMES.map((level) => [level, family.with({ level })])) as Record<
    LevelName,
    Counter
  >;
}
