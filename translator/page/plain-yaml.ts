// Reads the `config.yaml` of an MSP folder: keys, lists, plain or quoted values on one line, anchors and aliases. The package `yaml`, which the command line
// uses, would be 30 KB of the 300 KB of the page (gzip), for a file that tools write and that has four kinds of keys. Whatever else YAML
// allows is refused, never read in another way.

import { TranslateError } from 'fabric-ops-agent/translator/channel';

/** A line with content. */
interface Line {
  readonly number: number;
  /** The number of spaces before the text. */
  readonly indent: number;
  readonly text: string;
}

/** The place of a value: its key or item, and the indent of it. */
interface Place {
  readonly indent: number;
  readonly isKey: boolean;
}

const KEY = /^([A-Za-z_][\w.-]*):(?: +(.*))?$/;
const ANCHOR = /^&([\w-]+)(?:\s+(.*))?$/;
const ALIAS = /^\*([\w-]+)(?:\s+#.*)?$/;
const QUOTED = /^(?:'((?:[^']|'')*)'|"([^"\\]*)")(?:\s+#.*)?$/;
/** The characters with which plain values cannot begin. */
const SPECIAL = /^(?:[[\]{}&*!|>%@`"',#]|[?:-](?:\s|$))/;
const INTEGER = /^[-+]?\d+$/;
/** Other numbers, which nobody needs here. */
const NUMBER = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|[-+]?\.inf|\.nan)$/i;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL', '~'].map((word) => [word, null] as const),
]);

/** The value of a text; undefined if it is empty. @throws TranslateError BAD_EDIT for what this reader does not know */
export function readPlainYaml(text: string): unknown {
  const lines = linesOf(text);
  if (lines.length === 0) return undefined;
  const reader = new Reader(lines);
  const value = reader.node();
  reader.end();
  return value;
}

const refused = ({ number }: Pick<Line, 'number'>): TranslateError =>
  new TranslateError(
    'BAD_EDIT',
    `line ${number}: the page reads only keys, lists, values on one line, and aliases; configtxlator org add reads all of YAML`,
  );

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let hasBegun = false;
  for (const [index, each] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const content = each.trimEnd();
    const shown = content.trimStart();
    if (shown === '' || shown.startsWith('#')) continue;
    if (content === '---' && !hasBegun) {
      hasBegun = true;
      continue;
    }
    hasBegun = true;
    const line = { number: index + 1, indent: content.length - shown.length, text: shown };
    if (!/^ *[\x21-\x7e]/.test(content) || /[\t\r\u0085\u2028\u2029]/.test(content)) throw refused(line);
    lines.push(line);
  }
  return lines;
}

const isItem = ({ text }: Line): boolean => text === '-' || text.startsWith('- ');

class Reader {
  readonly #lines: Line[];
  #at = 0;
  /** The values with names. */
  readonly #named = new Map<string, unknown>();

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  /** A map or a list that begins at the current line. */
  node(): unknown {
    const line = this.#lines[this.#at]!;
    return isItem(line) ? this.#list(line.indent) : this.#map(line.indent);
  }

  /** @throws TranslateError if there are more lines */
  end(): void {
    const line = this.#lines[this.#at];
    if (line !== undefined) throw refused(line);
  }

  #map(indent: number): unknown {
    const entries = new Map<string, unknown>();
    for (let line = this.#next(indent); line !== undefined && !isItem(line); line = this.#next(indent)) {
      const [, key, value = ''] = KEY.exec(line.text) ?? [];
      if (key === undefined || entries.has(key)) throw refused(line);
      this.#at += 1;
      entries.set(key, this.#value(value, line, { indent, isKey: true }));
    }
    return Object.fromEntries(entries);
  }

  #list(indent: number): unknown {
    const items: unknown[] = [];
    for (let line = this.#next(indent); line !== undefined && isItem(line); line = this.#next(indent)) {
      const text = line.text.slice(1).trimStart();
      if (KEY.test(text)) {
        // The first key of a map is on the line of the item.
        const offset = line.text.length - text.length;
        this.#lines[this.#at] = { ...line, indent: indent + offset, text };
        items.push(this.#map(indent + offset));
        continue;
      }
      this.#at += 1;
      items.push(this.#value(text, line, { indent, isKey: false }));
    }
    return items;
  }

  /** The value after a key or an item, which is below it if the text is empty. It may have a name, or be the name of another value. */
  #value(text: string, line: Line, place: Place): unknown {
    const [, alias] = ALIAS.exec(text) ?? [];
    if (alias !== undefined && this.#named.has(alias)) return this.#named.get(alias);
    const anchor = ANCHOR.exec(text);
    const [, name, rest = ''] = anchor ?? [undefined, undefined, text];
    const value = isEmpty(rest) ? this.#below(place) : scalar(rest, line);
    if (name !== undefined) this.#named.set(name, value);
    return value;
  }

  /** The current line, if it has an indent; undefined if it has a smaller one. @throws TranslateError if it has a larger one */
  #next(indent: number): Line | undefined {
    const line = this.#lines[this.#at];
    if (line !== undefined && line.indent > indent) throw refused(line);
    return line?.indent === indent ? line : undefined;
  }

  /** The value below a key or an item; null if there is none. */
  #below({ indent, isKey }: Place): unknown {
    const line = this.#lines[this.#at];
    if (line === undefined) return null;
    // The items of a list may have the indent of their key.
    return line.indent > indent || (isKey && line.indent === indent && isItem(line)) ? this.node() : null;
  }
}

const isEmpty = (value: string): boolean => value === '' || value.startsWith('#');

function scalar(text: string, line: Line): unknown {
  const [isQuoted, single, double] = QUOTED.exec(text) ?? [];
  if (isQuoted !== undefined) return single?.replaceAll("''", "'") ?? double;
  const plain = text.replace(/\s+#.*$/, '');
  if (SPECIAL.test(plain) || /:(?:\s|$)/.test(plain)) throw refused(line);
  if (WORDS.has(plain)) return WORDS.get(plain);
  if (INTEGER.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain);
  if (NUMBER.test(plain)) throw refused(line);
  return plain;
}
