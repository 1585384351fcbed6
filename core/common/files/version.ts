import type { Stats } from 'node:fs';

/** A text that changes when a file is replaced or written. */
export const versionOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
