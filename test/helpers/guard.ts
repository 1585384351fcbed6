// Removes processes and directories that tests leave behind: the teardown of a test does not run when it times out or is interrupted.

import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Reads what tests create. At the end of input it stops the processes, unmounts what is mounted in the directories and removes them. */
const SCRIPT = `
trap '' INT TERM HUP
processes=' ' directories=
while read -r what which; do
  case $what in
    started) processes="$processes$which " ;;
    ended) processes="\${processes%% $which *} \${processes#* $which }" ;;
    directory) directories="$directories$which
" ;;
  esac
done
for process in $processes; do kill -s TERM -- "$process"; done
for second in $(seq 30); do
  for process in $processes; do kill -s 0 -- "$process" && sleep 1 && break; done
done
for process in $processes; do kill -s KILL -- "$process"; done
IFS='
'
for directory in $directories; do
  cut -d ' ' -f 2 /proc/self/mounts | while read -r target; do
    case $target in "$directory"/*) umount -l "$target" ;; esac
  done
  rm -rf "$directory"
done
`;

let guard: Writable | undefined;

/** Sends a line to the guard of this thread, whose standard input ends with the thread. */
function send(line: string): void {
  if (guard === undefined) {
    const child = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    child.unref();
    child.on('error', () => undefined);
    guard = child.stdin.on('error', () => undefined);
    (guard as Writable & { unref(): void }).unref();
  }
  guard.write(`${line}\n`);
}

/**
 * Stops a process that is still running after the tests: with SIGTERM, and after half a minute with SIGKILL.
 *
 * @param isGroup whether it leads a process group, which is stopped as a whole
 */
export function guardProcess(child: ChildProcess, isGroup = false): void {
  if (child.pid === undefined) return;
  const which = isGroup ? -child.pid : child.pid;
  send(`started ${which}`);
  child.once('exit', () => send(`ended ${which}`));
}

/** Removes a directory that is left after the tests. */
export function guardFolder(directory: string): void {
  send(`directory ${directory}`);
}
