// Serves the page of the agent with recorded incidents of a test network, for people who have no network at hand.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readArguments } from '../cli/arguments.js';
import { EXIT, type Command } from '../cli/command.js';
import { PAGE_HEADERS } from '../common/server/page-headers.js';
import { LeveledLoggers } from '../contract/index.js';
import { createOperationsServer, LIMITS } from '../http/index.js';
import { errorReply, type Route, type Subscribe } from '../http/route.js';
import { MetricStore } from '../metrics/index.js';

/** A recorded state of an agent, and the events before it. */
export interface Incident {
  /** A part of its address. */
  readonly name: string;
  readonly title: string;
  readonly state: { readonly time: string };
  /** The newest first. */
  readonly events: readonly object[];
}

/** How long an incident is shown before the next one, in seconds. */
const PERIOD = 15;
/** How often the state is sent, in milliseconds: as often as an agent sends it. */
const INTERVAL = 5_000;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

const fileOf = (name: string): Buffer => readFileSync(new URL(`../../page/${name}`, import.meta.url));

/** Serves the page with recorded incidents until SIGTERM or SIGINT. */
export const demo: Command = {
  help: `Usage: fabric-ops-agent demo

Serves the page of the agent with recorded incidents of a test network, on a
free port of 127.0.0.1, and prints its address. The incidents follow each other
every ${PERIOD} s, or one is chosen on the page. No node is needed, nothing is
monitored and nothing is written. Ctrl+C ends it.

The channel page with its examples is at /channel.
`,
  async run(args, process) {
    readArguments(args, {});
    const stopRequested = new Promise<void>((resolve) => process.onStop(resolve));
    const server = createOperationsServer({
      routes: demoRoutes(JSON.parse(gunzipSync(fileOf('demo.json.gz')).toString()) as readonly Incident[]),
      tls: undefined,
      hosts: [],
      log: new LeveledLoggers({ write: () => undefined }).logger('demo'),
      metrics: new MetricStore(100),
      limits: LIMITS,
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    process.out(`recorded incidents: http://${server.address()}/\nCtrl+C ends the demo\n`);
    await stopRequested;
    await server.close();
    return EXIT.ok;
  },
};

/** The routes of the demo. @param incidents in their order, at least one */
export const demoRoutes = (incidents: readonly Incident[]): readonly Route[] => [
  {
    path: '/',
    handlers: { GET: () => ({ status: 302, headers: { Location: pathOf(incidents[0]!, true) } }) },
  },
  {
    path: '/channel',
    handlers: { GET: () => ({ status: 200, headers: PAGE_HEADERS, body: fileOf('channel.html') }) },
  },
  ...incidents.flatMap((incident) =>
    [true, false].flatMap((isTour) => incidentRoutes(incident, isTour, incidents)),
  ),
];

/** The path of the page with an incident. @param isTour whether the next incident follows by itself */
const pathOf = ({ name }: Incident, isTour: boolean): string => `/${isTour ? 'tour/' : ''}${name}/`;

function incidentRoutes(incident: Incident, isTour: boolean, all: readonly Incident[]): readonly Route[] {
  const path = pathOf(incident, isTour);
  const next = all[(all.indexOf(incident) + 1) % all.length]!;
  const refresh = isTour ? { Refresh: `${PERIOD}; url=${pathOf(next, true)}` } : {};
  return [
    {
      path,
      handlers: {
        GET: () => ({
          status: 200,
          headers: { ...PAGE_HEADERS, ...refresh },
          body: fileOf('agent.html')
            .toString()
            // A recorded incident has no page without JavaScript.
            .replace(/<noscript><meta.*\n/, '')
            .replace('<agent-page>', () => `${choiceOf(incident, isTour, all)}\n<agent-page>`),
        }),
      },
    },
    {
      path: `${path}events`,
      handlers: {
        GET: () => ({
          status: 200,
          headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
          events: eventsOf(incident),
        }),
      },
    },
    {
      path: `${path}nodes/:node/logspec`,
      handlers: { PUT: () => errorReply(403, 'this is a recorded incident: nothing can be changed') },
    },
  ];
}

/** The part of the page above the recorded state: what it is, and the other incidents. */
function choiceOf(incident: Incident, isTour: boolean, all: readonly Incident[]): string {
  const links = all.map(
    (each) =>
      `<a href="${pathOf(each, false)}"${each === incident ? ' aria-current="page"' : ''}>${each.title}</a>`,
  );
  const other = isTour ? 'Stay at this one' : `Show one after the other`;
  return `<nav aria-label="recorded incidents">
<p><strong>Recorded incidents of a test network.</strong> No node is monitored here. <a href="${pathOf(incident, !isTour)}">${other}</a> <a href="/channel">Channel page</a></p>
<p>${links.join('\n')}</p>
</nav>`;
}

/** Sends the events and the state as if the incident was recorded now. */
function eventsOf({ state, events }: Incident): Subscribe {
  return (send) => {
    const ahead = Date.now() - Date.parse(state.time);
    const moved = (value: object): string =>
      JSON.stringify(value).replaceAll(TIME, (time) => new Date(Date.parse(time) + ahead).toISOString());
    for (const [index, event] of events.toReversed().entries())
      send(`id: ${index + 1}\nevent: event\ndata: ${moved(event)}\n\n`);
    const sendState = (): void => {
      const now = new Date(Date.now() - ahead).toISOString();
      send(`event: state\ndata: ${moved({ ...state, time: now })}\n\n`);
    };
    sendState();
    const timer = setInterval(sendState, INTERVAL);
    return () => clearInterval(timer);
  };
}
