// Configuration of ava for `npm test`, which runs the files that group-tests.ts writes.

export default {
  files: ['dist/test/groups/**/*.test.js'],
  concurrency: 5,
  // Threads can change neither their user nor their working directory.
  workerThreads: false,
  timeout: '10m',
};
