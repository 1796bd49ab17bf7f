// Which compiled test files a run takes. ONLY=part of a file's path selects files; any other ONLY is matched against titles.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..', 'dist', 'test')
const only = process.env.ONLY || undefined
/** Slow proofs of one folder of `test` instead of the tests: `make prove ONLY=clients`. */
const proofs = process.env.PROOFS || undefined

const all = readdirSync(root, { recursive: true })
  .filter(path => path.endsWith(proofs ? '.proof.js' : '.test.js'))
  .filter(path => !proofs || path.startsWith(`${proofs}/`))
  .toSorted()
const named = only ? all.filter(path => path.includes(only.replace(/^test\//, '').replace(/\.ts$/, ''))) : all

module.exports = {
  only,
  /** Paths in `dist/test`: `contract/dates.test.js`. */
  files: named.length > 0 ? named : all,
  /** What titles have to contain. */
  title: only && named.length === 0 ? only : undefined,
}
