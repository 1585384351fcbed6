// The running agent of a bundle: its status, its metrics and its resources.

import { errorCodeOf, problemsOf } from '../../contract/errors.js';
import type { StatusDocument } from '../../status/document.js';
import type { Process } from '../../cli/command.js';
import {
  describeRequestError,
  findAgent,
  getResource,
  readClientOptions,
  type ClientOptions,
  type ClientValues,
  type AgentResponse,
} from '../../cli/client.js';
import { describeStatus, readReport, type StatusReport } from '../../cli/status-report.js';
import type { Contents } from './contents.js';

/** A running agent. */
export interface RunningAgent {
  readonly options: ClientOptions;
  readonly report: StatusReport;
  readonly document: StatusDocument;
}

/** Reads the status and the metrics of the running agent. @returns undefined if none responds */
export async function askAgent(
  values: ClientValues,
  process: Process,
  contents: Contents,
): Promise<RunningAgent | undefined> {
  try {
    const options = await findAgent(readClientOptions(values, process, '/'));
    const report = await readReport(options);
    if (report.document === undefined) {
      const { instead = 'not an agent', errors } = report;
      contents.miss('agent', `${report.url}: ${errors.length > 0 ? errors.join('; ') : instead}`);
      return undefined;
    }
    await contents.addRead('agent/metrics.txt', () => getOfAgent(options, '/metrics'));
    return { options, report, document: report.document };
  } catch (error) {
    if (errorCodeOf(error) === 'USAGE') throw error;
    contents.miss('agent', problemsOf(error).join('; '));
    return undefined;
  }
}

/** Requests a resource of the running agent. @returns the body. @throws Error if the status is not 200 */
export async function getOfAgent(options: ClientOptions, path: string): Promise<string> {
  let response: AgentResponse;
  try {
    response = await getResource(options, path);
  } catch (error) {
    throw new Error(describeRequestError(error, options.url), { cause: error });
  }
  if (response.status !== 200) throw new Error(describeStatus(response, options.url));
  return response.body;
}
