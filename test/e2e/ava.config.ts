// How ava runs the tests against real daemons: two files at a time, with time for the daemons. Tests of one file that start much
// are `test.serial`.

export default {
  files: ['dist/test/e2e/**/*.test.js', '!dist/test/e2e/image.test.js'],
  concurrency: 2,
  timeout: '3m',
};
