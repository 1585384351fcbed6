// Asks a program made of Fabric's own code what an orderer decides about an update.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** An update for the program; bytes are base64. */
export interface OracleCase {
  readonly config: string;
  readonly envelope: string;
  readonly channel: string;
  /** RFC 3339. */
  readonly now: string;
  /** Raft: the ids of the consenters that are alive, from 1 in the order of the config; all if absent. */
  readonly activeNodes?: readonly number[];
}

/** What one stage of the orderer decides. */
export interface Decision {
  readonly accepted: boolean;
  readonly status?: string;
  readonly error?: string;
  readonly panic?: string;
}

/** A line of output. */
interface OracleLine {
  readonly propose?: Decision;
  readonly order?: Decision;
  readonly bft?: Decision;
  readonly broadcast?: Decision;
  readonly error?: string;
  readonly panic?: string;
  readonly warning?: string;
  readonly resultSha256?: string;
}

/** The verdict on an update; undefined if the program cannot use the current config. */
export interface Verdict {
  readonly accepted: boolean;
  /** The text of the refusal; of several faults Fabric reports one by chance. */
  readonly text: string;
  /** SHA-256 of the deterministic bytes of the resulting config, if versions and signatures were accepted. */
  readonly resultSha256: string | undefined;
}

/** A running program: one line of output for each line of input. */
export class Oracle {
  readonly #process: ChildProcess;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];

  /** @param program its path */
  constructor(program: string) {
    this.#process = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'], env: { GOMAXPROCS: '1' } });
    createInterface(this.#process.stdout!).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#process.on('close', (status) => {
      for (const { reject } of this.#waiting) reject(new Error(`${program} ended with status ${status}`));
    });
  }

  /** @throws Error when the program ends before it decides */
  async judge(given: OracleCase): Promise<Verdict | undefined> {
    return verdictOf(await this.#ask(given));
  }

  /** Whether the signatures and versions of an update are accepted; undefined if the program cannot use the current config. */
  async propose(given: OracleCase): Promise<Decision | undefined> {
    const { error, panic, propose } = await this.#ask(given);
    return error === undefined && panic === undefined ? propose : undefined;
  }

  async #ask(given: OracleCase): Promise<OracleLine> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin!.write(`${JSON.stringify(given)}\n`);
    });
    return JSON.parse(line) as OracleLine;
  }

  close(): void {
    this.#process.kill();
  }
}

function verdictOf({ propose, order, bft, broadcast, error, panic, warning, resultSha256 }: OracleLine) {
  if (error !== undefined || warning !== undefined) return undefined;
  const stages = broadcast === undefined ? [propose, order, bft] : [broadcast];
  const refusal = stages.findLast((stage) => stage !== undefined && !stage.accepted);
  return {
    accepted: refusal === undefined && panic === undefined,
    text: refusal?.error ?? refusal?.panic ?? panic ?? '',
    resultSha256,
  };
}
