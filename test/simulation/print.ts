// Prints the story of a violation, and the test that repeats it.

import type { Violation } from './invariants.js';
import type { ShortStory } from './shrink.js';
import type { HostSetup } from './setup.js';
import type { History } from './world.js';

/** Longest reason of an event in a line, in UTF-16 units. */
const MAX_REASON = 160;

const timeOf = (milliseconds: number): string => {
  const total = Math.round(milliseconds / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  return [hours, minutes, seconds].map((each) => String(each).padStart(2, '0')).join(':');
};

/** `2. agents/host2 at 00:16:25: …` */
export const violationLine = ({ invariant, at, subject, text }: Violation): string =>
  `invariant ${invariant}: ${subject} at ${timeOf(at)}: ${text}`;

/** The lines of a story, in the order of time. */
export function storyLines({ setup, violation, history }: ShortStory): string[] {
  const actions = [...history.begun].map(([{ what, whom, with: other, for: duration }, at]) => ({
    at,
    text: `${what} ${whom}${other === undefined ? '' : ` ${other}`}, for ${duration}s`,
  }));
  const events = history.receivers.flatMap(({ host, setup: { name }, delivered }) =>
    delivered.map(({ at, event: { state, component, reason } }) => ({
      at,
      text: `  ${host}/${name} gets ${state} ${component}: ${reason.slice(0, MAX_REASON)}`,
    })),
  );
  const all = [...actions, ...events, { at: violation.at, text: `! ${violationLine(violation)}` }];
  const lines = all.toSorted((a, b) => a.at - b.at).map(({ at, text }) => `${timeOf(at)} ${text}`);
  return [...setup.hosts.map(hostLine), `channels ${setup.channels.join(', ')}`, ...lines];
}

const hostLine = ({ name, notifiers, peerStart }: HostSetup): string =>
  `${name}: ${notifiers.map((each) => `${each.name} (${each.isBroken === true ? 'broken' : (each.events ?? 'all')})`).join(', ')}; its peer needs ${peerStart}s to listen`;

/** A test that repeats a story. */
export const testOf = ({ setup, actions, seed, violation }: ShortStory): string =>
  [
    `test.serial('invariant ${violation.invariant}, ${violation.subject}', async (t) => {`,
    `  const setup = ${JSON.stringify(setup)};`,
    `  const actions: Action[] = [`,
    ...actions.map((action) => `    ${JSON.stringify(action)},`),
    `  ];`,
    `  t.deepEqual(violationsOf(await simulate(setup, actions, ${seed})), []);`,
    `});`,
  ].join('\n');

/** How much happened. */
export const summaryOf = ({ setup, begun, end, receivers }: History): string =>
  `${begun.size} actions on ${setup.hosts.length} hosts, ${receivers.reduce((sum, { delivered }) => sum + delivered.length, 0)} events delivered, ${Math.round(end / 1000)}s simulated without skipped time`;
