// Configuration of ava for `npm test`, which runs the files that group-tests.ts writes. The tests of a process run one after the other.

export default {
  files: ['dist/test/groups/**/*.test.js'],
  serial: true,
  // Threads can change neither their user nor their working directory.
  workerThreads: false,
  timeout: '10m',
};
