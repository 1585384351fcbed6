// The small changes of a line of code that a mutant makes.

/** A change: what it replaces, and what it puts there. */
type Operator = readonly [from: RegExp, to: string | ((match: string) => string)];

const OPERATORS: readonly Operator[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \+= /g, ' -= '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[ ([])\d+(?=[;,)\] ])/g, (digits) => String(Number(digits) + 1)],
  [/\bif \((?=.*\))/g, 'if (!'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/(?<=return )!(?=\w)/g, ''],
  // A statement that only calls something is left out.
  [/^ *(?:await |void )?[\w.#?]+\([^{]*\);$/g, ';'],
];

/** A line without logic: a comment, an import or export, or a line that TypeScript wrote. */
const WITHOUT_LOGIC = /^\s*(?:\/\/|\/?\*|import\b|export (?:\{|\*)|$)/;

/** All changed forms of a line of compiled code; none if it has no logic. */
export function mutationsOf(line: string): string[] {
  if (WITHOUT_LOGIC.test(line)) return [];
  const quoted = quotedRanges(line);
  return OPERATORS.flatMap(([from, to]) =>
    [...line.matchAll(from)]
      .filter(({ index }) => !quoted.some(([start, end]) => index > start && index < end))
      .map((match) => {
        const [text] = match;
        const end = match.index + text.length;
        const changed = `${line.slice(0, match.index)}${typeof to === 'string' ? to : to(text)}`;
        return text === 'if (' ? `${changed}(${inParentheses(line.slice(end))}` : changed + line.slice(end);
      }),
  ).filter((changed) => changed !== line);
}

/** Texts and the comment of a line: a change within one is a change of a message. Code in a template, within `${}`, is no text. */
function quotedRanges(line: string): (readonly [start: number, end: number])[] {
  const ranges: (readonly [start: number, end: number])[] = [];
  /** The ends of what is open: quotes and braces. */
  const open: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    const [character, next, end] = [line[at]!, line[at + 1], open.at(-1)];
    if (end !== undefined && end !== '}') {
      const opensCode = end === '`' && character === '$' && next === '{';
      if (character === end || opensCode) ranges.push([start, at]);
      if (character === '\\' || opensCode) at += 1;
      if (character === end) open.pop();
      else if (opensCode) open.push('}');
    } else if (character === '/' && next === '/') return [...ranges, [at, line.length]];
    else if (character === '}') open.pop();
    else if ('\'"`'.includes(character)) open.push(character);
    else if (character === '{') open.push('}');
    // A text begins, or goes on after code.
    if (open.at(-1) !== end) start = at;
  }
  return ranges;
}

/** Closes the condition of an `if` once more, where it ends. */
function inParentheses(rest: string): string {
  let depth = 1;
  for (let at = 0; at < rest.length; at += 1) {
    if (rest[at] === '(') depth += 1;
    if (rest[at] === ')') depth -= 1;
    if (depth === 0) return `${rest.slice(0, at)})${rest.slice(at)}`;
  }
  return `${rest})`;
}
