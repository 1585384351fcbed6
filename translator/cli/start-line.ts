// The line that tells that the service is ready, in the form of Fabric's logs, for which scripts wait.

const BLUE = '\u001b[34m';
const BOLD_BLUE = '\u001b[34;1m';
const RESET = '\u001b[0m';

/** The line with its newline, in colours for a terminal. The time is UTC. */
export function startLine(message: string, time: Date, hasColours: boolean): string {
  const [blue, bold, reset] = hasColours ? [BLUE, BOLD_BLUE, RESET] : ['', '', ''];
  const shown = time.toISOString().replace('T', ' ').replace('Z', ' UTC');
  return `${blue}${shown} 0001 INFO${reset} [configtxlator] ${bold}startServer${reset} -> ${message}\n`;
}
