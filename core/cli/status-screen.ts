// The status of one or several services as a screen. Everything that comes from a service is escaped.

import { onOneLine } from '../common/text/one-line.js';
import { wrapLine } from '../common/text/wrap.js';
import { CLOCK, dependsOnClock } from '../health/index.js';
import { answersOf, countText, listText, logNote, MOST_OTHERS } from '../status/answer/index.js';
import type { CheckStatus, NodeStatus, StatusDocument } from '../status/document.js';
import { answerText } from './answer-text.js';
import type { Terminal } from './command.js';
import { mergeReports } from './status-agents.js';
import { clockLines, problemLines, todoLines, verdictLines, warningLines } from './status-lines.js';
import type { StatusReport } from './status-report.js';
import {
  channelNodeTable,
  channelTable,
  describeLevel,
  shownChannels,
  tables,
  type Shown,
} from './status-tables.js';

/** Options for printing a screen. */
interface ScreenOptions {
  /** Whether all certificates are shown; in {@link formatStatus} also what the answer explains, the nodes of channels and the logs. */
  readonly hasAll: boolean;
  /** The width at which sentences are wrapped, in characters. @default they are not wrapped */
  readonly columns?: number | undefined;
}

/** The width of a terminal that does not report it. */
const COLUMNS = 80;

/** The width at which sentences are wrapped; undefined without a terminal, because other programs need one line for each sentence. */
export const columnsOf = (terminal: Terminal | undefined): number | undefined =>
  terminal && (terminal.size().columns || COLUMNS);

type Section = readonly string[];

/** Formats a report with all details: first the channels, then the problems, and what to do. Sentences are wrapped, tables are not. */
export const formatScreen = (report: StatusReport, { hasAll, columns = Infinity }: ScreenOptions): string =>
  joinSections(
    fullScreen([report], report.document, {
      hasAll,
      columns,
      todo: todoLines(report.document?.problems ?? []),
    }),
  );

/**
 * Formats the status of one or several services. The answer comes first, then one line for each service and the details: all of them with
 * `hasAll`, else those that the answer does not say.
 */
export function formatStatus(
  reports: readonly StatusReport[],
  { hasAll, columns = Infinity }: ScreenOptions,
): string {
  const time = reports.find((report) => report.document !== undefined)?.time;
  const document = reports.length > 1 ? mergeReports(reports) : reports[0]?.document;
  if (time === undefined || document === undefined)
    return joinSections(fullScreen(reports, undefined, { hasAll, columns }));
  const sections = hasAll
    ? fullScreen(reports, document, { hasAll, columns })
    : briefScreen(reports, document, columns);
  return `${answerText(document, Date.parse(time), columns)}\n${joinSections(sections)}`;
}

/** @param options `todo`: the steps, if no answer has them */
function fullScreen(
  reports: readonly StatusReport[],
  document: StatusDocument | undefined,
  { hasAll, columns = Infinity, todo = [] }: ScreenOptions & { readonly todo?: readonly string[] },
): Section[] {
  const wrapped = wrapperOf(columns);
  const clock = clockLines(document?.problems ?? []);
  const shown = shownOf(reports, { hasAll, isClockWrong: clock.length > 0 });
  const errors = reports.length === 1 ? (reports[0]?.errors ?? []) : [];
  const others = document && withoutVerdicts(document);
  return [
    wrapped(clock),
    wrapped(verdictLines(document?.channels ?? [])),
    wrapped(headlines(reports)),
    wrapped(withTitle('PROBLEMS', [...(others ? problemLines(others, shown.isClockWrong) : []), ...errors])),
    ...(others === undefined
      ? []
      : [
          wrapped(withTitle('WARNINGS', warningLines(others))),
          wrapped(withTitle('TO DO', todo)),
          ...tables(others, shown, channelNodeTable(others)),
          wrapped(withTitle('NOTES', notesOf(others, shown.isClockWrong))),
          ...others.nodes.map((node) => wrapped(logLines(node))),
        ]),
  ];
}

function briefScreen(reports: readonly StatusReport[], document: StatusDocument, columns: number): Section[] {
  const wrapped = wrapperOf(columns);
  const isClockWrong = clockLines(document.problems).length > 0;
  const { remaining, following } = splitByAnswer(document);
  const unclear = document.channels.filter(({ verdict }) => verdict === 'unknown');
  return [
    wrapped([...headlines(reports), ...verdictLines(unclear)]),
    wrapped(withTitle('PROBLEMS', problemLines(remaining, isClockWrong))),
    wrapped(withTitle('WARNINGS', warningLines(remaining))),
    ...tables(document, shownOf(reports, { hasAll: false, isClockWrong }), channelTable(document)),
    wrapped(withTitle('NOTES', notesOf(document, isClockWrong))),
    wrapped(moreLines(document, following)),
  ];
}

const shownOf = (reports: readonly StatusReport[], options: Omit<Shown, 'now'>): Shown => ({
  ...options,
  now: Date.parse(reports.find((each) => each.document !== undefined)?.time ?? ''),
});

/** A function that wraps each line at a width. */
const wrapperOf =
  (columns: number) =>
  (lines: readonly string[]): Section =>
    lines.flatMap((line) => wrapLine(onOneLine(line), columns));

const joinSections = (sections: readonly Section[]): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');

/** Why there is no status, on one line. */
export const formatFailure = ({ url, instead, errors }: StatusReport): string =>
  onOneLine(`${url}: ${instead === undefined ? errors.join('; ') : `this is ${instead}, not the agent`}`);

const notesOf = ({ agent }: StatusDocument, isClockWrong: boolean): readonly string[] =>
  isClockWrong ? agent.notes.filter((note) => !dependsOnClock(note)) : agent.notes;

/** The document without the problems and warnings that the first lines of the full screen show: the clock and the verdicts. */
const withoutVerdicts = (document: StatusDocument): StatusDocument =>
  without(
    document,
    new Set([
      CLOCK,
      ...document.channels.flatMap(({ name, verdict }) =>
        verdict === undefined ? [] : [`channels/${name}`],
      ),
    ]),
  );

/** The document without the causes that the answer names and what follows from a cause; and how many failures the answer does not name. */
function splitByAnswer(document: StatusDocument): {
  readonly remaining: StatusDocument;
  readonly following: number;
} {
  const { first, others } = answersOf(document, { now: Date.parse(document.time) });
  const causes = [first, ...others].flatMap(({ cause }) => cause ?? []);
  const named = causes.slice(0, 1 + MOST_OTHERS).flatMap(({ problem, same }) => [problem, ...same]);
  const answers = [first, ...others];
  // The answer about planned work has what fails because of it.
  const isPlanned = answers.some(({ planned }) => planned !== undefined);
  const covered = isPlanned ? document.problems.filter(({ silenced }) => silenced === true) : [];
  const explained = [
    ...named,
    ...covered,
    ...causes.flatMap(({ follows }) => follows),
    ...answers.flatMap(({ follows }) => follows),
  ];
  const components = new Set(explained.map(({ component }) => component));
  return {
    remaining: {
      ...without(document, components),
      nodes: document.nodes
        .filter(({ name }) => !components.has(name))
        .map((node) => ({
          ...node,
          warnings: node.warnings.filter((each) => !components.has(each.component)),
        })),
    },
    following: answers.flatMap(({ follows }) => follows).length,
  };
}

/** The document without the problems and warnings of components. */
function without(document: StatusDocument, components: ReadonlySet<string>): StatusDocument {
  const isOther = ({ component }: CheckStatus): boolean => !components.has(component);
  return {
    ...document,
    problems: document.problems.filter(isOther),
    warnings: document.warnings.filter(isOther),
  };
}

/** What the brief screen leaves out. */
function moreLines(document: StatusDocument, following: number): string[] {
  const { nodes, channels } = document;
  const working = channels.length - shownChannels(document).length;
  const logs = nodes.filter(({ log }) => log !== undefined).map(({ name }) => name);
  const more = [
    ...(working === 0 ? [] : [countText(working, 'more channel that works', 'more channels that work')]),
    ...(following === 0
      ? []
      : [countText(following, 'check that fails for this reason', 'checks that fail for these reasons')]),
    ...(logs.length === 0 ? [] : [`the log of ${listText(logs)}`]),
  ];
  return more.length === 0 ? [] : [`status --all also shows ${listText(more)}`];
}

const headlines = (reports: readonly StatusReport[]): string[] =>
  reports.map((report) =>
    reports.length > 1 && report.document === undefined ? formatFailure(report) : headline(report),
  );

function headline({ time, url, healthy, reachable, instead, document }: StatusReport): string {
  const now = Date.parse(time);
  if (!reachable) return `${url}: not reachable`;
  if (instead !== undefined) return `${url}: this is ${instead}, not the agent`;
  const level = document?.levels.find(({ name }) => name === 'self');
  const facts = [
    ...(document?.agent.version === undefined ? [] : [`version ${document.agent.version}`]),
    ...(level?.spec === undefined ? [] : [`level ${describeLevel(level, now)}`]),
  ];
  const state = healthy ? 'healthy' : 'not healthy';
  const at = `${new Date(now).toISOString().slice(11, 19)} UTC`;
  return `${url} at ${at}: ${state}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function logLines({ name, log }: NodeStatus): string[] {
  if (log === undefined) return [];
  const note = logNote(log);
  const notes = note === undefined ? [] : [note];
  return [`LOG of ${name} (${log.source}), newest first`, ...log.lines, ...notes];
}

const withTitle = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines];
