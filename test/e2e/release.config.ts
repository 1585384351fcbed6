// How ava runs `npm run release:check`: the packed package, installed into an empty project, on every supported version of Node.js.

export default {
  files: ['dist/test/e2e/package.test.js'],
  serial: true,
  timeout: '5m',
};
