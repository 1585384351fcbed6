// The page of the agent: the component `<agent-page>`.

import { css, html, LitElement, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { shown } from './shown.js';
import { channelsView, Heights } from './channels.js';
import { AgentLevels } from './levels.js';
import { runbookSection } from './runbook.js';
import { dayText, validityBar, YEAR } from '../common/page/bar.js';
import { styles } from '../common/page/styles.js';
import { table } from '../common/page/table.js';
import type { CertificateStatus, NodeStatus, Problem, StatusDocument } from '../status/document.js';
import { readEvent, readStatus } from '../status/read.js';

/** Most events that are shown. */
const MAX_EVENTS = 200;

const layout = css`
  .headline {
    padding: 0.75rem 1rem;
    border-radius: 0.5rem;
    border: 2px solid var(--line);
    background: var(--box);
  }
  .headline.good {
    border-color: var(--good);
  }
  .headline.bad {
    border-color: var(--danger);
    background: var(--danger-box);
  }
  .headline.warn {
    border-color: var(--warning);
  }
  .headline p {
    margin: 0;
  }
  .spark polyline {
    fill: none;
    stroke: var(--link);
    stroke-width: 1.5;
  }
  .state {
    white-space: nowrap;
  }
  .state.down {
    color: var(--danger);
    font-weight: 600;
  }
`;

/** `<agent-page>` */
class AgentPage extends LitElement {
  static override styles = [styles, layout];
  static override properties = {
    status: { state: true },
    events: { state: true },
    lostAt: { state: true },
    now: { state: true },
  };
  declare private status: StatusDocument | undefined;
  /** The newest first. */
  declare private events: readonly Problem[];
  /** When the agent became unreachable; undefined while it is reachable. */
  declare private lostAt: Date | undefined;
  declare private now: number;
  readonly #heights = new Heights();
  #numbers = new Set<string>();

  constructor() {
    super();
    this.events = [];
    this.now = Date.now();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    setInterval(() => (this.now = Date.now()), 1000);
    this.#connect();
  }

  #connect(): void {
    const source = new EventSource('events');
    source.addEventListener('open', () => {
      this.lostAt = undefined;
      // An agent that was restarted counts from 1 again.
      this.#numbers = new Set();
      this.events = [];
    });
    source.addEventListener('error', () => {
      this.lostAt ??= new Date();
      // The browser does not retry after a response that is not an event stream, such as the error of a proxy.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#connect(), 5000);
    });
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      this.status = readStatus(data);
      this.#heights.add(this.status.channels);
    });
    source.addEventListener('event', ({ data, lastEventId }: MessageEvent<string>) => {
      if (this.#numbers.has(lastEventId)) return;
      this.#numbers.add(lastEventId);
      this.events = [readEvent(data), ...this.events].slice(0, MAX_EVENTS);
    });
  }

  override updated(): void {
    document.title = `${this.#headline().text} – Fabric nodes`;
  }

  override render(): TemplateResult {
    const { status } = this;
    const { kind, text } = this.#headline();
    return html`<main>
      <h1>Fabric nodes</h1>
      <div class="headline ${kind}" role="status">
        <p class="verdict ${kind}">${text}</p>
        <p class="dim">
          ${status === undefined ? '' : `as of ${timeText(status.time)}; agent ${shown(status.agent.version ?? '')}`}
        </p>
      </div>
      ${status === undefined ? '' : this.#statusView(status)}
    </main>`;
  }

  #headline(): { readonly kind: string; readonly text: string } {
    if (this.lostAt !== undefined)
      return {
        kind: 'bad',
        text: `The agent has been unreachable since ${timeText(this.lostAt.toISOString())}`,
      };
    if (this.status === undefined) return { kind: '', text: 'Waiting for the agent' };
    const { problems, nodes, plugins } = this.status;
    const channel = problems.find((problem) => problem.state === 'failed' && isChannel(problem));
    if (channel !== undefined) return { kind: 'bad', text: shown(`${channelIn(channel)} ${channel.reason}`) };
    const down = nodes.filter(({ up }) => !up).map(({ name }) => shown(name));
    if (down.length > 0)
      return { kind: 'bad', text: `${down.join(', ')} ${down.length === 1 ? 'is' : 'are'} down` };
    const failed = problems.filter(({ state }) => state === 'failed').length;
    if (failed > 0) return { kind: 'bad', text: `${failed} ${failed === 1 ? 'check fails' : 'checks fail'}` };
    if (plugins.length > 0)
      return {
        kind: 'warn',
        text: plugins.length === 1 ? '1 plugin is starting' : `${plugins.length} plugins are starting`,
      };
    if (problems.length > 0)
      return { kind: 'warn', text: `${problems.length} ${problems.length === 1 ? 'warning' : 'warnings'}` };
    return nodes.length === 0
      ? { kind: '', text: 'No node is configured' }
      : { kind: 'good', text: 'Everything is healthy' };
  }

  #statusView({
    problems,
    checks,
    nodes,
    channels,
    certificates,
    levels,
    plugins,
    agent,
  }: StatusDocument): TemplateResult {
    const others = problems.filter((problem) => !isChannel(problem));
    return html`${
        nodes.length === 0
          ? ''
          : html`<section aria-label="channels">
              <h2>Channels</h2>
              ${problemList(problems.filter(isChannel))} ${channelsView(channels, this.#heights)}
            </section>`
      }
      ${
        others.length === 0
          ? ''
          : html`<section aria-label="problems">
              <h2>Failed checks and warnings</h2>
              ${problemList(others)}
            </section>`
      }
      ${
        plugins.length === 0
          ? ''
          : html`<section aria-label="plugins">
              <h2>Plugins that have not started yet</h2>
              ${table(
                ['plugin', 'kind', 'state'],
                plugins.map(({ name, kind, state }) => [name, kind, state].map(shown)),
              )}
            </section>`
      }
      <section aria-label="nodes">
        <h2>Nodes</h2>
        ${
          nodes.length === 0
            ? withoutNode(checks)
            : table(['node', 'state', 'version', 'running since', 'restarts in an hour'], nodes.map(nodeRow))
        }
        ${repeat(nodes, ({ name }) => name, logView)}
      </section>
      <section aria-label="levels">
        <h2>Log levels</h2>
        <agent-levels .levels=${levels} .now=${this.now}></agent-levels>
      </section>
      <section aria-label="certificates">
        <h2>Certificates by expiry</h2>
        ${certificatesView(certificates, this.now)}
      </section>
      ${
        agent.notes.length === 0
          ? ''
          : html`<section aria-label="notes">
              <h2>Warnings of the configuration</h2>
              <ul>
                ${agent.notes.map((note) => html`<li>${shown(note)}</li>`)}
              </ul>
            </section>`
      }
      <section aria-label="events">
        <h2>Events of the last hours</h2>
        ${
          this.events.length === 0
            ? html`<p class="dim">Nothing has happened.</p>`
            : table(
                ['time', 'what', 'state', 'reason'],
                this.events.map(({ since, component, state, reason }) => [
                  timeText(since),
                  shown(component),
                  html`<span class="state">${shown(state)}</span>`,
                  shown(reason),
                ]),
              )
        }
      </section>`;
  }
}

/** The next step, and what the agent checks without a node. */
const withoutNode = (checks: readonly string[]): TemplateResult =>
  html`<p>
      The agent monitors no node yet. Start it with <code>--beside /path/core.yaml</code>, the file of a peer,
      or with the <code>orderer.yaml</code> of an orderer.
    </p>
    <p>${checks.length === 0 ? 'No check runs.' : `Checks that run: ${checks.map(shown).join(', ')}`}</p>`;

/** The common name of a subject; all of it without one. */
const shortName = (subject: string): string => /(?:^|, )(CN=[^,]*)/.exec(subject)?.[1] ?? subject;

/** Whether a problem is the verdict about a channel. */
const isChannel = ({ component }: Problem): boolean => component.startsWith('channels/');
const channelIn = ({ component }: Problem): string => component.slice('channels/'.length);

const problemList = (problems: readonly Problem[]): unknown =>
  repeat(
    problems.toSorted((left, right) => rankOf(left) - rankOf(right)),
    ({ component }) => component,
    problemView,
  );

const rankOf = ({ state }: Problem): number => (state === 'failed' ? 0 : 1);

/** `2026-11-24 10:12:37 UTC` */
const timeText = (time: string): string => shown(time.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC'));

function problemView({ component, state, reason, since, runbook = '' }: Problem): TemplateResult {
  const section = runbookSection(runbook);
  return html`<div class="finding ${state === 'failed' ? 'danger' : 'warning'}">
    <strong>${shown(component)}</strong>: ${shown(reason)}
    <span class="dim">since ${timeText(since)}</span>
    ${
      section === undefined
        ? ''
        : html`<details>
            <summary>What to do: ${shown(runbook)}</summary>
            <p class="runbook">${section}</p>
          </details>`
    }
  </div>`;
}

const nodeRow = ({
  name,
  kind,
  up,
  healthy,
  reason = '',
  version = '',
  started_at = '',
  restarts_last_hour: restarts,
}: NodeStatus): unknown[] => [
  html`${shown(name)} <span class="dim">${shown(kind)}</span>`,
  up && healthy
    ? 'up'
    : html`<span class="state down">${up ? 'up, not healthy' : 'down'}</span> ${shown(reason)}`,
  shown(version),
  timeText(started_at),
  restarts === 0 ? '' : String(restarts),
];

const logView = ({ name, log }: NodeStatus): TemplateResult | string =>
  log === undefined || log.lines.length === 0
    ? ''
    : html`<details>
        <summary>Warnings and errors in the log of ${shown(name)}, newest first</summary>
        <pre tabindex="0">${log.lines.map(shown).join('\n')}</pre>
      </details>`;

/** The certificates that expire within a year; the others can be opened. */
function certificatesView(certificates: readonly CertificateStatus[], now: number): TemplateResult {
  if (certificates.length === 0) return html`<p class="dim">No certificates are checked.</p>`;
  const [soon, later] = [false, true].map((isLater) =>
    certificates
      .filter(({ not_after }) => Date.parse(not_after) - now > YEAR === isLater)
      .map((certificate) => certificateRow(certificate, now)),
  ) as [unknown[][], unknown[][]];
  const titles = ['certificate', 'of', 'for', 'valid until', 'of the next year'];
  return html`${
    soon.length === 0 ? html`<p class="dim">No certificate expires within a year.</p>` : table(titles, soon)
  }
  ${
    later.length === 0
      ? ''
      : html`<details>
          <summary>Valid for more than a year: ${later.length}</summary>
          ${table(titles, later)}
        </details>`
  }`;
}

function certificateRow(
  { component, subject, kind, path, not_after }: CertificateStatus,
  now: number,
): unknown[] {
  const end = Date.parse(not_after);
  return [
    html`<span title=${shown(`${subject} in ${path}`)}>${shown(shortName(subject))}</span>`,
    shown(component),
    shown(kind),
    ...(Number.isNaN(end) ? ['', ''] : [dayText(end, now), validityBar(end - now)]),
  ];
}

customElements.define('agent-levels', AgentLevels);
customElements.define('agent-page', AgentPage);
