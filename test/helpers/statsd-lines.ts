import { SampleClient, type LineOptions } from '../../plugins/metrics/statsd/client.js';

/** Throws for other bytes than UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The lines that a client of the StatsD sink sends; undefined for a sample that it does not send. */
export function sentLines(
  options: LineOptions,
  send: (client: SampleClient) => void,
): readonly (string | undefined)[] {
  const client = new SampleClient(options);
  const sent: (string | undefined)[] = [];
  client.sendTo({ add: (lines) => void sent.push(lines === undefined ? undefined : UTF8.decode(lines)) });
  send(client);
  return sent;
}
