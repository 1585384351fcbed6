// What people drop on the page: files, recognised by their content.

import { readChannelFile, type ConfigFile, type UpdateFile } from 'fabric-ops-agent/translator/config';
import { TranslateError } from 'fabric-ops-agent/translator/errors';

/** A file that the page has read. */
export interface PageFile {
  readonly name: string;
  /** Why it cannot be read; undefined if it can. */
  readonly error: string | undefined;
  readonly config: ConfigFile | undefined;
  readonly update: UpdateFile | undefined;
}

/** Larger files are not read, in bytes. */
const MAX_SIZE = 100 * 1024 * 1024;

/** Reads a file. */
export function readPageFile(name: string, bytes: Uint8Array): PageFile {
  const none = { name, config: undefined, update: undefined };
  if (bytes.length > MAX_SIZE) return { ...none, error: `it is larger than ${MAX_SIZE} bytes` };
  try {
    const file = readChannelFile(bytes);
    return file.kind === 'config'
      ? { ...none, error: undefined, config: file }
      : { ...none, error: undefined, update: file };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { ...none, error: error.message };
  }
}

/** The file with the newest config: that of the block with the highest number. */
export function newestConfig(files: readonly PageFile[]): PageFile | undefined {
  return files
    .filter(({ config }) => config !== undefined)
    .toSorted((left, right) => compare(left.config!, right.config!))
    .at(-1);
}

function compare(left: ConfigFile, right: ConfigFile): number {
  const [first, second] = [orderOf(left), orderOf(right)];
  return first < second ? -1 : Number(first > second);
}

const orderOf = ({ number, config }: ConfigFile): bigint => number ?? config.sequence;
