// Runs a real Alertmanager and reads its alerts.

import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { check, startDaemon, type Daemon } from './daemon.js';

/** A prepared Alertmanager. */
export interface Alertmanager {
  readonly url: string;
  /** Starts it, also after it was stopped. */
  readonly start: () => Promise<Daemon>;
  /** The active alerts that are neither silenced nor inhibited, as `alertname severity component`, sorted. */
  readonly active: () => Promise<string[]>;
}

/**
 * Prepares an Alertmanager with a directory and a port of its own.
 *
 * @param configuration the content of its file
 */
export async function prepareAlertmanager(t: ExecutionContext, configuration: string): Promise<Alertmanager> {
  const directory = temporaryFolder(t, { 'alertmanager.yml': configuration });
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const args = [
    `--config.file=${join(directory, 'alertmanager.yml')}`,
    `--storage.path=${join(directory, 'data')}`,
    `--web.listen-address=${listen}`,
    '--cluster.listen-address=',
  ];
  return {
    url,
    start: () =>
      startDaemon(t, 'prometheus-alertmanager', args, async () => {
        const response = await fetch(`${url}/-/ready`);
        check(response.ok, `Alertmanager is not ready: ${response.status}`);
      }),
    async active() {
      const response = await fetch(`${url}/api/v2/alerts?active=true&inhibited=false&silenced=false`);
      const alerts = (await response.json()) as { labels: Record<string, string> }[];
      // The agent itself is late while the machine is busy.
      return alerts
        .filter(({ labels }) => labels.component !== 'agent')
        .map(({ labels: { alertname, severity, component = '' } }) => `${alertname} ${severity} ${component}`)
        .toSorted();
    },
  };
}
