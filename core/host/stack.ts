// Finds the place of an error in a plugin, from the stack of the error.

import { dirname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sourceMapOf } from '../common/files/source-map.js';

/** A frame of a stack that is in a file. */
interface Frame {
  /** An absolute path. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. The compiler reports none. */
  readonly column?: number;
}

/** The text before the path in a frame: `at name (file:///path:line:column)` or `at /path:line:column`. */
const STARTS = [' /', '(/', ' file:///', '(file:///'];
/** The end of a place. */
const POSITION = /:\d+:\d+$/;
const PLACE = /^(?<file>[^]*):(?<line>\d+):(?<column>\d+)$/;
/** Most lines at the end of a stack that are searched for places. The message before them may contain many lines of foreign text. */
const MAX_FRAMES = 100;
/** The first line of the stack of an error that the compiler reports: `file:///path:line`, or a path. */
const COMPILER = /^(?<file>(?:file:\/\/)?\/.*):(?<line>\d+)$/;

/** The stack of any thrown value, with places in the source for modules that have source maps; empty if it has none. Never throws. */
export function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? withSourcePlaces(stack) : '';
  } catch {
    return '';
  }
}

function withSourcePlaces(stack: string): string {
  const lines = stack.split('\n');
  const start = lines.length - MAX_FRAMES;
  return lines
    .map((line, index) => {
      const place = index < start ? undefined : placeInLine(line);
      return place === undefined ? line : line.replace(place, () => sourcePlace(place));
    })
    .join('\n');
}

/** Maps a place in a compiled module to the place in the source, as a path; returns the same text if the module has no source map. */
function sourcePlace(place: string): string {
  const [frame] = frameIn(PLACE, place);
  if (frame === undefined) return place;
  const { file, line, column = 1 } = frame;
  const origin = sourceMapOf(file)?.findOrigin(line, column);
  if (origin === undefined || !('fileName' in origin)) return place;
  const path = resolveSource(origin.fileName, file);
  return path === undefined ? place : `${path}:${origin.lineNumber}:${origin.columnNumber}`;
}

/**
 * The places in the frames of a stack, such as `file:///path.js:1:2` or `/path.ts:1:2`, innermost first; in the source for modules that
 * have source maps.
 */
export function placesIn(stack: string): string[] {
  return withSourcePlaces(stack)
    .split('\n')
    .flatMap((line) => placeInLine(line) ?? []);
}

/**
 * The place in a line of a stack. A regular expression for the path would take quadratic time, and a stack contains the message of its
 * error.
 */
function placeInLine(line: string): string | undefined {
  const frame = line.endsWith(')') ? line.slice(0, -1) : line;
  if (!line.trimStart().startsWith('at ') || !POSITION.test(frame)) return undefined;
  const start = Math.max(...STARTS.map((text) => frame.lastIndexOf(text)));
  return start === -1 ? undefined : frame.slice(start + 1);
}

/** The frames of a stack that are in files, the innermost first. */
export function framesOf(stack: string): Frame[] {
  return placesIn(stack).flatMap((place) => frameIn(PLACE, place));
}

/**
 * The place of an error in a plugin: the first frame in the directory of the module, or the place that the compiler reports.
 *
 * @param module the path of the module of the plugin
 * @returns such as `check.mjs:12`, relative to the directory of the module; undefined if the stack has no such frame
 */
export function placeIn(module: string, error: unknown): string | undefined {
  const stack = stackOf(error);
  const frame = compilerFrame(stack) ?? framesOf(stack).find(({ file }) => isIn(module, file));
  return frame === undefined ? undefined : placeOf(module, frame);
}

/** The file and line that the compiler reports at the beginning of a stack. */
function compilerFrame(stack: string): Frame | undefined {
  return frameIn(COMPILER, stack.split('\n', 1)[0] ?? '')[0];
}

/** The file, relative to the directory of the module of a plugin, and the line. */
function placeOf(module: string, { file, line }: Frame): string {
  return `${relative(dirname(sourcePath(module)), file)}:${line}`;
}

/** Whether a file belongs to a plugin, and not to a package that is installed in its directory. */
function isIn(module: string, file: string): boolean {
  const path = relative(dirname(sourcePath(module)), file).split(sep);
  return path[0] !== '..' && !path.includes('node_modules');
}

/** The frame that a pattern matches in a line; none without a match. */
function frameIn(pattern: RegExp, text: string): Frame[] {
  const { file = '', line, column } = pattern.exec(text)?.groups ?? {};
  if (line === undefined) return [];
  const isUrl = file.startsWith('file:') && URL.canParse(file);
  return [
    {
      file: isUrl ? fileURLToPath(file) : file,
      line: Number(line),
      ...(column !== undefined && { column: Number(column) }),
    },
  ];
}

/** The path of a module in the output of {@link stackOf}: its source if it has a source map, else the same path. */
export function sourcePath(file: string): string {
  const source = sourceMapOf(file)?.payload.sources[0];
  return (source === undefined ? undefined : resolveSource(source, file)) ?? file;
}

/**
 * @param source a relative path or a URL, as a source map has it
 * @param file the compiled module
 * @returns undefined if the source is not a file
 */
function resolveSource(source: string, file: string): string | undefined {
  const base = pathToFileURL(file).href;
  const url = URL.canParse(source, base) ? new URL(source, base) : undefined;
  return url?.protocol === 'file:' ? fileURLToPath(url) : undefined;
}
