import test from 'ava';
import { describeMissing, findProgram } from './provision.js';

const PROMETHEUS = { program: 'prometheus', debian: 'prometheus' };
const PROMTOOL = { program: 'promtool', debian: 'prometheus' };
const DOCKER = { program: 'dockerd', debian: 'docker.io' };

test('what is missing is named, with the commands that install it', (t) => {
  t.is(
    describeMissing([DOCKER, PROMETHEUS, PROMTOOL], false),
    'not installed: dockerd, prometheus, promtool; on Debian, as root: apt-get update && apt-get install -y --no-install-recommends docker.io prometheus',
  );
});

test('with everything installed only root can go on', (t) => {
  t.is(describeMissing([], true), undefined);
  t.is(
    describeMissing([], false),
    'a Docker engine can only be started by root: run npm run test:e2e as root',
  );
});

test('a program is found where daemons are, and none where there is none', (t) => {
  t.regex(findProgram('prometheus') ?? '', /^\/.*\/prometheus$/);
  t.is(findProgram('no-such-program'), undefined);
});
