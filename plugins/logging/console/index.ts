import { isatty } from 'node:tty';
import pino from 'pino';
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
/** How much unwritten output is kept, in bytes, when nobody reads; newer lines are dropped. */
const MAX_UNWRITTEN = 8 * 1024 * 1024;
/** How long the last lines may take to be written, in milliseconds. */
const LAST_WRITE_TIMEOUT = 2_000;

/** Writes log entries to the console of the process. */
export default defineLoggingBackend({
  name: 'console',
  options: {
    format: {
      format: checkFormat,
      default: '',
      doc: 'json, logfmt, or a pattern with %{…} verbs; empty: the default pattern of the nodes',
    },
    output: { format: ['stderr', 'stdout'], default: 'stderr', doc: 'where the lines go' },
  },
  create({ options: { format, output }, metrics }) {
    const destination = pino.destination({
      dest: nonBlocking(DESCRIPTORS[output]),
      sync: false,
      // Each line is written at once; with no least length at all, pino could not tell when everything is.
      minLength: 1,
      maxLength: MAX_UNWRITTEN,
    });
    // A console that went away must not take the process with it.
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
      // Not flushSync: it would overtake a line that is being written. Whether it went well, nobody is left to tell.
      stop: () =>
        new Promise<void>((resolve) => {
          // Lines that nobody reads are given up: pino would wait for their reader when the process exits.
          const timer = setTimeout(() => {
            destination.destroy();
            resolve();
          }, LAST_WRITE_TIMEOUT);
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
  // A pattern that was asked for gets its colours; the default one has them on a terminal only.
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
