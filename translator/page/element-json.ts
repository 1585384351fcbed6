// The JSON of one element of a config, its path for jq, and its bytes in words.

import { decodeAllPem } from '../../core/common/certificates/pem.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { attempt } from '#proto/errors.js';
import { decode } from '#proto/index.js';
import { type Config, writeConfig } from '#translator/channel/index.js';
import { describeCertificate } from '#translator/documents/index.js';
import { readCertificate } from '#translator/msp/index.js';
import type { Row } from './rows.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A config as JSON. */
export type ConfigJson = Json;

/** The JSON of a config, as `configtxlator proto_decode` prints it. */
export const jsonOfConfig = (config: Config): ConfigJson =>
  JSON.parse(decode('common.Config', writeConfig(config))) as Json;

const PLURALS = { group: 'groups', value: 'values', policy: 'policies' } as const;

type Element = Pick<Row, 'names' | 'kind'>;

/** The keys from the config to an element: `channel_group`, `groups`, `Orderer`. */
function keysOf({ names: [, ...names], kind }: Element): readonly string[] {
  const last = names.length - 1;
  return [
    'channel_group',
    ...names.flatMap((name, index) => [index === last ? PLURALS[kind] : 'groups', name]),
  ];
}

/** The JSON of an element; undefined if there is none. */
export function elementJson(config: ConfigJson, row: Element): Json | undefined {
  let here: Json | undefined = config;
  for (const key of keysOf(row)) {
    if (typeof here !== 'object' || here === null || Array.isArray(here) || !Object.hasOwn(here, key))
      return undefined;
    here = here[key];
  }
  return here;
}

/** `.channel_group.groups.Orderer.values.BatchSize` */
export const jqPath = (row: Element): string =>
  keysOf(row)
    .map((key, index) =>
      /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `${index === 0 ? '.' : ''}[${JSON.stringify(key)}]`,
    )
    .join('');

/** Bytes in an element that can be read: their place, and their content in words. */
interface ReadableBytes {
  /** `value.config.root_certs.0` */
  readonly place: string;
  readonly text: string;
}

const BASE64 = /^[A-Za-z0-9+/]{16,}={0,2}$/;
/** The maximum number of texts in base64 that are read. */
const MAX_READ = 100;
/** The number of bytes that are shown in hexadecimal. */
const SHOWN = 32;

/** The certificates, keys and texts in the base64 of an element. */
export function readableBytes(element: Json): readonly ReadableBytes[] {
  const found: ReadableBytes[] = [];
  visit(element, '', (place, text) => {
    if (found.length >= MAX_READ || !BASE64.test(text) || text.length % 4 !== 0) return;
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    found.push({ place, text: textOf(bytes) });
  });
  return found;
}

function textOf(bytes: Uint8Array): string {
  const blocks = decodeAllPem(bytes);
  if (blocks.length > 0)
    return blocks
      .map(({ label, bytes: der }) => (label === 'CERTIFICATE' ? certificateOf(der) : label))
      .join('; ');
  const hex = [...bytes.subarray(0, SHOWN)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${bytes.length} bytes: ${hex}${bytes.length > SHOWN ? '…' : ''}`;
}

const certificateOf = (der: Uint8Array): string =>
  attempt(
    () => onOneLine(describeCertificate(readCertificate(der))),
    ({ message }) => `a certificate that cannot be read: ${message}`,
  );

function visit(json: Json, place: string, each: (place: string, text: string) => void): void {
  if (typeof json === 'string') each(place, json);
  else if (typeof json === 'object' && json !== null)
    for (const [key, value] of Object.entries(json))
      visit(value, place === '' ? key : `${place}.${key}`, each);
}
