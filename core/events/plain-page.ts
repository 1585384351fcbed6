// The page of the agent for browsers without JavaScript: the answer, the channels, the nodes and the other hosts as plain HTML.

import { onOneLine } from '../common/text/one-line.js';
import {
  answersOf,
  hostFaults,
  numberText,
  secondsText,
  sinceText,
  verdictText,
  type Answer,
  type AnswerStep,
} from '../status/answer/index.js';
import type { OtherAgentStatus, StatusDocument } from '../status/index.js';

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text of a node or of another service in HTML, also as the value of an attribute. */
const escaped = (text: string): string => onOneLine(text).replaceAll(/[&<>"']/g, (char) => SPECIAL[char]!);

/** The page. @param now milliseconds since the epoch */
export function plainPage(document: StatusDocument, now: number): string {
  const { agent, channels, nodes, agents } = document;
  const name = agent.name ?? agent.host ?? '';
  const { first, others } = answersOf(document, { now, zone: 'UTC' });
  const title = `${first.sentence} – ${name}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
</head>
<body>
<main>
<h1>Fabric nodes · ${escaped(name)}</h1>
<p>At ${secondsText(now, 'UTC')} UTC, without JavaScript. <a href="?plain">Read again</a></p>
<h2>${escaped(first.sentence)}</h2>
<p>${escaped(first.meaning)}</p>
<ol>${first.steps.map(stepOf).join('')}</ol>
<ul>${others.map(({ sentence }: Answer) => `<li>${escaped(sentence)}</li>`).join('')}</ul>
${listOf(
  'Channels',
  channels.map(({ name: channel, verdict = 'unknown', reason = '', height, last_block_at: last }) => {
    const age = sinceText(last, now);
    const blocks = height === undefined ? '' : `${numberText(height)} blocks`;
    return [channel, verdictText(verdict), reason, blocks, age && `newest ${age} ago`];
  }),
)}
${listOf(
  'Nodes',
  nodes.map(({ name: node, state, reason = '' }) => [node, state, reason]),
)}
${listOf('Other hosts', agents.map(hostRow))}
</main>
</body>
</html>
`;
}

const stepOf = ({ text, command, clues = [] }: AnswerStep): string =>
  `<li>${escaped(text)}${command === undefined ? '' : ` <code>${escaped(command)}</code>`}${clues
    .map(({ node, text: clue }) => `<br>${escaped(`${node} ${clue}`)}`)
    .join('')}</li>`;

function hostRow(agent: OtherAgentStatus): readonly string[] {
  const { name, url, reachable, reason = '' } = agent;
  const faults = hostFaults(agent).map(({ text }) => text);
  const state = reachable
    ? faults.length === 0
      ? 'no fault reported'
      : faults.join(', ')
    : `not reachable: ${reason}`;
  return [name, state, url];
}

/** A list of names with facts; without rows nothing. A table would be too wide for a phone. */
const listOf = (title: string, rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<h3>${title}</h3>
<ul>${rows
        .map(([name = '', ...facts]) => {
          const known = facts.filter((fact) => fact !== '').map(escaped);
          return `<li><strong>${escaped(name)}</strong> ${known.join(' · ')}</li>`;
        })
        .join('\n')}</ul>`;
