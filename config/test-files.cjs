// Selects the compiled test files of a run. ONLY selects files if it is a folder or file of `test`, or has a slash;
// otherwise it is a part of titles.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..', 'dist', 'test')
const only = process.env.ONLY || undefined
/** Runs the proofs of one folder of `test` instead of the tests: `make prove ONLY=clients`. */
const proofs = process.env.PROOFS || undefined

const all = readdirSync(root, { recursive: true })
  // A scaled file is both: as a proof it has more cases.
  .filter(path => (proofs ? /\.(?:proof|scaled)\.js$/ : /\.(?:test|scaled)\.js$/).test(path))
  .filter(path => !proofs || path.startsWith(`${proofs}/`))
  .toSorted()
const path = only?.replace(/^test\//, '').replace(/\.(?:test|scaled)\.ts$/, '') ?? ''
const isPath =
  path.includes('/') || all.some(file => file.startsWith(`${path}/`) || file === `${path}.test.js`)

/** why: files of one folder wait for the same things, so those that run at the same time are a quarter of all apart */
const quarter = Math.ceil(all.length / 4)
const mixed = all
  .map((file, at) => ({ file, place: at % quarter }))
  .toSorted((one, other) => one.place - other.place)
  .map(({ file }) => file)

module.exports = {
  only,
  /** Paths in `dist/test`: `contract/cors.test.js`. */
  files: isPath ? all.filter(file => file.startsWith(path)) : mixed,
  /** Required part of titles. */
  title: only && !isPath ? only : undefined,
}
