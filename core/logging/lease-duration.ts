import { formatDuration, parsePositiveDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';

/** The shortest and the longest lease, in milliseconds. */
const MIN_DURATION = 1000;
const MAX_DURATION = 24 * 3_600_000;
/** Longest part of a parameter in a message, in UTF-16 units. */
const MAX_SHOWN = 100;

/**
 * Reads the query of `PUT /logspec`: nothing, or `for` with a duration.
 *
 * @returns milliseconds; undefined without `for`
 * @throws AgentError `QUERY_INVALID`
 */
export function readLeaseDuration(query: URLSearchParams): number | undefined {
  const unknown = [...query.keys()].find((name) => name !== 'for');
  if (unknown !== undefined) throw invalid(`unknown parameter '${unknown.slice(0, MAX_SHOWN)}'`);
  const [text, ...others] = query.getAll('for');
  if (text === undefined) return undefined;
  if (others.length > 0) throw invalid("duplicate parameter 'for'");
  const duration = parse(text);
  if (duration === undefined || duration < MIN_DURATION || duration > MAX_DURATION)
    throw invalid(`found '${text.slice(0, MAX_SHOWN)}'`);
  return duration;
}

function parse(text: string): number | undefined {
  try {
    return parsePositiveDuration(text);
  } catch {
    return undefined;
  }
}

function invalid(found: string): AgentError {
  const range = `from ${formatDuration(MIN_DURATION)} to ${formatDuration(MAX_DURATION)}`;
  return new AgentError(
    'QUERY_INVALID',
    `the only parameter is 'for', a duration ${range} such as 10m or 1h30m; ${found}`,
  );
}
