// Configuration of ava for the tests with daemons, which have a long timeout; run.ts runs the files. Expensive tests in one file use
// `test.serial`.

// The tests `*.long.test.ts` need no daemons, but many processes or much time: `npm test` excludes them.

export default {
  files: [
    'dist/test/e2e/**/*.test.js',
    'dist/test/**/*.long.test.js',
    '!dist/test/e2e/{audit,image}.test.js',
  ],
  concurrency: 1,
  // As `npm test`: threads can change neither their user nor their working directory.
  workerThreads: false,
  timeout: '3m',
};
