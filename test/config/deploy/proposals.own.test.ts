// The jobs that review proposals: their files against the schemas of GitHub and GitLab, and their commands in a Git repository.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { compile } from '../../helpers/compile.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { networkBlock } from '../../helpers/network-block.js';
import { runProgram, TRANSLATOR } from '../../helpers/program.js';
import { putTranslator } from '../../helpers/shell.js';

const FOLDER = 'config/deploy/proposals';
type Name = 'github-workflow.yaml' | 'gitlab-ci.yaml';

const textOf = (name: Name): string => readFileSync(join(FOLDER, name), 'utf8');

/** The errors of the types that are made from the schema of GitHub. */
function githubErrors(t: ExecutionContext, text: string): readonly string[] {
  const path = join(process.cwd(), 'node_modules/@schemastore/github-workflow/index.js');
  const module = `import type { HttpsJsonSchemastoreOrgGithubWorkflowJson as T } from ${JSON.stringify(path)};
export const file: T = ${JSON.stringify(parse(text), null, 1)};`;
  return compile(temporaryFolder(t, { 'file.mts': module }));
}

/** The errors that a program with the schema of GitLab prints. */
function gitlabErrors(t: ExecutionContext, text: string): readonly string[] {
  const folder = temporaryFolder(t, { '.gitlab-ci.yml': text });
  spawnSync('git', ['init', '--quiet'], { cwd: folder });
  const program = join(process.cwd(), 'node_modules/gitlab-ci-local/src/index.js');
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { stderr, status } = spawnSync(process.execPath, [program, '--list'], options);
  const errors = stderr.split('\n').filter((line) => line.includes('•') && !/Copy the|Use --/.test(line));
  return status === 0 ? errors : [...errors, `status ${status}`];
}

test('the job of GitHub has the form of the schema', (t) => {
  const text = textOf('github-workflow.yaml');
  t.deepEqual(githubErrors(t, text), []);
  t.regex(githubErrors(t, text.replace('steps:', 'step:')).join('\n'), /'"?step"?' does not exist/);
});

test('the job of GitLab has the form of the schema', (t) => {
  const text = textOf('gitlab-ci.yaml');
  t.deepEqual(gitlabErrors(t, text), []);
  t.regex(gitlabErrors(t, text.replace('rules:', 'rule:')).join('\n'), /'rule' property is not expected/);
});

/** What the shell of a job runs after the installation, and the variables that the service sets. */
const JOBS: readonly (readonly [
  name: Name,
  script: string,
  variables: (folder: string) => NodeJS.ProcessEnv,
])[] = [
  [
    'github-workflow.yaml',
    (
      parse(textOf('github-workflow.yaml')) as {
        jobs: { review: { steps: { name?: string; run?: string }[] } };
      }
    ).jobs.review.steps.find(({ name }) => name === 'review')!.run!,
    (folder) => ({
      GITHUB_BASE_REF: 'main',
      RUNNER_TEMP: join(folder, 'temp'),
      GITHUB_STEP_SUMMARY: join(folder, 'temp/summary.md'),
    }),
  ],
  [
    'gitlab-ci.yaml',
    (parse(textOf('gitlab-ci.yaml')) as { 'review-proposals': { script: string[] } })[
      'review-proposals'
    ].script.join('\n'),
    () => ({ CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }),
  ],
];

/** A clone of a repository with the block on `main`, on a branch that proposes a change and brings a block of its own. */
async function repository(t: ExecutionContext, setting: string): Promise<string> {
  const folder = temporaryFolder(t);
  const [origin, clone] = [join(folder, 'origin'), join(folder, 'clone')];
  mkdirSync(join(folder, 'temp'));
  const git = (cwd: string, ...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  git(folder, 'init', '--quiet', '--initial-branch=main', origin);
  writeFileSync(join(origin, 'config_block.pb'), networkBlock());
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '-m', 'block');
  git(folder, 'clone', '--quiet', origin, clone);
  git(clone, 'checkout', '--quiet', '-b', 'change');
  mkdirSync(join(clone, 'proposals'));
  const args = ['edit', 'config_block.pb', '--set', setting, '-o', 'proposals/change.pb'];
  const { status, stderr } = await runProgram(t, args, { program: TRANSLATOR, cwd: clone });
  if (status !== 0) throw new Error(stderr);
  rmSync(join(clone, 'config_block.pb'));
  putTranslator(join(folder, 'temp'));
  return folder;
}

for (const [name, script, variables] of JOBS)
  for (const [what, setting, status, title] of [
    [
      'a proposal without signatures',
      'orderer.batchSize.maxMessageCount=50',
      name === 'gitlab-ci.yaml' ? 3 : 0,
      'Signatures are missing',
    ],
    [
      'a danger',
      'orderer.consensusType.metadata.options.tickInterval=1h',
      name === 'gitlab-ci.yaml' ? 4 : 1,
      'Dangerous',
    ],
  ] as const)
    test(`${name}: ${what} ends the job with status ${status}`, async (t) => {
      const folder = await repository(t, setting);
      const clone = join(folder, 'clone');
      const PATH = `${join(folder, 'temp')}:${process.env.PATH ?? ''}`;
      const run = spawnSync('bash', ['-e', '-c', script], {
        cwd: clone,
        env: { PATH, ...variables(folder) },
        encoding: 'utf8',
      });
      t.is(run.status, status, run.stderr);
      t.true(readFileSync(join(clone, 'review.md'), 'utf8').startsWith(`### ${title}\n`));
    });
