// The choices that a channel offers for the fields of edits.

import { addressText, ACL_RESOURCES, channelOf, walk, type Config } from '../channel/index.js';
import type { Field, Offer } from './catalogue/field.js';

/**
 * The choices for a field: names, policies by path such as `/Channel/Application/Admins`, addresses of consenters, resources such as
 * `peer/Propose`, organisations such as `Application/Org1`; undefined if the field has none.
 *
 * @throws TranslateError BAD_BYTES if a value of the channel does not parse
 */
export function choicesFor(field: Field, config: Config): readonly string[] | undefined {
  if (field.kind === 'choice') return field.choices;
  if (field.kind === 'text') return field.offer && OFFERS[field.offer](config);
  if (field.kind !== 'organization') return undefined;
  return field.sections.flatMap((section) =>
    [...(config.channelGroup.groups.get(section)?.groups.keys() ?? [])].map((name) => `${section}/${name}`),
  );
}

const OFFERS: Readonly<Record<Offer, (config: Config) => readonly string[]>> = {
  policies: ({ channelGroup }) =>
    [...walk(channelGroup)].flatMap(({ kind, path }) => (kind === 'policy' ? [path] : [])),
  consenters: (config) => channelOf(config).orderer.consenters.map(addressText),
  acls: (config) => [...channelOf(config).application.acls.keys()],
  resources: (config) => [...new Set([...OFFERS.acls(config), ...ACL_RESOURCES])],
};
