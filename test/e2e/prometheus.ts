// Runs a real Prometheus that scrapes every second, and asks it what it knows.

import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { check, startDaemon } from './daemon.js';

/** A Prometheus that runs. */
export interface Prometheus {
  /** The value of an expression that has one series; undefined when it has none. */
  readonly query: (expression: string) => Promise<string | undefined>;
  /** The data of its answer to a path below `/api/v1/`. */
  readonly ask: (path: string) => Promise<unknown>;
}

/**
 * A scrape configuration.
 *
 * @param url of the agent
 * @param tls who the agent is trusted by, and the certificate that it is shown
 */
export function job(name: string, url: string, tls?: { authority: string; client?: Leaf }): string {
  const { protocol, host } = new URL(url);
  return JSON.stringify({
    job_name: name,
    scheme: protocol.slice(0, -1),
    static_configs: [{ targets: [host] }],
    tls_config: tls && {
      ca_file: tls.authority,
      cert_file: tls.client?.cert,
      key_file: tls.client?.key,
    },
  });
}

/** Starts it. @param rules the text of a file of alert rules */
export async function startPrometheus(
  t: ExecutionContext,
  jobs: readonly string[],
  rules = 'groups: []',
): Promise<Prometheus> {
  const folder = temporaryFolder(t, {
    'rules.yaml': rules,
    'prometheus.yml': [
      'global: { scrape_interval: 1s, evaluation_interval: 1s }',
      'rule_files: [rules.yaml]',
      'scrape_configs:',
      ...jobs.map((each) => `  - ${each}`),
    ].join('\n'),
  });
  const listen = `127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${listen}`,
  ];
  await startDaemon(t, 'prometheus', args, async () => {
    const reply = await fetch(`http://${listen}/-/ready`);
    check(reply.ok, `Prometheus is not ready: ${reply.status}`);
  });
  const ask = async (path: string): Promise<unknown> => {
    const answer = await (await fetch(`http://${listen}/api/v1/${path}`)).json();
    const { status, data, error } = answer as { status: string; data: unknown; error?: string };
    check(status === 'success', `Prometheus does not answer ${path}: ${error ?? ''}`);
    return data;
  };
  return {
    ask,
    async query(expression) {
      const data = await ask(`query?query=${encodeURIComponent(expression)}`);
      return (data as { result: { value: [number, string] }[] }).result[0]?.value[1];
    },
  };
}
