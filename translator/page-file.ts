// The channel page from the build.

import { readFileSync } from 'node:fs';

/** The page: HTML in UTF-8. */
export const readPage = (): Buffer => readFileSync(new URL('../page/channel.html', import.meta.url));
