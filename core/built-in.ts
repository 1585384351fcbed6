import { fileURLToPath } from 'node:url';

/** Where the plugins that come with this package are. */
export const BUILT_IN = fileURLToPath(new URL('../plugins/', import.meta.url));
