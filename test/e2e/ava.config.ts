// Configuration of ava for the tests with daemons. Test files run one after the other with a long timeout, because some wait for states
// that another busy test would prevent, such as a partly sent push. Expensive tests in one file use `test.serial`.

/** Tests without daemons that take too long for `npm test`, which excludes them. */
const LONG = [
  'dist/test/translator/review/review-cases.test.js',
  'dist/test/translator/policy/limits.test.js',
];

export default {
  files: ['dist/test/e2e/**/*.test.js', '!dist/test/e2e/image.test.js', ...LONG],
  concurrency: 1,
  timeout: '3m',
};
