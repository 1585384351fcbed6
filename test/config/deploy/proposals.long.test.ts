// The jobs that review proposals and look for expiring certificates: their files against the schemas of GitHub and GitLab, and their
// commands in a Git repository, or with a stand-in for the service of the issues.

import { execFile, spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { compile } from '../../helpers/compile.js';
import { decode, encode } from '../../../translator/index.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { networkBlock } from '../../helpers/network-block.js';
import { runProgram, TRANSLATOR } from '../../helpers/program.js';
import { putTranslator } from '../../helpers/shell.js';

const FOLDER = 'config/deploy/proposals';
type Name = 'github-workflow.yaml' | 'gitlab-ci.yaml';
type ExpiryName = 'github-expiry.yaml' | 'gitlab-expiry.yaml';

const textOf = (name: Name | ExpiryName): string => readFileSync(join(FOLDER, name), 'utf8');

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

for (const name of ['github-workflow.yaml', 'github-expiry.yaml'] as const)
  test(`the job of GitHub in ${name} has the form of the schema`, (t) => {
    const text = textOf(name);
    const [errors, wrong] = githubErrors(t, text, text.replace('steps:', 'step:'));
    t.deepEqual(errors, []);
    t.regex(wrong!.join('\n'), /'"?step"?' does not exist/);
  });

for (const name of ['gitlab-ci.yaml', 'gitlab-expiry.yaml'] as const)
  test(`the job of GitLab in ${name} has the form of the schema`, async (t) => {
    const text = textOf(name);
    await t.notThrowsAsync(checkGitlab(text));
    await t.throwsAsync(checkGitlab(text.replace('rules:', 'rule:')), {
      message: /'rule' property is not expected/,
    });
  });

/** The commands of a job after the installation, and the variables that the service sets. */
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

/** Where a job writes the review that people see. */
const REVIEWS: Readonly<Record<Name, string>> = {
  'github-workflow.yaml': 'temp/review.md',
  'gitlab-ci.yaml': 'clone/review.md',
};

/**
 * A clone of a repository with the block on `main`, on a branch that proposes a change and replaces the block.
 *
 * @param settings `configtxlator.yaml` on `main`, if there is one
 * @param change changes the branch further
 */
async function repository(
  t: ExecutionContext,
  setting: string,
  settings?: string,
  change: (clone: string) => void = () => undefined,
): Promise<string> {
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
  if (settings !== undefined) writeFileSync(join(origin, 'configtxlator.yaml'), settings);
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '-m', 'block');
  git(folder, 'clone', '--quiet', origin, clone);
  git(clone, 'checkout', '--quiet', '-b', 'change');
  mkdirSync(join(clone, 'proposals'));
  const args = ['edit', 'config_block.pb', '--set', setting, '-o', 'proposals/change.pb'];
  const { status, stderr } = await runProgram(t, args, { program: TRANSLATOR, cwd: clone });
  if (status !== 0) throw new Error(stderr);
  rmSync(join(clone, 'config_block.pb'));
  change(clone);
  putTranslator(join(folder, 'temp'));
  return folder;
}

/** Runs the script of a job in a clone. */
function runJob(
  folder: string,
  script: string,
  variables: NodeJS.ProcessEnv,
): { readonly status: number | null; readonly stderr: string } {
  const PATH = `${join(folder, 'temp')}:${process.env.PATH ?? ''}`;
  return spawnSync('bash', ['-e', '-c', script], {
    cwd: join(folder, 'clone'),
    env: { PATH, ...variables },
    encoding: 'utf8',
  });
}

for (const [name, script, variables] of JOBS)
  for (const [what, setting, status, title] of [
    [
      'a proposal without signatures',
      'orderer.batchSize.maxMessageCount=50',
      name === 'gitlab-ci.yaml' ? 3 : 0,
      'Unsigned: signatures are missing',
    ],
    [
      'a danger',
      'orderer.consensusType.metadata.options.tickInterval=1h',
      name === 'gitlab-ci.yaml' ? 4 : 1,
      'Dangerous: orderers would accept it',
    ],
  ] as const)
    test(`${name}: ${what} ends the job with status ${status}`, async (t) => {
      const folder = await repository(t, setting);
      const run = runJob(folder, script, variables(folder));
      t.is(run.status, status, run.stderr);
      const markdown = readFileSync(join(folder, REVIEWS[name]), 'utf8');
      t.true(markdown.startsWith(`## ${title}\n\n| File | Verdict |`), markdown.slice(0, 200));
    });

/** The setting of an update that orderers of 2.5 would refuse. */
const NEEDS_3_0 = 'channel.capabilities.V3_0={}';

for (const [name, script, variables] of JOBS)
  for (const [what, settings, own, isRefused] of [
    ['the target branch names 2.5, and the pull request 3.1', "fabric: '2.5'", "fabric: '3.1'", true],
    ['the target branch names 3.1, and the pull request 2.5', "fabric: '3.1'", "fabric: '2.5'", false],
    ['only the pull request has settings', undefined, "fabric: '2.5'", false],
    ['the settings of the pull request are a link', "fabric: '2.5'", undefined, true],
  ] as const)
    test(`${name}: an update for 3.0 is ${isRefused ? '' : 'not '}refused if ${what}`, async (t) => {
      const folder = await repository(t, NEEDS_3_0, settings, (clone) => {
        const file = join(clone, 'configtxlator.yaml');
        rmSync(file, { force: true });
        if (own === undefined) symlinkSync('/dev/null', file);
        else writeFileSync(file, own);
      });
      const { stderr } = runJob(folder, script, variables(folder));
      const markdown = readFileSync(join(folder, REVIEWS[name]), 'utf8');
      t.is(
        markdown.startsWith('## Refused: orderers would refuse it\n'),
        isRefused,
        stderr + markdown.slice(0, 200),
      );
    });

for (const [name, script, variables] of JOBS)
  test(`${name}: links in the pull request in place of the files of the job are not followed`, async (t) => {
    const files = ['review.md', 'base_block.pb', 'configtxlator.yaml', 'config_block.pb'];
    const folder = await repository(t, 'orderer.batchSize.maxMessageCount=50', undefined, (clone) => {
      for (const file of files) {
        writeFileSync(join(clone, `../victim-${file}`), 'kept');
        symlinkSync(`../victim-${file}`, join(clone, file));
      }
    });
    runJob(folder, script, variables(folder));
    for (const file of files) t.is(readFileSync(join(folder, `victim-${file}`), 'utf8'), 'kept', file);
    t.true(lstatSync(join(folder, REVIEWS[name])).isFile());
    t.true(
      readFileSync(join(folder, REVIEWS[name]), 'utf8').startsWith('## Unsigned: signatures are missing\n'),
    );
  });

/** The rehearsal of a job, and where its files are. */
const REHEARSALS: readonly (readonly [name: Name, script: string, files: string])[] = [
  [
    'github-workflow.yaml',
    (
      parse(textOf('github-workflow.yaml')) as {
        jobs: { review: { steps: { name?: string; run?: string }[] } };
      }
    ).jobs.review.steps.find((step) => step.name === 'rehearse')!.run!,
    'temp/rehearsals',
  ],
  [
    'gitlab-ci.yaml',
    (parse(textOf('gitlab-ci.yaml'), { merge: true }) as { 'rehearse-proposals': { script: string[] } })[
      'rehearse-proposals'
    ].script.join('\n'),
    'clone/rehearsals',
  ],
];

/** Rehearses as a stand-in: prints its arguments, and ends with a status; anything else is done by the program. */
const REHEARSER = (status: number): string =>
  `#!/bin/sh\nif [ "$1" = rehearse ]; then printf '{"args":"%s"}' "$*"; exit ${status}; fi\nexec configtxlator.real "$@"\n`;
/** A stand-in for Docker: a container is the name of its image. */
const DOCKER = `#!/bin/sh\ncase $1 in create) echo "$2";; cp) echo "$2" > "$3";; esac\n`;

for (const [name, script, files] of REHEARSALS) {
  for (const [status, ended] of [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 0],
    [4, 4],
  ] as const)
    test(`${name}: a rehearsal that ends with status ${status} ends the job with status ${ended}`, async (t) => {
      const folder = await repository(t, 'orderer.batchSize.maxMessageCount=50', undefined, (clone) => {
        writeFileSync(join(clone, '../victim'), 'kept');
        symlinkSync('change.pb', join(clone, 'proposals/link.pb'));
        symlinkSync('../victim', join(clone, 'rehearsals'));
        spawnSync('git', ['-C', clone, 'add', 'proposals']);
        const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
        spawnSync('git', ['-C', clone, ...identity, 'commit', '--quiet', '-m', 'change']);
      });
      const temp = join(folder, 'temp');
      renameSync(join(temp, 'configtxlator'), join(temp, 'configtxlator.real'));
      writeFileSync(join(temp, 'configtxlator'), REHEARSER(status), { mode: 0o755 });
      writeFileSync(join(temp, 'docker'), DOCKER, { mode: 0o755 });
      const [, review, variables] = JOBS.find(([each]) => each === name)!;
      const environment = { ...variables(folder), FABRIC: '3.1.5' };
      // The step before it on GitHub; GitLab has a job of its own.
      if (name === 'github-workflow.yaml') runJob(folder, review, environment);
      const run = runJob(folder, script, environment);
      t.is(run.status, ended, run.stderr);
      t.deepEqual(readdirSync(join(folder, files)), ['1.json']);
      const { args } = JSON.parse(readFileSync(join(folder, files, '1.json'), 'utf8')) as { args: string };
      t.regex(
        args,
        /^rehearse proposals\/change\.pb --block \S+\/config_block\.pb .*--programs \S*bin --json$/,
      );
      t.is(readFileSync(join(folder, 'victim'), 'utf8'), 'kept');
      if (name === 'github-workflow.yaml')
        t.regex(
          readFileSync(join(temp, 'bin/peer'), 'utf8'),
          /^hyperledger\/fabric-peer:3\.1\.5:\/usr\/local\/bin\/peer$/m,
        );
    });
}

test('the comment of GitHub is the review outside the checkout', (t) => {
  const { jobs } = parse(textOf('github-workflow.yaml')) as {
    jobs: { review: { steps: { name?: string; run?: string }[] } };
  };
  const comment = jobs.review.steps.find((step) => step.name === 'comment')!.run!;
  t.true(comment.includes('--body-file "$RUNNER_TEMP/review.md"'), comment);
});

const TITLE = 'Certificates of the channel end';

/** A directory with `configtxlator` and a config block with a consenter that has this TLS certificate. */
function channelFolder(t: ExecutionContext, certificate: string | undefined): string {
  const folder = temporaryFolder(t);
  const json = decode('common.Block', networkBlock());
  const changed = json.replaceAll(/"((?:client|server)_tls_cert)": "[^"]+"/g, (whole, name: string) =>
    certificate === undefined ? whole : `"${name}": "${certificate}"`,
  );
  writeFileSync(join(folder, 'config_block.pb'), encode('common.Block', changed));
  putTranslator(folder);
  return folder;
}

/** A request for an issue: of the HTTP API, or the arguments of `gh` with the body of the issue. */
type Request = readonly [method: string, body: string];

/** Runs the script of a job. @param number of the open issue, if there is one */
type RunJob = (
  t: ExecutionContext,
  folder: string,
  number: number | undefined,
) => Promise<{ readonly status: number; readonly requests: readonly Request[] }>;

const runScript = (folder: string, script: string, variables: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve) => {
    const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, ...variables };
    const child = execFile('bash', ['-e', '-c', script], { cwd: folder, env });
    child.on('exit', (code) => resolve(code ?? -1));
  });

const runOnGithub: RunJob = async (_t, folder, number) => {
  const gh = `#!/bin/sh
if [ "$2" = list ]; then echo ${number ?? ''}; exit; fi
for last; do :; done
printf '%s\\0' "$2" "$(cat "$last")" >> requests
`;
  writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
  writeFileSync(join(folder, 'requests'), '');
  const { jobs } = parse(textOf('github-expiry.yaml')) as {
    jobs: { expiry: { steps: { name?: string; run?: string }[] } };
  };
  const script = jobs.expiry.steps.find(({ name }) => name === 'expiry')!.run!;
  const status = await runScript(folder, script, {});
  const [method, body] = readFileSync(join(folder, 'requests'), 'utf8').split('\0');
  return { status, requests: body === undefined ? [] : [[method!, body]] };
};

const runOnGitlab: RunJob = async (t, folder, number) => {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const isAllowed = request.headers['private-token'] === 'secret';
      response.statusCode = isAllowed ? 200 : 401;
      const issues = number === undefined ? [] : [{ iid: number, title: TITLE }];
      response.end(JSON.stringify([{ iid: 1, title: `${TITLE}, and more` }, ...issues]));
      if (request.method !== 'GET')
        requests.push([
          `${request.method ?? ''} ${request.url ?? ''}`,
          new URLSearchParams(body).get('description') ?? '',
        ]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { expiry } = parse(textOf('gitlab-expiry.yaml')) as { expiry: { script: string[] } };
  const status = await runScript(folder, expiry.script.join('\n'), {
    CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CI_PROJECT_ID: '9',
    ISSUE_TOKEN: 'secret',
  });
  return { status, requests };
};

const EXPIRED = makeCertificate({
  commonName: 'orderer',
  validity: ['20250101000000Z', '20260101000000Z'],
}).pem.toString('base64');

for (const [name, run, create, edit] of [
  ['github-expiry.yaml', runOnGithub, 'create', 'edit'],
  ['gitlab-expiry.yaml', runOnGitlab, 'POST /projects/9/issues', 'PUT /projects/9/issues/7'],
] as const) {
  test(`${name}: nothing is opened while nothing ends`, async (t) => {
    t.deepEqual(await run(t, channelFolder(t, undefined), undefined), { status: 0, requests: [] });
  });

  for (const [what, number, method] of [
    ['opens an issue', undefined, create],
    ['updates the open issue', 7, edit],
  ] as const)
    test(`${name}: a certificate that has expired ${what} with its recipe`, async (t) => {
      const { status, requests } = await run(t, channelFolder(t, EXPIRED), number);
      t.is(status, 0);
      t.is(requests.length, 1);
      const [[found, body]] = requests as [Request];
      t.is(found, method);
      const lines = body.trimEnd().split('\n');
      t.true(lines.every((line) => line.startsWith('    ')));
      t.is(lines[0], '    expired');
      t.true(
        body.includes('→ configtxlator consenter rotate config_block.pb orderer.example.com:7050 --tls-cert'),
      );
      t.false(body.includes('expires later'));
    });

  test(`${name}: a certificate that cannot be read fails the job, and is in the issue`, async (t) => {
    const { status, requests } = await run(t, channelFolder(t, 'AAAA'), undefined);
    t.is(status, 1);
    t.true(requests[0]?.[1].startsWith('    cannot be read\n'));
  });
}
