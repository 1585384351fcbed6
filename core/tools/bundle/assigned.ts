// Finds values that a text assigns to names of secrets, in logs, JSON, YAML, variables, flags, headers and XML. If the end of a value is
// uncertain, the rest of its line counts as part of it.

import type { Span } from '../../common/text/spans.js';
import { LineStrings } from './line-strings.js';
import { isKeyFile, isSecretName } from './secret-names.js';

/** In quotes or brackets, how far the end of a value is searched, in UTF-16 units; and most lines of a value. */
const MAX_VALUE = 16 * 1024;
const MAX_LINES = 20;

/** A name; some consist of two words. */
const NAME = /[\w.-]+(?: (?:key|phrase|code|string|pin)\b)?/gi;
/** The end of a name that a value can follow without a separator. */
const PLAIN_NAME = /(?:passw(?:or)?d|pass[_-]?phrase|secret|token|api[_ -]?key|credentials?|pwd|pin)$/i;
/** The quote after a name, also escaped. */
const CLOSING = /\\{0,15}["'`]|&quot;|&#3[49];|%2[27]|\\{1,15}u002[27]/y;
const SEPARATOR = /[ \t]{0,64}(?:[:=]{1,3}>?|->|%3[AaDd])[ \t]{0,64}/y;
/** The separator of list elements. */
const COMMA = /\s{0,64},\s{0,64}(?=\\{0,15}["'`])/y;
const BEFORE_QUOTE = /[ \t]{1,8}(?=\\{0,15}["'`])/y;
const BEFORE_ARGUMENT = /[ \t]{1,64}(?=\S)/y;
const TAG_START = /<(?:\w{1,32}:)?$/;
const TAG_END = /[^<>\n]{0,200}>/y;
/** `password hunter2` */
const WORD_WITH_DIGIT = /[ \t]{1,8}(?=[^\s,;]{0,64}\d)[^\s,;]{6,}/y;
const OPENING = /\\{0,15}["'`]/y;
/** `null` and similar values, if nothing that could belong to them follows. */
const NO_SECRET =
  /(?:true|false|null|nil|<nil>|none|undefined|required|\[\]|\{\}|\*{8})(?=[ \t\r]*(?:[,;})\]"'\\#\n]|$|[\w.-]{1,64}[=:]))/iy;
const NO_SECRET_IN_QUOTES = /^(?:true|false|null|none|required)?$/i;
const NUMBER = /-?\d[\d.eE+-]{0,64}(?=\s{0,64}[,}\]])/y;
const SPACE = /(?:\\{1,15}[nrt]|[ \t\r])*/y;
/** The rest of a line without a value: the value is on the next lines. */
const NOTHING =
  /(?:\\{1,15}[nrt]|[ \t\r])*(?:(?:bearer|basic|digest|negotiate|ntlm|token)(?:\\{1,15}[nrt]|[ \t\r])*|[|>][+\-\d]{0,3}[ \t\r]*(?:#[^\n]*)?|\\\r?)?(?=\n|$)/iy;
/** A value in the query of a URL. */
const QUERY_VALUE = /[^&\s"<>#]*/y;
/** A character that continues a value after a closing quote. */
const MORE = /[^\s,;:}\])>&<]/y;

/** The result of {@link findAssigned}. */
interface Assigned {
  readonly values: readonly Span[];
  /** The names of these values. */
  readonly names: readonly Span[];
}

/** Finds values of secrets and their names, in linear time. */
export const findAssigned = (text: string): Assigned => new Scanner(text).scan();

/** A name and the start of its value. */
interface Start {
  readonly name: string;
  readonly nameAt: number;
  readonly at: number;
  /** Whether the name is in quotes, like a key in JSON. */
  readonly isQuoted: boolean;
}

class Scanner {
  readonly #text: string;
  readonly #strings: LineStrings;
  readonly #values: Span[] = [];
  readonly #names: Span[] = [];
  /** The end of the line that {@link #readNextLines} last started from, and whether the value in it was empty. */
  #followed = { lineEnd: -1, isEmpty: false };

  constructor(text: string) {
    this.#text = text;
    this.#strings = new LineStrings(text);
  }

  scan(): Assigned {
    const names = new RegExp(NAME);
    /** Up to this position `value` is the name of a secret, because `name: PASSWORD` is before it. */
    let pairUntil = -1;
    for (let match = names.exec(this.#text); match !== null; match = names.exec(this.#text)) {
      const { 0: name, index } = match;
      const end = index + name.length;
      if (!isSecretName(name) && !(index < pairUntil && /^val(?:ue)?$/i.test(name))) continue;
      const isValue = this.#isValueOfName(index);
      if (isValue) pairUntil = end + 200;
      const start = this.#startOf(name, index, isValue);
      if (start === undefined) continue;
      this.#names.push([index, end]);
      names.lastIndex = Math.max(end, this.#readValue(start));
    }
    return { values: this.#values, names: this.#names };
  }

  /** Whether `name: ` or `key: ` is before a position. */
  #isValueOfName(at: number): boolean {
    const before = this.#text.slice(Math.max(0, at - 60), at);
    return /\b(?:name|key)\\{0,15}["']?[ \t]{0,8}[:=][ \t]{0,8}\\{0,15}["']?$/i.test(before);
  }

  /** Finds the start of the value of a name. @returns undefined if there is no value, or if it is already recorded */
  #startOf(name: string, nameAt: number, isValue: boolean): Start | undefined {
    const nameEnd = nameAt + name.length;
    const closed = this.#skip(CLOSING, nameEnd);
    const end = closed ?? nameEnd;
    const isQuoted = closed !== undefined;
    const at =
      this.#skip(SEPARATOR, end) ??
      (isQuoted ? undefined : this.#skip(BEFORE_QUOTE, end)) ??
      (isQuoted && !isValue ? this.#skip(COMMA, end) : undefined) ??
      (name.startsWith('-') ? this.#skip(BEFORE_ARGUMENT, end) : undefined) ??
      (this.#isTag(nameAt) ? this.#skip(TAG_END, end) : undefined);
    if (at !== undefined) return { name, nameAt, at, isQuoted };
    const wordEnd = PLAIN_NAME.test(name) ? this.#skip(WORD_WITH_DIGIT, end) : undefined;
    if (wordEnd !== undefined) this.#add(end + 1, wordEnd);
    return undefined;
  }

  #isTag(nameAt: number): boolean {
    return TAG_START.test(this.#text.slice(Math.max(0, nameAt - 40), nameAt));
  }

  /** Records a value. @returns where the next name can begin */
  #readValue({ name, nameAt, at, isQuoted }: Start): number {
    const text = this.#text;
    const isInString = this.#strings.has(at);
    const before = text[nameAt - 1];
    if (isKeyFile(name, text.slice(at, at + 300).replace(/^\\+/, ''))) return at;
    if (text[at - 1] === '>' && this.#isTag(nameAt)) return this.#add(at, this.#endOfElement(at));
    if (before === '?' || before === '&') return this.#add(at, this.#skip(QUERY_VALUE, at) ?? at);
    const noSecret = this.#skip(NO_SECRET, at);
    if (noSecret !== undefined) return noSecret;
    if (this.#isEmpty(at, isInString)) return this.#readNextLines(nameAt, at, true);
    const opening = this.#skip(OPENING, at);
    if (opening !== undefined) {
      const [contentEnd, end] = this.#endOfQuoted(at, opening, isInString);
      if (!NO_SECRET_IN_QUOTES.test(text.slice(opening, Math.min(contentEnd, opening + 20))))
        this.#add(opening, contentEnd);
      return end;
    }
    if (isQuoted) {
      if (text[at] === '{' || text[at] === '[') return this.#add(at + 1, this.#endOfBrackets(at));
      const number = this.#skip(NUMBER, at);
      if (number !== undefined) return this.#add(at, number);
    }
    const end = this.#strings.endOf(at);
    this.#add(at, end);
    return this.#readNextLines(nameAt, end, text[end - 1] === '\\');
  }

  #add(start: number, end: number): number {
    if (end > start) this.#values.push([start, end]);
    return end;
  }

  /** The end of the match of a sticky pattern; undefined without a match. */
  #skip(pattern: RegExp, at: number): number | undefined {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }

  /** Whether the rest of the line, or of the string around the position, is empty. */
  #isEmpty(at: number, isInString: boolean): boolean {
    if (this.#skip(NOTHING, at) !== undefined) return true;
    return isInString && this.#strings.isEnd(this.#skip(SPACE, at) ?? at);
  }

  /** The end of a quoted value, without and with its closing quote. @param opening the position after the opening quote */
  #endOfQuoted(at: number, opening: number, isInString: boolean): readonly [content: number, end: number] {
    const text = this.#text;
    const depth = opening - 1 - at;
    const limit = Math.min(text.length, opening + MAX_VALUE);
    const unknown = (): readonly [number, number] => {
      const end = this.#strings.lineEnd(limit);
      return [end, end];
    };
    let content = this.#closingQuote(opening, depth, limit);
    if (content === undefined) return unknown();
    // As in YAML (`''`) and in shells (`'a'"b"`, `'a'\''b'`), a value can go on after a quote.
    for (
      let end = content + depth + 1;
      depth === 0 && this.#skip(MORE, end) !== undefined;
      end = content + 1
    ) {
      const next = this.#text[end];
      if (next === '"' && isInString) break;
      content = /["'`]/.test(next ?? '') ? this.#closingQuote(end + 1, 0, limit) : this.#strings.lineEnd(end);
      if (content === undefined) return unknown();
      if (content === end || this.#text[content] === '\n') return [content, content];
    }
    return [content, content + depth + 1];
  }

  /** Finds the closing quote. @param opening the position after the opening quote @param depth backslashes before each of the two */
  #closingQuote(opening: number, depth: number, limit: number): number | undefined {
    const text = this.#text;
    const quote = text[opening - 1];
    let [lines, slashes] = [0, 0];
    for (let index = opening; index < limit; index += 1) {
      const character = text[index];
      if (character === '\\') {
        slashes += 1;
        continue;
      }
      if (character === '\n' && (lines += 1) > MAX_LINES) return index;
      // A quote in a value has one more escape at each level, and so has a backslash before it. One with fewer escapes ends the outer string.
      if (character === quote && (slashes < depth || slashes % (2 * (depth + 1)) === depth))
        return index - Math.min(slashes, depth);
      slashes = 0;
    }
    return undefined;
  }

  /** The position of the bracket that closes the bracket at `at`, else the end of a line. */
  #endOfBrackets(at: number): number {
    const text = this.#text;
    const limit = Math.min(text.length, at + MAX_VALUE);
    let depth = 0;
    for (let index = at; index < limit; index += 1) {
      const character = text[index];
      if (character === '"') index = this.#closingQuote(index + 1, 0, limit) ?? limit;
      else if (character === '{' || character === '[') depth += 1;
      else if ((character === '}' || character === ']') && (depth -= 1) === 0) return index;
    }
    return this.#strings.lineEnd(limit);
  }

  #endOfElement(at: number): number {
    const end = this.#text.slice(at, at + MAX_VALUE).indexOf('<');
    return end === -1 ? this.#strings.lineEnd(at) : at + end;
  }

  /**
   * Records the next lines that belong to a value: lines with deeper indentation, and at least one if the line of the name has no value.
   *
   * @returns where the next name can begin: the recorded lines can contain names
   */
  #readNextLines(nameAt: number, at: number, isEmpty: boolean): number {
    const text = this.#text;
    let end = this.#strings.lineEnd(at);
    const { lineEnd, isEmpty: wasEmpty } = this.#followed;
    if (lineEnd === end && (wasEmpty || !isEmpty)) return at;
    this.#followed = { lineEnd: end, isEmpty };
    const isDeeper = createDepthTest(text, nameAt);
    let isWanted = isEmpty;
    for (let lines = 0; lines < MAX_LINES && end < text.length; lines += 1) {
      const from = end + 1;
      end = this.#strings.lineEnd(from);
      const content = this.#skip(SPACE, from) ?? from;
      if (content >= end) continue;
      if (!isWanted && !isDeeper(from)) break;
      const opening = isWanted ? this.#skip(OPENING, content) : undefined;
      if (opening !== undefined) {
        this.#add(opening, this.#endOfQuoted(content, opening, false)[0]);
        break;
      }
      this.#add(content, end);
      isWanted = text[end - 1] === '\\';
    }
    return at;
  }
}

/** Creates a test for lines that are indented deeper than the line of a name, directly or after the prefix of that line, as in a log. */
function createDepthTest(text: string, nameAt: number): (lineStart: number) => boolean {
  const start = text.lastIndexOf('\n', nameAt - 1) + 1;
  const before = text.slice(start, Math.min(nameAt, start + 200));
  const indent = /^[ \t]*/.exec(before)?.[0] ?? '';
  return (lineStart) =>
    [before, indent].some(
      (prefix) => text.startsWith(prefix, lineStart) && /[ \t]/.test(text[lineStart + prefix.length] ?? ''),
    );
}
