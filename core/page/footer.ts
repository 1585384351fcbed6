// The last lines of the page: silences, and one line for each kind of thing that is fine. Works without a browser.

import type { Problem, StatusDocument } from '../status/document.js';
import {
  causesOf,
  certificateIn,
  clockText,
  countText,
  dayText,
  type ViewTime,
} from '../status/answer/index.js';
import type { Target } from './target.js';
import { levelsText } from './levels.js';

/** A line, which opens a drawer. */
interface FooterLine {
  readonly text: string;
  readonly opens: Target;
}

/** The lines below the rows. */
export function footerOf(
  document: StatusDocument,
  events: readonly Problem[],
  { now, lostAt, zone }: ViewTime,
): FooterLine[] {
  const { certificates, levels, checks, agent, nodes, silences } = document;
  const at = lostAt ?? now;
  const [first] = certificates;
  const end = Date.parse(first?.not_after ?? '');
  const recent = events.filter(({ since }) => !(Date.parse(since) < at - 86_400_000)).length;
  const notes = agent.notes.length === 0 ? '' : `, ${countText(agent.notes.length, 'note')}`;
  // The answer reports when a certificate expires that causes a warning.
  const isSaid = causesOf(document).some((cause) => certificateIn(cause, document) === first);
  const expiry =
    Number.isNaN(end) || isSaid
      ? ''
      : `${certificates.length === 1 ? ', expires' : ', the next one expires'} ${dayText(end, at, zone)}`;
  return [
    ...(first === undefined
      ? []
      : [
          {
            text: `${countText(certificates.length, 'certificate')}${expiry}`,
            opens: { of: 'certificates' } as const,
          },
        ]),
    ...(nodes.length === 0 ? [] : [{ text: levelsText(levels, at), opens: { of: 'levels' } as const }]),
    { text: recent === 0 ? 'no events' : countText(recent, 'event'), opens: { of: 'events' } },
    ...(silences.length === 0
      ? []
      : [{ text: `planned work until ${untilText(silences, zone)}`, opens: { of: 'silences' } as const }]),
    {
      text:
        nodes.length === 0
          ? `${countText(checks.length, 'check')} ${checks.length === 1 ? 'runs' : 'run'}${notes}`
          : `agent ${agent.version ?? ''}`.trim() + notes,
      opens: { of: 'agent' },
    },
  ];
}

/** When the last planned work ends. */
const untilText = (silences: StatusDocument['silences'], zone?: string): string =>
  clockText(Math.max(...silences.map(({ until }) => Date.parse(until))), zone);
