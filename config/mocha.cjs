const { files, only, title } = require('./test-files.cjs')

module.exports = {
  spec: files.map(file => `dist/test/${file}`),
  require: ['dist/test/setup.js'],
  reporter: 'config/mocha-reporter.cjs',
  timeout: 60_000,
  'forbid-only': true,
  'check-leaks': true,
  // why: files that wait for servers do not use a processor
  parallel: files.length > 1,
  jobs: 4,
  'node-option': ['enable-source-maps'],
  ...(title && { fgrep: title }),
}
