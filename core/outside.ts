// What an agent uses outside of its process. Another program can replace it: a simulated month of alarms does.

import { openStateFile, type OpenStateFile } from './events/index.js';
import { Lag } from './health/index.js';
import { createOperationsServer } from './http/index.js';
import { readLogEnd, type ReadLog } from './nodes/index.js';
import { createAgentClient, type CreateAgentClient } from './agents/index.js';

/** The outside of an agent. */
export interface Outside {
  /** Measures the lag of this process. */
  readonly lag: Lag;
  /** Creates the server of the agent. */
  readonly createServer: typeof createOperationsServer;
  /** Creates the client for the agent of another host. */
  readonly createAgentClient: CreateAgentClient;
  /** Reads the end of the log of a node. */
  readonly readLog: ReadLog;
  /** Opens the file with what receivers were told. */
  readonly openStateFile: OpenStateFile;
  /** The CPU time of this process, in milliseconds. */
  readonly cpuTime: () => number;
}

/** This host, with the parts that replace it. @param replaced parts of another outside */
export const outsideOf = (replaced: Partial<Outside> = {}): Outside => ({
  lag: replaced.lag ?? new Lag(),
  createServer: replaced.createServer ?? createOperationsServer,
  createAgentClient: replaced.createAgentClient ?? createAgentClient,
  readLog: replaced.readLog ?? readLogEnd,
  openStateFile: replaced.openStateFile ?? openStateFile,
  cpuTime: replaced.cpuTime ?? cpuTime,
});

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
