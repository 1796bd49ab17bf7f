// Deletes outputs of tsc in dist/ whose source was deleted: mocha would still run a deleted test.
// Other files are not touched, so that a gateway may run from dist/ meanwhile.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const OUT = 'dist'
/** The ending of an output and those that its source may have. */
const ENDINGS = [
  ['.js.map', '.ts', '.js'],
  ['.js', '.ts', '.js'],
  ['.d.ts', '.ts', '.js'],
  ['.json', '.json'],
  ['.css', '.css'],
  // templates of the kit and of definitions
  ...['.bsl', '.gs', '.pq', '.py', '.R', '.sh', '.sql', '.yaml'].map(ending => [ending, ending]),
]

/** False for files that `make build` does not write. */
function isStale(folder, name) {
  const [ending, ...sources] = ENDINGS.find(([ending]) => name.endsWith(ending)) ?? []
  if (ending === undefined) return false
  const path = join(folder, name.slice(0, -ending.length))
  return !sources.some(source => existsSync(path + source))
}

/** @param folder of sources, such as `src/model`; its outputs are in `dist/src/model` */
function prune(folder) {
  const out = join(OUT, folder)
  const entries = readdirSync(out, { withFileTypes: true })
  const left = entries.filter(entry => {
    const { name } = entry
    if (entry.isDirectory()) return prune(join(folder, name)) > 0
    if (!isStale(folder, name)) return true
    rmSync(join(out, name), { force: true })
    return false
  })
  if (left.length === 0 && !existsSync(folder)) rmdirSync(out)
  return left.length
}

for (const folder of ['src', 'test']) if (existsSync(join(OUT, folder))) prune(folder)
