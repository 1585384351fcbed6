// The drawer: the details of one thing.

import { html, type TemplateResult } from 'lit';
import {
  ageText,
  type Answer,
  answersOf,
  startCommand,
  certificateName,
  countText,
  dayText,
  exactText,
  filesOf,
  logNote,
  clockText,
  numberText,
  plannedOf,
  secondsText,
  type State,
  withoutUrl,
  verdictText,
} from '../status/answer/index.js';
import type { Target } from './target.js';
import { otherView, stepsView, type Open } from './answer-view.js';
import { curveView } from './curve.js';
import { breakable, copyable, linkTo } from './copy.js';
import { glyph, WORDS } from './glyph.js';
import { runbookSection, type RunbookPart } from './runbook.js';
import { beginView, endView } from './planned-work.js';
import { shown } from './shown.js';
import { scopeText } from '../status/silence-scope.js';
import type {
  CertificateStatus,
  ChannelStatus,
  CheckStatus,
  LevelStatus,
  NodeStatus,
  Problem,
  OtherAgentStatus,
  StatusDocument,
} from '../status/document.js';

/** The data that a drawer is created from. */
interface DrawerSource {
  readonly document: StatusDocument;
  /** The newest first. */
  readonly events: readonly Problem[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly isLost: boolean;
  readonly open: Open;
}

/** A drawer. */
interface Drawer {
  readonly title: string;
  readonly content: unknown;
}

/** The drawer for a target; undefined: it no longer exists. */
export function drawerOf(target: Target, source: DrawerSource): Drawer | undefined {
  const { document } = source;
  if (target.of === 'node') {
    const node = document.nodes.find(({ name }) => name === target.name);
    return node && { title: node.name, content: nodeDrawer(node, source) };
  }
  if (target.of === 'channel') {
    const channel = document.channels.find(({ name }) => name === target.name);
    return channel && { title: channel.name, content: channelDrawer(channel, source) };
  }
  if (target.of === 'host') {
    const host = document.agents.find(({ name }) => name === target.name);
    return host && { title: host.name, content: hostDrawer(host, source.now) };
  }
  if (target.of !== 'cause' && target.of !== 'follows') return FIXED[target.of](source);
  const answer = answerAbout(target.component, source);
  if (answer === undefined) return undefined;
  return target.of === 'cause'
    ? { title: answer.sentence, content: causeDrawer(answer, source) }
    : { title: 'Checks that fail because of it', content: checksView(answer.follows) };
}

/** The drawers that always exist. */
const FIXED: Readonly<
  Record<
    Exclude<Target['of'], 'node' | 'channel' | 'host' | 'cause' | 'follows'>,
    (source: DrawerSource) => Drawer
  >
> = {
  others: (source) => ({ title: 'All causes', content: othersDrawer(source) }),
  certificates: ({ document, now }) => ({
    title: 'Certificates',
    content: certificatesView(document.certificates, now),
  }),
  levels: (source) => ({
    title: 'Log levels',
    content: html`${source.document.levels.map((level) => leverView(level, source))}`,
  }),
  events: ({ events }) => ({ title: 'Events of the last 24 hours', content: eventsView(events) }),
  silences: ({ document, isLost }) => ({ title: 'Planned work', content: silencesView(document, isLost) }),
  keys: () => ({
    title: 'Keys',
    content: facts([
      ['Tab, Enter', 'go to a row, and open its details'],
      ['Escape, Back', 'close the details; their address can be sent to others'],
      ['?', 'this list'],
    ]),
  }),
  agent: (source) => ({ title: 'The agent', content: agentDrawer(source) }),
  nodes: ({ document }) => ({ title: 'Several nodes', content: severalNodes(document) }),
};

const answerAbout = (component: string, { document, now }: DrawerSource): Answer | undefined => {
  const { first, others } = answersOf(document, { now });
  return [first, ...others].find(({ cause }) => cause?.problem.component === component);
};

function othersDrawer({ document, now, open }: DrawerSource): TemplateResult {
  const { first, others } = answersOf(document, { now });
  return html`<ul class="list">
    ${[first, ...others].map((answer) => otherView(answer, open))}
  </ul>`;
}

/** Each silence, with the reason and the button that ends it, and a form for another one. */
const silencesView = (document: StatusDocument, isLost: boolean): TemplateResult =>
  html`<p>While planned work lasts, notifiers send nothing about its nodes and channels.</p>
    ${document.silences.map((silence) =>
      facts([
        ['of', shown(scopeText(silence))],
        [
          'until',
          html`<span title=${exactText(silence.until)}>${secondsText(Date.parse(silence.until))}</span>`,
        ],
        ['why', shown(silence.why)],
        ['by', shown(silence.by)],
        ['end it', isLost ? '' : endView(silence.id)],
      ]),
    )}
    ${isLost ? '' : section('Begin planned work', beginView(document))}`;

/** The agent of another host: its nodes, its channels, and a link to its page. */
const hostDrawer = (agent: OtherAgentStatus, now: number): TemplateResult =>
  facts([
    [agent.reachable ? 'reachable' : 'not reachable', html`for ${timeView(agent.since, now)}`],
    ['why', shown(agent.reason ?? '')],
    ['nodes', shown(agent.nodes.map(({ name, state }) => `${name} ${state}`).join(', '))],
    [
      'channels',
      shown(
        agent.channels.map(({ name, verdict }) => `${name} ${verdictText(verdict ?? 'unknown')}`).join(', '),
      ),
    ],
    ['page', linkTo(agent.url)],
  ]);

/** Names and values; a value that is empty is left out. */
const facts = (pairs: readonly (readonly [name: string, value: unknown])[]): TemplateResult =>
  html`<dl>
    ${pairs.map(([name, value]) =>
      value === '' || value === undefined
        ? ''
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`,
    )}
  </dl>`;

const timeView = (time: string | undefined, now: number, after = ''): TemplateResult | string => {
  const at = Date.parse(time ?? '');
  const age = ageText(Math.max(1000, now - at));
  return Number.isNaN(at) ? '' : html`<span title=${exactText(time ?? '')}>${age}${after}</span>`;
};

const section = (title: string, content: unknown): TemplateResult | string =>
  content === ''
    ? ''
    : html`<h3>${title}</h3>
        ${content}`;

const NODE_STATES: Readonly<Record<string, State>> = {
  up: 'works',
  ailing: 'risk',
  silent: 'silent',
  unknown: 'unknown',
};

/** `upgrade to 3.1.5, until 16:35, begun by CN=operator`; empty: none */
const plannedText = (planned: StatusDocument['silences'][number] | undefined): string =>
  planned === undefined
    ? ''
    : shown(`${planned.why}, until ${clockText(Date.parse(planned.until))}, begun by ${planned.by}`);

function nodeDrawer(node: NodeStatus, source: DrawerSource): TemplateResult {
  const { document, events, now } = source;
  const {
    name,
    kind,
    state,
    reason = '',
    address,
    version,
    started_at: started,
    restarts_last_hour: restarts,
  } = node;
  const planned = plannedOf(name, document);
  const shownState = planned !== undefined && !node.up ? 'planned' : (NODE_STATES[state] ?? 'stopped');
  const since = document.problems.find(({ component }) => component === name)?.since;
  const level = document.levels.find((each) => each.name === name);
  const certificates = document.certificates.filter((each) => each.node === name);
  return html`${facts([
    [
      'state',
      html`${glyph(source.isLost ? 'stale' : shownState)} ${node.up ? 'up' : state}
      ${since === undefined ? '' : html`for ${timeView(since, now)}`}`,
    ],
    ['planned work', plannedText(planned)],
    ['reason', shown(withoutUrl(reason))],
    ['kind', shown(kind)],
    ['version', shown(version ?? '')],
    ['address', shown(address ?? '')],
    [node.up ? 'running for' : '', node.up ? timeView(started, now) : ''],
    ['last answer', node.up ? '' : timeView(node.last_reading, now, ' ago')],
    ['restarts', restarts === 0 ? '' : `${restarts} in the last hour`],
  ])}
  ${section('Log', logView(node))}
  ${section('Checks', checksView([...node.failed_checks, ...node.warnings].filter(({ component }) => component !== name)))}
  ${level === undefined ? '' : section('Log level', leverView(level, source))}
  ${source.isLost ? '' : section('Begin planned work', beginView(document, name))}
  ${section('Certificates', certificates.length === 0 ? '' : certificatesView(certificates, now))}
  ${section(
    'Events',
    eventsOf(events, (each) => each.node === name || each.component === name),
  )}`;
}

function logView({ log }: NodeStatus): TemplateResult | string {
  if (log === undefined) return '';
  const { cause, last, lines, source } = log;
  const note = logNote(log);
  const others = lines.filter((line) => line !== cause && line !== last);
  return html`<p class="dim">${shown(source)}${note === undefined ? '' : `: ${shown(note)}`}</p>
    ${
      cause === undefined
        ? ''
        : html`<p>Panic or fatal error</p>
            <pre tabindex="0">${shown(cause)}</pre>`
    }
    ${
      last === undefined || last === cause
        ? ''
        : html`<p>Last line</p>
            <pre tabindex="0">${shown(last)}</pre>`
    }
    ${
      others.length === 0
        ? ''
        : html`<p>Warnings and errors, newest first</p>
            <pre tabindex="0">${others.map(shown).join('\n')}</pre>`
    }`;
}

const checksView = (checks: readonly CheckStatus[]): TemplateResult | string =>
  checks.length === 0
    ? ''
    : html`<ul class="list">
        ${checks.map(
          ({ component, reason }) =>
            html`<li><strong>${shown(component)}</strong><br />${shown(withoutUrl(reason))}</li>`,
        )}
      </ul>`;

const leverView = (level: LevelStatus, { now, isLost }: DrawerSource): TemplateResult =>
  html`<level-control .level=${level} .now=${now} .isLost=${isLost}></level-control>`;

function channelDrawer(channel: ChannelStatus, { events, now }: DrawerSource): TemplateResult {
  const {
    name,
    verdict = 'unknown',
    reason = '',
    since,
    height,
    consenters,
    needed,
    blocks,
    transactions = [],
    nodes,
  } = channel;
  const heights = nodes.map((each) => {
    const text = each.height === undefined ? 'unknown' : numberText(each.height);
    return [shown(each.node), `${text}${each.stale === true ? ' (last known)' : ''}`] as const;
  });
  return html`${facts([
    [
      'verdict',
      html`${verdictText(verdict)} ${since === undefined ? '' : html`for ${timeView(since, now)}`}`,
    ],
    ['reason', shown(reason)],
    ['blocks', height === undefined ? '' : numberText(height)],
    ['newest block', timeView(channel.last_block_at, now, ' ago')],
    ['needs', needed === undefined ? '' : `${needed} of ${consenters.length} orderers`],
  ])}
  ${section('Blocks in each of the last minutes', minutesView(blocks, 'block'))}
  ${section('Transactions in each of the last minutes', minutesView(transactions, 'transaction'))}
  ${section(
    'Orderers of the channel',
    consenters.length === 0
      ? ''
      : html`<ul class="list">
          ${consenters.map(
            ({ name: consenter, address, state, leader, outage }) =>
              html`<li>
                <strong>${shown(consenter)}</strong> ${shown(leader ? 'leads' : (outage ?? state))}
                ${address === undefined || address === consenter ? '' : html`<span class="dim">${shown(address)}</span>`}
              </li>`,
          )}
        </ul>`,
  )}
  ${section('Heights', heights.length === 0 ? '' : facts(heights))}
  ${section(
    'Events',
    eventsOf(events, (each) => each.component === `channels/${name}`),
  )}`;
}

/** The numbers of each of the last minutes; without any a sentence. @param unit `block` */
function minutesView(counts: readonly number[], unit: string): TemplateResult | string {
  if (counts.length === 0) return '';
  const total = counts.reduce((sum, count) => sum + count, 0);
  const period = counts.length === 1 ? 'the last minute' : `the last ${counts.length} minutes`;
  const words = `${countText(total, unit)} in ${period}`;
  return total === 0
    ? html`<p class="dim">No ${unit} in ${period}.</p>`
    : html`${curveView(counts, words)}
        <p class="dim">${words}, at most ${numberText(Math.max(...counts))} in a minute</p>`;
}

function causeDrawer(answer: Answer, { now, open }: DrawerSource): TemplateResult {
  const { cause, meaning, steps, follows, since, runbook = '' } = answer;
  const causes = cause === undefined ? [] : [cause.problem, ...cause.same];
  const text = runbookSection(runbook);
  return html`<p>
      ${shown(meaning)}
      <span class="dim">${since === undefined ? '' : html`for ${timeView(since, now)}`}</span>
    </p>
    ${section(
      'Next',
      stepsView(
        steps.filter(({ opens }) => opens === undefined),
        open,
      ),
    )}
    ${section('What to check', text === undefined ? '' : html`${text.map(partView)}`)}
    ${section('What the agent found', checksView(causes))}
    ${section('Checks that fail because of it', checksView(follows))}`;
}

const partView = ({ text, isItem }: RunbookPart): TemplateResult =>
  html`<p class="runbook ${isItem ? 'item' : ''}">${text}</p>`;

const certificatesView = (certificates: readonly CertificateStatus[], now: number): TemplateResult =>
  html`<ul class="list">
    ${certificates.map((certificate) => {
      const end = Date.parse(certificate.not_after);
      const state = end < now ? 'stopped' : end - now < 30 * 86_400_000 ? 'risk' : undefined;
      return html`<li>
        ${state === undefined ? '' : glyph(state, WORDS[state])}
        <strong>${shown(certificateName(certificate))}</strong>
        <span title=${exactText(certificate.not_after)}
          >${Number.isNaN(end) ? '' : `${end < now ? 'expired' : 'expires'} ${dayText(end, now)}${Math.abs(end - now) < 300 * 86_400_000 ? ` (${end < now ? `${ageText(now - end)} ago` : `in ${ageText(end - now)}`})` : ''}`}</span
        ><br />
        <span class="dim"
          >${shown(certificate.node ?? certificate.component)}, ${shown(certificate.kind)}:
          ${breakable(shown(certificate.path))}</span
        >
      </li>`;
    })}
  </ul>`;

const EVENT_STATES: Readonly<Record<string, State>> = {
  failed: 'stopped',
  warning: 'risk',
  recovered: 'works',
};

const eventsOf = (events: readonly Problem[], isOf: (event: Problem) => boolean): TemplateResult | string => {
  const own = events.filter(isOf);
  return own.length === 0 ? '' : eventsView(own);
};

const eventsView = (events: readonly Problem[]): TemplateResult =>
  events.length === 0
    ? html`<p class="dim">Nothing has happened.</p>`
    : html`<ul class="list">
        ${events.map(({ since, component, state, reason }) => {
          const at = Date.parse(since);
          return html`<li>
            ${glyph(EVENT_STATES[state] ?? 'unknown', state)}
            <span title=${exactText(since)}>${Number.isNaN(at) ? shown(since) : secondsText(at)}</span>
            <strong>${shown(component)}</strong> <span class="state">${shown(state)}</span><br />
            ${shown(withoutUrl(reason))}
          </li>`;
        })}
      </ul>`;

/** Their number; opened, their names. */
const checksNamed = (checks: readonly string[]): TemplateResult | string =>
  checks.length === 0
    ? 'none'
    : html`<details>
        <summary>${countText(checks.length, 'check')}</summary>
        ${checks.map(shown).join(', ')}
      </details>`;

function agentDrawer(source: DrawerSource): TemplateResult {
  const { document, now } = source;
  const { agent, checks, plugins, sinks, notifiers } = document;
  const deliveries = [...sinks, ...notifiers];
  const level = document.levels.find(({ name }) => name === 'self');
  return html`${facts([
    ['version', shown(agent.version ?? '')],
    ['host', shown(agent.host ?? '')],
    ['running for', timeView(agent.started_at, now)],
    ['checks', checksNamed(checks)],
    ['starting', plugins.map(({ name }) => shown(name)).join(', ')],
  ])}
  ${section(
    'Warnings of the configuration',
    agent.notes.length === 0
      ? ''
      : html`<ul class="list">
          ${agent.notes.map((note) => html`<li>${shown(note)}</li>`)}
        </ul>`,
  )}
  ${section(
    'Sends to',
    deliveries.length === 0
      ? ''
      : html`<ul class="list">
          ${deliveries.map(
            ({ name, state, path, delivered_at: at, problem }) =>
              html`<li>
                <strong>${shown(name)}</strong> ${shown(problem ?? path ?? state)}
                <span class="dim">${timeView(at, now, ' ago')}</span>
              </li>`,
          )}
        </ul>`,
  )}
  ${level === undefined ? '' : section('Log level', leverView(level, source))}`;
}

/** The settings for several nodes. */
function severalNodes({ agent }: StatusDocument): TemplateResult {
  const files = filesOf(agent);
  return html`<p>Beside all of them:</p>
    ${copyable(startCommand(agent, files))}
    <p>Or in the file of its settings, with names:</p>
    <pre tabindex="0">
nodes:${files.map((file, index) => `\n  - name: node${index + 1}\n    config: ${shown(file)}`).join('')}</pre>`;
}
