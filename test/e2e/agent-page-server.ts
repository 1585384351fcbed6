// The page of the agent with a given state instead of an agent.

import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { plainPage } from '../../core/events/plain-page.js';
import type { StatusDocument } from '../../core/status/document.js';
import type { Owner } from '../helpers/folder.js';

/** A server of the page. */
export interface PageServer {
  readonly url: string;
  /** Sends another state. */
  readonly send: (state: object) => void;
  /** Stops it, as an agent stops. */
  readonly stop: () => void;
}

/** Serves the page with a state and events. @param events the newest first */
export async function servePage(
  t: Owner,
  state: object,
  events: readonly object[] = [],
): Promise<PageServer> {
  const listeners = new Set<ServerResponse>();
  let last = state;
  const stateText = (): string => `event: state\ndata: ${JSON.stringify(last)}\n\n`;
  const server = createServer(({ url }, response) => {
    if (url === '/?plain') {
      const document = last as StatusDocument;
      const html = plainPage(document, Date.parse(document.time));
      response.setHeader('Content-Type', 'text/html').end(html);
      return;
    }
    if (url !== '/events') {
      response.setHeader('Content-Type', 'text/html').end(readFileSync('dist/page/agent.html'));
      return;
    }
    response.setHeader('Content-Type', 'text/event-stream');
    for (const [index, event] of events.toReversed().entries())
      response.write(`id: ${index + 1}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`);
    response.write(stateText());
    listeners.add(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  t.teardown(stop);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    send(next) {
      last = next;
      for (const response of listeners) response.write(stateText());
    },
    stop,
  };
}
