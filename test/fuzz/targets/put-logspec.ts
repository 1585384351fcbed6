// Bodies of PUT /logspec: an accepted spec becomes active, a refused one changes nothing, and the service continues.

import { logspecSamples, parsedOf } from './logspec.js';
import type { Input, Outcome, Fixtures } from '../target.js';

/** Longest wait for a response, in milliseconds. */
const WAIT = 15_000;

const DOCUMENTS = [
  '{"spec":"info"}',
  '{ "spec" : "gossip=debug:a.b.=warn:error" }\n',
  '{"spec":""}',
  '{"spec":null}',
  '{"spec":"info","spec":"debug"}',
  '{"spec":"info","other":1}',
  '{}',
  '[]',
  '"info"',
];

/** Bodies that clients send. */
export function putSamples(): readonly Input[] {
  const specs = logspecSamples().map(({ bytes }) => JSON.stringify({ spec: bytes.toString() }));
  return [...DOCUMENTS, ...specs].map((text) => ({
    target: 'put-logspec',
    type: '',
    bytes: Buffer.from(text),
  }));
}

/** @throws any error that is not a proper refusal */
export async function runPut({ bytes }: Input, { ports }: Fixtures): Promise<Outcome> {
  const url = `http://127.0.0.1:${ports.get('agent')}`;
  const before = await specOf(url);
  const { status } = await send(`${url}/logspec`, { method: 'PUT', body: new Uint8Array(bytes) });
  const after = await specOf(url);
  const { status: health } = await send(`${url}/healthz`);
  if (health !== 200) throw new Error(`/healthz returned ${health}`);
  if (status >= 400 && status < 500) {
    if (after !== before) throw new Error(`status ${status}, but ${before} became ${after}`);
    return 'refused';
  }
  if (status !== 204) throw new Error(`unexpected status ${status}`);
  const { spec } = JSON.parse(bytes.toString()) as { spec: string };
  const wanted = parsedOf(spec)?.toString();
  if (after !== wanted) throw new Error(`${wanted} was put, ${after} is active`);
  return 'accepted';
}

async function specOf(url: string): Promise<string> {
  const { status, body } = await send(`${url}/logspec`);
  if (status !== 200) throw new Error(`GET returned ${status}: ${body}`);
  return (JSON.parse(body) as { spec: string }).spec;
}

async function send(url: string, request: RequestInit = {}): Promise<{ status: number; body: string }> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(WAIT) });
  return { status: response.status, body: await response.text() };
}
