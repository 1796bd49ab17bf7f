// The packages that `svodka serve` and `svodka check` load are those of a production installation.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { MAIN } from '../harness/process.ts'

const STATIC = /\b(?:from|import) ?["']([@\w.][^"'\n]*)["']/g
/** Also matches what is loaded when it is needed, and child processes: `fork(new URL('./x.js', ...))`. */
const ANY =
  /\b(?:from ?|import ?\(?|require\(|createRequire\(import\.meta\.url\)\(|fork\(new URL\()["']([@\w.][^"'\n]*)["']/g

/** @returns packages that are imported by a file, or by files that it imports */
function packagesOf(start: string, imports: RegExp): Set<string> {
  const packages = new Set<string>()
  const files = new Set([start])
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name))
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0])
    }
  }
  return packages
}

describe('svodka serve and svodka check', () => {
  it('import exactly the packages that are neither optional nor for development', () => {
    // why: the command line imports commands dynamically
    const packages = [
      ...packagesOf(MAIN, STATIC),
      ...packagesOf(join(dirname(MAIN), 'serve/start/serve.js'), ANY),
      ...packagesOf(join(dirname(MAIN), 'author/commands/check.js'), ANY),
    ]
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect([...new Set(packages)].toSorted()).to.deep.equal(Object.keys(dependencies).toSorted())
  })
})
