// Planned work: the active silences, each with what fails because of it. Runs in browsers.

import { scopeText } from '../silence-scope.js';
import type { Problem, SilenceStatus, StatusDocument } from '../document.js';
import type { Answer, ViewTime } from './answer.js';
import { ageText, clockText } from './words.js';

/** Most words and UTF-16 units of the reason of planned work in its headline; the meaning has all of it. */
const [MOST_WORDS, LONGEST] = [4, 40];

/** Whether an answer is only about failures that planned work covers. */
export const isPlanned = ({ cause }: Answer): boolean =>
  cause !== undefined && [cause.problem, ...cause.same].every(({ silenced }) => silenced === true);

/** The answers about planned work. @param covered the answers about failures that it covers @param fine what to say if nothing fails */
export const plannedAnswers = (
  { silences, ...document }: StatusDocument,
  covered: readonly Answer[],
  fine: Answer,
  time: ViewTime,
): readonly Answer[] =>
  silences.map((silence) => {
    const own = covered.filter(({ cause }) =>
      [
        ...(cause?.same ?? []),
        ...(cause?.follows ?? []),
        ...(cause === undefined ? [] : [cause.problem]),
      ].some((problem) => isOf(silence, problem)),
    );
    const said = own.map(({ sentence }) => `${sentence}.`);
    const nothing = covered.length === 0 && document.problems.length === 0 ? `${fine.sentence}.` : '';
    return {
      state: 'planned',
      sentence: headlineOf(silence, time),
      meaning: [said.join(' ') || nothing, whyText(silence)].filter((each) => each !== '').join(' '),
      steps: [],
      follows: own.flatMap(({ cause, follows }) => [...(cause?.same ?? []), ...follows]),
      planned: { id: silence.id, left: leftText(silence, time) },
    };
  });

/** `Planned: orderer3, upgrade to 3.1.5, until 16:35` */
function headlineOf(silence: SilenceStatus, { zone }: ViewTime): string {
  const { why, until } = silence;
  const isShort = why.length <= LONGEST && why.split(/\s+/).length <= MOST_WORDS;
  const parts = [
    scopeText(silence),
    ...(isShort ? [why] : []),
    `until ${clockText(Date.parse(until), zone)}`,
  ];
  return `Planned: ${parts.join(', ')}`;
}

const whyText = ({ by, why }: SilenceStatus): string =>
  `Begun by ${by}: ${why}. Notifiers send nothing about it.`;

/** `10 min left`; empty: its end is not known. */
function leftText({ until }: SilenceStatus, { now }: ViewTime): string {
  const left = Date.parse(until) - now;
  return Number.isNaN(left) ? '' : `${ageText(left)} left`;
}

/** Whether planned work covers a failure. */
function isOf({ node, channel }: SilenceStatus, problem: Problem): boolean {
  if (node !== undefined) return problem.node === node;
  return channel === undefined || problem.component.split('/').includes(channel);
}

/** The planned work that covers all of a node; undefined: none. */
export const plannedOf = (
  name: string,
  { silences }: Pick<StatusDocument, 'silences'>,
): SilenceStatus | undefined =>
  silences.find(({ node, channel }) => channel === undefined && (node === undefined || node === name));
