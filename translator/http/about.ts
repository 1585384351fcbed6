// The routes that tell about the service itself, in the form that Fabric nodes use.

import type { BuildInfo } from '../../core/service/index.js';
import { jsonReply } from './replies.js';
import type { Route } from './route.js';

/** `/healthz` and `/version`. */
export function aboutRoutes({ version, commit }: BuildInfo): readonly Route[] {
  const build = JSON.stringify({ CommitSHA: commit, Version: version });
  return [
    {
      method: 'GET',
      path: '/healthz',
      hasName: false,
      answer: () => jsonReply(JSON.stringify({ status: 'OK', time: new Date().toISOString() })),
    },
    { method: 'GET', path: '/version', hasName: false, answer: () => jsonReply(build) },
  ];
}
