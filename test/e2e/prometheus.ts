// Runs a real Prometheus and queries it.

import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { check, startDaemon, type Daemon } from './daemon.js';

/** The queries of a running Prometheus. */
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

/** A Prometheus that keeps its data over a restart. */
export interface PreparedPrometheus extends Prometheus {
  /** Starts it, also after it was stopped. */
  readonly start: () => Promise<Daemon>;
}

/** What a Prometheus does. */
export interface PrometheusOptions {
  /** The content of a rule file. @default no rules */
  readonly rules?: string;
  /** Time between two scrapes. @default 1s */
  readonly interval?: string;
}

const NO_RULES = 'groups: []';

/** Starts a Prometheus that scrapes every second. */
export async function startPrometheus(
  t: ExecutionContext,
  jobs: readonly string[],
  rules = NO_RULES,
): Promise<Prometheus> {
  const prometheus = await preparePrometheus(t, jobs, { rules });
  await prometheus.start();
  return prometheus;
}

/** Prepares a Prometheus with a directory and a port of its own. */
export async function preparePrometheus(
  t: ExecutionContext,
  jobs: readonly string[],
  { rules = NO_RULES, interval = '1s' }: PrometheusOptions = {},
): Promise<PreparedPrometheus> {
  const directory = temporaryFolder(t, {
    'rules.yaml': rules,
    'prometheus.yml': [
      `global: { scrape_interval: ${interval}, evaluation_interval: ${interval} }`,
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
  const get = async (path: string): Promise<unknown> => {
    const response: unknown = await (await fetch(`http://${listen}/api/v1/${path}`)).json();
    const { status, data, error } = response as { status: string; data: unknown; error?: string };
    check(status === 'success', `Prometheus request ${path} failed: ${error ?? ''}`);
    return data;
  };
  return {
    start: () =>
      startDaemon(t, 'prometheus', args, async () => {
        const reply = await fetch(`http://${listen}/-/ready`);
        check(reply.ok, `Prometheus is not ready: ${reply.status}`);
      }),
    get,
    async query(expression) {
      const data = await get(`query?query=${encodeURIComponent(expression)}`);
      return (data as { result: { value: [number, string] }[] }).result[0]?.value[1];
    },
  };
}
