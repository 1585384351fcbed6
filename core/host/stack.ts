// Where in a plugin an error happened, from the stack of the error.

import { findSourceMap } from 'node:module';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** One line of a stack that is in a file. */
export interface Frame {
  /** An absolute path. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** What a frame has before the path of its file: `at name (file:///path:line:column)` or `at /path:line:column`. */
const STARTS = [' /', '(/', ' file:///', '(file:///'];
/** The end of a place. */
const POSITION = /:\d+:\d+$/;
const PLACE = /^(?<file>[^]*):(?<line>\d+):\d+$/;
/** The first line of the stack of an error that the compiler reports: `file:///path:line`, or a path. */
const COMPILER = /^(?<file>(?:file:\/\/)?\/.*):(?<line>\d+)$/;

/** The stack of any thrown value, empty if it has none. Never throws. */
export function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/**
 * The places in the frames of a stack, such as `file:///path.js:1:2` or `/path.js:1:2`, innermost first. Without a regular expression for
 * the path, whose time would grow with the square of a line: a stack contains the message of its error.
 */
export function placesIn(stack: string): string[] {
  return stack.split('\n').flatMap((line) => {
    const frame = line.endsWith(')') ? line.slice(0, -1) : line;
    if (!line.trimStart().startsWith('at ') || !POSITION.test(frame)) return [];
    const start = Math.max(...STARTS.map((text) => frame.lastIndexOf(text)));
    return start === -1 ? [] : [frame.slice(start + 1)];
  });
}

/** The frames of a stack that are in files, the innermost first. */
export function framesOf(stack: string): Frame[] {
  return placesIn(stack).flatMap((place) => frameIn(PLACE, place));
}

/**
 * Where in a plugin an error happened: the first frame in the directory of the module, or what the compiler reports.
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
export function compilerFrame(stack: string): Frame | undefined {
  return frameIn(COMPILER, stack.split('\n', 1)[0] ?? '')[0];
}

/** The file, relative to the directory of the module of a plugin, and the line. */
export function placeOf(module: string, { file, line }: Frame): string {
  return `${relative(dirname(sourcePath(module)), file)}:${line}`;
}

/** Whether a file belongs to a plugin. The packages that it uses can be installed in its directory. */
function isIn(module: string, file: string): boolean {
  const path = relative(dirname(sourcePath(module)), file).split(sep);
  return path[0] !== '..' && !path.includes('node_modules');
}

/** The frame in a line that a pattern describes; none if the line is not one. */
function frameIn(pattern: RegExp, text: string): Frame[] {
  const { file = '', line } = pattern.exec(text)?.groups ?? {};
  if (line === undefined) return [];
  const isUrl = file.startsWith('file:') && URL.canParse(file);
  return [{ file: isUrl ? fileURLToPath(file) : file, line: Number(line) }];
}

/** The path that stack traces show for a module: its source if it has a source map and source maps are enabled. */
export function sourcePath(file: string): string {
  const base = pathToFileURL(file).href;
  const source = findSourceMap(file)?.payload.sources[0];
  if (source === undefined || !URL.canParse(source, base)) return file;
  const url = new URL(source, base);
  return url.protocol === 'file:' ? fileURLToPath(url) : file;
}
