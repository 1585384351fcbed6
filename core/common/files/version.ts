import { statSync, type Stats } from 'node:fs';

/** A text that changes when a file is replaced or written. */
export const versionOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** A text that changes when one of the files changes, appears or disappears. Empty paths are skipped. */
export function versionsOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        return file === '' ? '' : versionOf(statSync(file));
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    })
    .join();
}
