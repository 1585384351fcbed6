// Configuration of ava for the image test, which downloads and installs all packages twice.

export default {
  files: ['dist/test/e2e/image.test.js'],
  serial: true,
  timeout: '10m',
};
