// `healthcheck`: asks a running agent for its health, for images and units.

import { parseForeignJson } from '../common/text/foreign-json.js';
import { joinLines, onOneLine } from '../common/text/one-line.js';
import { maskUrls } from '../common/text/value.js';
import { readArguments } from './arguments.js';
import { EXIT, type Command } from './command.js';
import {
  CLIENT_FLAGS,
  CLIENT_HELP,
  describeRequestError,
  MAX_BODY_SIZE,
  readClientOptions,
  sendRequest,
  withoutQuery,
} from './client.js';

/** Requests the health of a running agent; for container images without curl. */
export const healthcheck: Command = {
  help: `Usage: fabric-ops-agent healthcheck [--url URL] [--timeout DURATION] [--ca FILE]
                                    [--cert FILE --key FILE] [--node FILE]...
                                    [--config FILE]... [--set KEY=VALUE]...

Requests /healthz, or the path in --url, such as /readyz or /healthz/docker. The
exit status is 0 if everything that it covers is healthy. It is 1 if a check
failed, with the failed checks on standard output, or if the request failed,
with the reason on standard error.

${CLIENT_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, CLIENT_FLAGS);
    const { url, timeout, tls } = readClientOptions(values, process, '/healthz');
    try {
      const { status, body } = await sendRequest(url, tls, timeout);
      if (status === 200) return EXIT.ok;
      process.out(describe(status, body, url));
    } catch (error) {
      const reason = describeRequestError(error, url);
      process.error(`fabric-ops-agent healthcheck: ${maskUrls(url.href)}: request failed: ${reason}\n`);
    }
    return EXIT.failed;
  },
};

/** One line for each failed check; without failed checks the HTTP status, with the error in the body if there is one. */
function describe(status: number, body: string, url: URL): string {
  try {
    const { failed_checks: failed, error } = parseForeignJson(body, MAX_BODY_SIZE) as {
      failed_checks?: readonly { component: string; reason: string }[];
      error?: unknown;
    };
    if (failed === undefined && typeof error === 'string')
      return `${onOneLine(`unexpected HTTP status ${status}: ${withoutQuery(error, url)}`)}\n`;
    if (failed === undefined) return `unexpected HTTP status ${status}\n`;
    return failed
      .map(({ component, reason }) => `${onOneLine(`${component}: ${joinLines(reason)}`)}\n`)
      .join('');
  } catch {
    return `unexpected HTTP status ${status}\n`;
  }
}
