// `/`: the page of the agent. `/events`: the state and the events, for the page and for scripts.

import { readFileSync } from 'node:fs';
import { PAGE_HEADERS } from '../common/server/page-headers.js';
import type { Route } from '../http/index.js';
import type { EventStream } from './event-stream.js';

/** Reads the page for each request, so that it takes no memory while nobody opens it. */
const readPage = (): Buffer => readFileSync(new URL('../../page/agent.html', import.meta.url));

/** The routes `/` and `/events`. */
export const pageRoutes = (stream: EventStream): readonly Route[] => [
  {
    path: '/',
    handlers: {
      GET: () => ({
        status: 200,
        headers: PAGE_HEADERS,
        body: readPage(),
      }),
    },
  },
  {
    path: '/events',
    handlers: {
      GET: () => ({
        status: 200,
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        },
        events: stream.subscribe,
      }),
    },
  },
];
