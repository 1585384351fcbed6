// An event in the words of the page, for notifiers: its headline, what it means, the first steps, and where the page shows it.

import { channelOf, ownerOf } from '../common/text/component.js';
import { capitalised } from '../common/text/capitalised.js';
import type { AgentEvent } from '../contract/index.js';
import { answerFor, countText } from './answer/index.js';
import type { StatusDocument } from './document.js';

/**
 * The event with `headline`, `meaning`, `steps` and `page`.
 *
 * @param document the state of the agent, or undefined if it is not known: the words are then those of the event alone
 * @param url the URL of the page; empty: unknown
 */
export function inWords(event: AgentEvent, document: StatusDocument | undefined, url: string): AgentEvent {
  const page = pageOf(event, url);
  return { ...event, ...wordsOf(event, document), ...(page !== undefined && { page }) };
}

type Words = Pick<AgentEvent, 'headline' | 'meaning' | 'steps'>;

function wordsOf(event: AgentEvent, document: StatusDocument | undefined): Words {
  const meaning = `${capitalised(event.reason)}.`;
  if (event.state === 'recovered') return { headline: recoveryHeadline(event, document), meaning };
  if (event.state === 'info')
    return { headline: event.headline ?? `${subjectOf(event)} reports a change`, meaning };
  const time = { now: Date.parse(document?.time ?? ''), zone: 'UTC' };
  const answer = document === undefined ? undefined : answerFor(event.component, document, time);
  if (answer === undefined)
    return {
      headline: `${subjectOf(event)} ${event.state === 'failed' ? 'fails' : 'needs attention'}`,
      meaning,
    };
  const steps = answer.steps.flatMap(({ text, command, opens }) =>
    opens === undefined ? [{ text, ...(command !== undefined && { command }) }] : [],
  );
  return { headline: answer.sentence, meaning: answer.meaning || meaning, steps };
}

/** What an event is about, in one or two words. */
const subjectOf = ({ component, components = [], node }: AgentEvent): string => {
  const channel = channelOf(component);
  if (channel !== undefined && components.length > 1) return `A group of ${components.length} channels`;
  return channel ?? node ?? component;
};

/** What is certain: the node is up, the channel works, or the check succeeds. */
function recoveryHeadline(event: AgentEvent, document: StatusDocument | undefined): string {
  const { component, components = [component], node, headline } = event;
  if (headline !== undefined) return headline;
  const channels = components.flatMap((each) => channelOf(each) ?? []);
  const isWorking = (name: string): boolean =>
    document?.channels.some((each) => each.name === name && each.verdict === 'working') === true;
  if (channels.length > 0 && channels.every(isWorking))
    return channels.length === 1
      ? `${channels[0]} works again`
      : `${countText(channels.length, 'channel')} work again`;
  const isUp = document?.nodes.some(({ name, up }) => name === component && up) === true;
  if (isUp) return `${component} is up again`;
  if (channels.length > 0 || component === node) return `The failure of ${subjectOf(event)} has ended`;
  const check = ownerOf(component, document?.checks ?? []) ?? component;
  return node === undefined || !check.startsWith(`${node}/`)
    ? `The check ${check} succeeds again`
    : `The check ${check.slice(node.length + 1)} of ${node} succeeds again`;
}

/** The beginning of the component of the agent of another host. */
const AGENTS = 'agents/';

/** The page, at the channel, the node or the host; undefined: its URL is not known. */
function pageOf({ component, node }: AgentEvent, url: string): string | undefined {
  if (url === '') return undefined;
  const host = component.startsWith(AGENTS) ? component.slice(AGENTS.length) : undefined;
  const name = channelOf(component) ?? node ?? host;
  const base = url.endsWith('/') ? url : `${url}/`;
  return name === undefined ? base : `${base}#${encodeURIComponent(name)}`;
}
