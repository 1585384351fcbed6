import { fileURLToPath } from 'node:url';

/** The directory of the built-in plugins. */
export const BUILT_IN = fileURLToPath(new URL('../plugins/', import.meta.url));
