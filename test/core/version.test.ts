import { readFileSync } from 'node:fs';
import test from 'ava';
import { readBuildInfo } from '../../core/common/files/build-info.js';
import { versionRoute } from '../../core/http/index.js';

for (const [build, body] of [
  [{ version: '1.2.3', commit: '0123abc' }, '{"CommitSHA":"0123abc","Version":"1.2.3"}'],
  [{ version: '1.2.3', commit: '' }, '{"Version":"1.2.3"}'],
  [{ version: '', commit: '0123abc' }, '{"CommitSHA":"0123abc"}'],
  [{ version: '', commit: '' }, '{}'],
] as const) {
  test(`/version with version '${build.version}' and commit '${build.commit}' is ${body}`, async (t) => {
    const reply = await versionRoute(build).handlers.GET?.(undefined as never);
    t.deepEqual(reply, { status: 200, headers: { 'Content-Type': 'application/json' }, body });
  });
}

test('build info has the version of package.json and the commit of the build', (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  t.deepEqual(readBuildInfo(), { version, commit: readFileSync('dist/commit.txt', 'utf8').trim() });
});
