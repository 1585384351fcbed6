// Sees to it that nothing a test started outlives it, however it ends: a test that takes too long, or is interrupted, does not get
// to its teardown.

import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Reads what there is until the tests are gone, and then takes it away: processes, what is mounted in folders, folders. */
const SCRIPT = `
trap '' INT TERM HUP
processes=' ' folders=
while read -r what which; do
  case $what in
    started) processes="$processes$which " ;;
    ended) processes="\${processes%% $which *} \${processes#* $which }" ;;
    folder) folders="$folders$which
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
for folder in $folders; do
  cut -d ' ' -f 2 /proc/self/mounts | while read -r target; do
    case $target in "$folder"/*) umount -l "$target" ;; esac
  done
  rm -rf "$folder"
done
`;

let guard: Writable | undefined;

/** The guard of this thread; its standard input ends with the thread. */
function tell(line: string): void {
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
 * Has a process stopped that is left when the tests are gone: by SIGTERM, after half a minute by SIGKILL.
 *
 * @param isGroup whether it leads a process group, which is stopped with it
 */
export function guardProcess(child: ChildProcess, isGroup = false): void {
  if (child.pid === undefined) return;
  const which = isGroup ? -child.pid : child.pid;
  tell(`started ${which}`);
  child.once('exit', () => tell(`ended ${which}`));
}

/** Has a folder removed that is left when the tests are gone. */
export function guardFolder(folder: string): void {
  tell(`folder ${folder}`);
}
