// Runs a real Prometheus that scrapes every second, and queries it.

import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { check, startDaemon } from './daemon.js';

/** A running Prometheus. */
export interface Prometheus {
  /** The value of an expression with one series; undefined when there is none. */
  readonly query: (expression: string) => Promise<string | undefined>;
  /** The data of the response to a path below `/api/v1/`. */
  readonly get: (path: string) => Promise<unknown>;
}

/**
 * Creates a scrape configuration.
 *
 * @param url of the agent
 * @param tls the file of the CA of the agent, and the client certificate
 */
export function job(name: string, url: string, tls?: { ca: string; client?: Leaf }): string {
  const { protocol, host } = new URL(url);
  return JSON.stringify({
    job_name: name,
    scheme: protocol.slice(0, -1),
    static_configs: [{ targets: [host] }],
    tls_config: tls && {
      ca_file: tls.ca,
      cert_file: tls.client?.cert,
      key_file: tls.client?.key,
    },
  });
}

/**
 * Starts Prometheus.
 *
 * @param rules the content of a rule file
 */
export async function startPrometheus(
  t: ExecutionContext,
  jobs: readonly string[],
  rules = 'groups: []',
): Promise<Prometheus> {
  const directory = temporaryFolder(t, {
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
    `--config.file=${join(directory, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=${listen}`,
  ];
  await startDaemon(t, 'prometheus', args, async () => {
    const reply = await fetch(`http://${listen}/-/ready`);
    check(reply.ok, `Prometheus is not ready: ${reply.status}`);
  });
  const get = async (path: string): Promise<unknown> => {
    const response: unknown = await (await fetch(`http://${listen}/api/v1/${path}`)).json();
    const { status, data, error } = response as { status: string; data: unknown; error?: string };
    check(status === 'success', `Prometheus request ${path} failed: ${error ?? ''}`);
    return data;
  };
  return {
    get,
    async query(expression) {
      const data = await get(`query?query=${encodeURIComponent(expression)}`);
      return (data as { result: { value: [number, string] }[] }).result[0]?.value[1];
    },
  };
}
