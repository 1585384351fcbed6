// The version of an engine.

import type { Logger, MetricFactory } from '../../../core/contract/index.js';
import type { GaugeFamily } from '../../../core/contract/internal/index.js';
import { parseForeignJson, quote } from '../../../core/kit/index.js';
import type { EngineResponse } from './engine.js';

/** How long a version is used, in milliseconds, unless a ping fails. */
const MAX_AGE = 300_000;
/** The wait after a failed request, in milliseconds. */
const RETRY_AFTER = 60_000;
/** The first major version with an API that older peers do not support. */
const NEW_API = 29;

/** Keeps the version of an engine, for a metric and the log. */
export class EngineVersion {
  readonly #component: string;
  readonly #log: Logger;
  readonly #onFound: (version: string) => void;
  readonly #info: GaugeFamily<'component' | 'version'>;
  #version: string | undefined;
  #nextRequest = 0;

  /**
   * @param component the name of the checker
   * @param onFound called with each new version
   */
  constructor(component: string, metrics: MetricFactory, log: Logger, onFound: (version: string) => void) {
    this.#component = component;
    this.#log = log;
    this.#onFound = onFound;
    this.#info = metrics.gauge({
      namespace: 'docker',
      name: 'engine_info',
      help: 'The version of the Docker engine that the component checks; always 1.',
      labelNames: ['component', 'version'],
    });
  }

  /** Requests the version if it is unknown or old. After a failure the last version is kept. */
  async refresh(request: () => Promise<EngineResponse>): Promise<void> {
    if (performance.now() < this.#nextRequest) return;
    this.#nextRequest = performance.now() + RETRY_AFTER;
    const version = await request()
      .then(versionIn)
      .catch(() => undefined);
    if (version === undefined) return;
    this.#nextRequest = performance.now() + MAX_AGE;
    if (version !== this.#version) this.#show(version);
  }

  /** Call it when the engine did not respond: it may have another version when it responds again. */
  expire(): void {
    this.#nextRequest = 0;
  }

  #show(version: string): void {
    const component = this.#component;
    if (this.#version !== undefined) this.#info.remove({ component, version: this.#version });
    this.#version = version;
    this.#info.with({ component, version }).set(1);
    this.#onFound(version);
    if (Number.parseInt(version, 10) >= NEW_API)
      this.#log.warn(
        `Docker Engine ${version} needs Fabric 2.5.15, 3.1.4 or newer: older peers cannot build chaincode`,
      );
  }
}

/** The version in a response to `GET /version`. */
function versionIn({ status, text }: EngineResponse): string | undefined {
  if (status !== 200) return undefined;
  const { Version: version } = (parseForeignJson(text) ?? {}) as { Version?: unknown };
  return typeof version === 'string' ? quote(version) : undefined;
}
