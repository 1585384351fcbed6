// The answer: what the page and the command `status` say first. Browsers load this file.

export { VERDICTS } from '../../fabric/channel.js';
export { MOST_OTHERS } from './answer.js';
export type { Answer, Answers, AnswerStep, Details, ViewTime, State } from './answer.js';
export { answerFor, answersOf, startCommand, filesOf } from './answers.js';
export { causesOf, isLag } from './causes.js';
export { certificateIn, certificateName } from './certificates.js';
export { hostFaults } from './host-answers.js';
export { plannedOf } from './planned.js';
export { logNote, withoutUrl } from './clues.js';
export {
  ageText,
  clockText,
  countText,
  dayText,
  exactText,
  listText,
  messageOf,
  numberText,
  secondsText,
  sinceText,
  verdictText,
} from './words.js';
