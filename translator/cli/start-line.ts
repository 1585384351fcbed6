// The log line that `start` prints when the service is ready, in Fabric's log format. Scripts wait for it.

const BLUE = '\u001b[34m';
const BOLD_BLUE = '\u001b[34;1m';
const RESET = '\u001b[0m';

/** The line with its newline, with colours for a terminal. The time is in UTC. */
export function startLine(message: string, time: Date, hasColours: boolean): string {
  const [blue, bold, reset] = hasColours ? [BLUE, BOLD_BLUE, RESET] : ['', '', ''];
  const shown = time.toISOString().replace('T', ' ').replace('Z', ' UTC');
  return `${blue}${shown} 0001 INFO${reset} [configtxlator] ${bold}startServer${reset} -> ${message}\n`;
}
