// Configuration of ava for `npm test`: the files of group-tests.ts.

export default {
  files: ['dist/test/groups/**/*.test.js'],
  concurrency: 4,
  // Threads can change neither their user nor their working directory.
  workerThreads: false,
  timeout: '60s',
};
