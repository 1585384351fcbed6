import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { nonBlocking } from '../../../../plugins/logging/console/descriptor.js';
import { temporaryFolder } from '../../../helpers/folder.js';

// Serial: the system reuses the number of a closed descriptor.
test.serial('a descriptor that is not a pipe is used as it is', (t) => {
  const file = openSync(`${temporaryFolder(t)}/log`, 'w');
  t.teardown(() => closeSync(file));
  t.is(nonBlocking(file), file);
  t.is(nonBlocking(9999), 9999);
});

test.serial('a write to a full pipe fails with EAGAIN', (t) => {
  const path = `${temporaryFolder(t)}/log`;
  execFileSync('mkfifo', [path]);
  // A reader that never reads.
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  t.teardown(() => closeSync(reader));
  const log = openSync(path, constants.O_WRONLY);
  t.teardown(() => closeSync(log));

  const own = nonBlocking(log);
  t.not(own, log);
  const fill = (): void => {
    for (;;) writeSync(own, Buffer.alloc(4096, 'x'));
  };
  t.throws(fill, { code: 'EAGAIN' });
  t.is(nonBlocking(log), own);
});

test.serial(
  'a socket is made non-blocking, and its descriptor is used as it is, also the second time',
  async (t) => {
    const module = new URL('../../../../plugins/logging/console/descriptor.js', import.meta.url).href;
    const source = `
    import { readFileSync } from 'node:fs';
    import { nonBlocking } from '${module}';
    const isNonBlocking = () => (parseInt(/flags:\\s*(\\d+)/.exec(readFileSync('/proc/self/fdinfo/2', 'utf8'))[1], 8) & ${constants.O_NONBLOCK}) !== 0;
    console.log(isNonBlocking(), nonBlocking(2), isNonBlocking(), nonBlocking(2));
  `;
    // Standard error is one end of a pair of sockets.
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.is((await text(child.stdout)).trim(), 'false 2 true 2');
  },
);
