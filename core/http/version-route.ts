import type { BuildInfo } from '../common/files/build-info.js';
import { jsonReply } from './replies.js';
import type { Route } from './route.js';

/** `/version`: the build of the agent, in the form that nodes use. */
export function versionRoute({ version, commit }: BuildInfo): Route {
  // An unknown value is omitted.
  const document = { CommitSHA: commit || undefined, Version: version || undefined };
  return {
    path: '/version',
    handlers: { GET: async () => jsonReply(200, document) },
  };
}
