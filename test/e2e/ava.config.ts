// How ava runs the tests against real daemons: one file after the other, with time for the daemons. What some of them wait for, a
// push half told, a busy neighbour would keep from happening. Tests of one file that start much are `test.serial`.

export default {
  files: ['dist/test/e2e/**/*.test.js', '!dist/test/e2e/image.test.js'],
  concurrency: 1,
  timeout: '3m',
};
