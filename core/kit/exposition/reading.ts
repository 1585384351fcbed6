import { isUtf8 } from 'node:buffer';
import { isStartTime } from '../../common/text/time.js';
import { SourceError, type SourceFamily, type SourceReading } from '../../contract/index.js';
import type { ExpositionParser } from './parse.js';

/**
 * Makes a reading of a text in the Prometheus format.
 *
 * @param what names the request or the command in errors
 * @param shown changes what errors quote from the text
 * @throws SourceError `too_large` or `invalid`
 */
export async function readExposition(
  parser: ExpositionParser,
  text: Buffer,
  what: string,
  signal: AbortSignal,
  shown: (reason: string) => string = (reason) => reason,
): Promise<SourceReading> {
  try {
    if (!isUtf8(text)) throw new SourceError('invalid', 'the text is not UTF-8');
    const families = await parser.parse(text, signal, shown);
    const startTime = startTimeIn(families);
    return { families, ...(startTime !== undefined && { startTime }) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(error.failure, `${what}: ${error.message}`, { cause: error });
  }
}

/** When the process started; undefined when the text does not say, as on other systems than Linux, or says no possible time. */
function startTimeIn(families: readonly SourceFamily[]): number | undefined {
  const value = families.find(({ name }) => name === 'process_start_time_seconds')?.series[0]?.value;
  return isStartTime(value) && value > 0 ? value : undefined;
}
