// The route `/version`.

import type { BuildInfo } from './service/index.js';
import { jsonReply, type Route } from './http/index.js';

/** `/version`: which build of the agent this is, in the form that nodes use. */
export function versionRoute({ version, commit }: BuildInfo): Route {
  // What is not known is left out.
  const shown = { CommitSHA: commit || undefined, Version: version || undefined };
  return {
    path: '/version',
    handlers: { GET: async () => jsonReply(200, shown) },
  };
}
