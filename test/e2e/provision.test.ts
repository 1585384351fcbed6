import test from 'ava';
import { describeMissing, findProgram } from './provision.js';

const PROMETHEUS = { program: 'prometheus', debian: 'prometheus' };
const PROMTOOL = { program: 'promtool', debian: 'prometheus' };
const DOCKER = { program: 'dockerd', debian: 'docker.io' };

test('missing programs are reported with the commands that install them', (t) => {
  t.is(
    describeMissing([DOCKER, PROMETHEUS, PROMTOOL], false),
    'not installed: dockerd, prometheus, promtool; on Debian, as root: apt-get update && apt-get install -y --no-install-recommends docker.io prometheus',
  );
});

test('for a package of the backports the commands add them first', (t) => {
  t.is(
    describeMissing([{ program: '/usr/lib/a.py', debian: 'python3-a', isBackport: true }], true),
    'not installed: /usr/lib/a.py; on Debian, as root: sh -c \'. /etc/os-release && echo "deb http://deb.debian.org/debian $VERSION_CODENAME-backports main" > /etc/apt/sources.list.d/backports.list\' && apt-get update && apt-get install -y --no-install-recommends python3-a',
  );
});

test('with all programs installed, a user other than root is rejected', (t) => {
  t.is(describeMissing([], true), undefined);
  t.is(describeMissing([], false), 'only root can start a Docker engine: run npm run test:e2e as root');
});

test('findProgram returns the path of a program, or undefined', (t) => {
  t.regex(findProgram('prometheus') ?? '', /^\/.*\/prometheus$/);
  t.is(findProgram('no-such-program'), undefined);
  t.is(findProgram('/etc/os-release'), '/etc/os-release');
  t.is(findProgram('/no/such/file'), undefined);
});
