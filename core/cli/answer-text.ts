// The answer of the page as the first lines of the command `status`.

import { joinLines, onOneLine } from '../common/text/one-line.js';
import { wrapLine } from '../common/text/wrap.js';
import {
  answersOf,
  startCommand,
  countText,
  filesOf,
  MOST_OTHERS,
  sinceText,
  type Answer,
  type AnswerStep,
} from '../status/answer/index.js';
import type { StatusDocument } from '../status/document.js';

/**
 * The sentence, its meaning, the steps and the other causes, each on lines of its own; everything that comes from the agent is escaped.
 *
 * @param now milliseconds since the epoch
 * @param columns the width at which lines are wrapped, in characters. @default they are not wrapped
 */
export function answerText(document: StatusDocument, now: number, columns = Infinity): string {
  const { first, others } = answersOf(document, { now, zone: 'UTC' });
  const age = sinceText(first.since, now);
  const more = others.length - MOST_OTHERS;
  const wrapped = (line: string): string[] => wrapLine(onOneLine(joinLines(line)), columns);
  const lines = [
    ...wrapped(`${first.sentence}${age === '' ? '' : ` (for ${age})`}`),
    ...(first.meaning === '' ? [] : wrapped(first.meaning)),
    ...stepLines(first, document, wrapped),
    ...others.slice(0, MOST_OTHERS).flatMap(({ sentence }) => wrapped(`Also: ${sentence}`)),
    ...(more > 0 ? [countText(more, 'more cause')] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The steps, numbered if there are several. Commands and paths are not wrapped, so that users can copy them. */
const stepLines = (
  { steps, runbook }: Answer,
  document: StatusDocument,
  wrapped: (line: string) => readonly string[],
): string[] =>
  steps.flatMap((step) => {
    const { text, command, clues = [] } = step;
    const numbered = steps.filter(({ isAlternative = false }) => !isAlternative);
    const indent = numbered.length === 1 ? '' : '   ';
    const number = indent === '' || step.isAlternative === true ? indent : `${numbered.indexOf(step) + 1}. `;
    const commands = [
      ...(command === undefined ? [] : [command]),
      ...(step.opens?.of === 'nodes' ? [startCommand(document.agent, filesOf(document.agent))] : []),
    ];
    return [
      ...wrapped(`${number}${text}${detailsOf(step, runbook)}`),
      ...commands.map((each) => `${indent}${onOneLine(joinLines(each))}`),
      ...clues.flatMap((clue) => wrapped(`${indent}${clue.node} ${clue.text}`)),
    ];
  });

/** Where the details of a step are: the page opens them. */
const detailsOf = ({ opens }: AnswerStep, runbook: string | undefined): string =>
  opens?.of === 'cause' && runbook !== undefined ? ` see ${runbook} in the runbook` : '';
