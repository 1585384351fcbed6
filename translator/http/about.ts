// `/healthz` and `/version`, in the format of Fabric nodes.

import type { BuildInfo } from '../../core/common/files/build-info.js';
import { PAGE_HEADERS } from '../../core/common/server/page-headers.js';
import { jsonReply } from './reply.js';
import type { Route } from './route.js';

/** The number of running and configured processes of the service. */
export type WorkersRunning = () => { readonly running: number; readonly configured: number } | undefined;

/** `/healthz`, `/version` and, with a page, `/`. */
export function aboutRoutes(
  { version, commit }: BuildInfo,
  count: WorkersRunning | undefined,
  readPage: (() => Buffer) | undefined,
): readonly Route[] {
  const build = JSON.stringify({ CommitSHA: commit, Version: version });
  const pages: readonly Route[] =
    readPage === undefined
      ? []
      : [
          {
            method: 'GET',
            path: '/',
            hasName: false,
            handle: () => ({ status: 200, headers: PAGE_HEADERS, body: readPage() }),
          },
        ];
  return [
    ...pages,
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
