// Reads the entries of the list `agents`: the agents of other hosts.

import { checkText, listEntries } from './list-entries.js';
import type { Leaf, RawValue } from './check-values.js';
import type { OtherAgentSettings } from './settings.js';

const URL_RULE = 'must be a URL such as https://host2.example.com:9543, without user name, path and query';

function checkUrl(value: unknown): void {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '' &&
    url.pathname === '/' &&
    url.port !== '0';
  if (!isPlain) throw new Error(URL_RULE);
}

const file = (doc: string): Leaf => ({ doc, format: 'path', default: '' });

/** The keys of an entry. */
const ENTRY: ReadonlyMap<string, Leaf> = new Map<string, Leaf>([
  ['name', { doc: 'the name of the agent, as in its setting operations.name', format: checkText }],
  ['url', { doc: 'the URL of the agent', format: checkUrl }],
  ['ca', file('PEM file with the CA of its server certificate')],
  ['cert', file('PEM file with the client certificate for it')],
  ['key', file('PEM file with the private key of the client certificate')],
]);

/**
 * The agents in the list `agents`, and the problems of invalid entries.
 *
 * @param own the name of this agent
 */
export function listedAgents(
  list: RawValue | undefined,
  own: string,
): { readonly agents: readonly OtherAgentSettings[]; readonly problems: readonly string[] } {
  const example = "{name: host2, url: 'https://host2.example.com:9543'}";
  const { entries, problems } = listEntries(list, { name: 'agents', keys: ENTRY, example });
  const agents = entries.map(({ values, origin }): OtherAgentSettings => {
    const text = (key: string): string => values.get(key) as string;
    return {
      name: text('name'),
      url: text('url'),
      ca: text('ca'),
      cert: text('cert'),
      key: text('key'),
      origin,
    };
  });
  return {
    agents,
    problems: [
      ...problems,
      ...agents.flatMap(({ name, origin }, index) =>
        name === own
          ? [`${origin}: name: '${name}' is the name of this agent itself; see operations.name`]
          : agents.findIndex((each) => each.name === name) < index
            ? [`${origin}: name: '${name}' is the name of an earlier entry`]
            : [],
      ),
      ...agents.flatMap(({ url, ca, cert, key, origin }) => [
        ...((cert === '') === (key === '') ? [] : [`${origin}: cert and key must be set together`]),
        ...(url.startsWith('https:') && ca === '' ? [`${origin}: ca: is required for a URL with https`] : []),
      ]),
    ],
  };
}
