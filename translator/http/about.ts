// `/healthz` and `/version`, in the format of Fabric nodes.

import type { BuildInfo } from '../../core/common/files/build-info.js';
import { jsonReply } from './reply.js';
import type { Route } from './route.js';

/** How many processes of the service run. */
export type WorkersRunning = () => { readonly running: number; readonly configured: number } | undefined;

/** `/healthz` and `/version`. */
export function aboutRoutes({ version, commit }: BuildInfo, count?: WorkersRunning): readonly Route[] {
  const build = JSON.stringify({ CommitSHA: commit, Version: version });
  return [
    {
      method: 'GET',
      path: '/healthz',
      hasName: false,
      handle: () =>
        jsonReply(JSON.stringify({ status: 'OK', time: new Date().toISOString(), workers: count?.() })),
    },
    { method: 'GET', path: '/version', hasName: false, handle: () => jsonReply(build) },
  ];
}
