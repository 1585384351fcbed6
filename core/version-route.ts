import type { BuildInfo } from './service/index.js';
import { jsonReply, type Route } from './http/index.js';

/** `/version`: the version and commit of this build, in the form of Fabric nodes. */
export function versionRoute({ version, commit }: BuildInfo): Route {
  // Unknown values are omitted.
  const shown = { CommitSHA: commit || undefined, Version: version || undefined };
  return {
    path: '/version',
    handlers: { GET: async () => jsonReply(200, shown) },
  };
}
