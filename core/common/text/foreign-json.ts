/** Largest document by default, in UTF-16 units. */
const MAX_SIZE = 512 * 1024;
/** Deepest nesting of lists and objects. */
const MAX_DEPTH = 64;
/** One value is allowed for this many UTF-16 units of the largest size. Small objects take up to 120 bytes each. */
const UNITS_PER_VALUE = 16;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses a JSON document from another service or host. `JSON.parse` limits neither depth nor number of values: 4 MB of brackets would block
 * the event loop for seconds and take 100 times their memory, so they are counted first.
 *
 * @param maxSize largest document, in UTF-16 units; its 16th part is the largest number of values. @default 512 KiB
 * @throws SyntaxError if it is not JSON; RangeError if it is too large, too deep or has too many values
 */
export function parseForeignJson(text: string, maxSize = MAX_SIZE): unknown {
  if (text.length > maxSize) throw tooLarge(`is longer than ${maxSize} characters`);
  checkStructure(text, maxSize / UNITS_PER_VALUE);
  return JSON.parse(text);
}

/** Counts brackets and commas outside of strings. A text that is not JSON may pass: `JSON.parse` stops at its first error. */
function checkStructure(text: string, maxValues: number): void {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isString = !isString;
    else if (isString) at += unit === BACKSLASH ? 1 : 0;
    else if (unit === COMMA) values += 1;
    else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth -= 1;
    else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw tooLarge(`has more than ${MAX_DEPTH} levels`);
    }
  }
  if (values > maxValues) throw tooLarge(`has more than ${maxValues} values`);
}

const tooLarge = (problem: string): RangeError => new RangeError(`the JSON document ${problem}`);
