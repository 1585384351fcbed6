// How ava runs the tests against real daemons: one after the other, with time for the daemons.

export default {
  files: ['dist/test/e2e/**/*.test.js', '!dist/test/e2e/image.test.js'],
  serial: true,
  concurrency: 2,
  timeout: '3m',
};
