// PostgreSQL reports the position of an error in the compiled statement: its line is that of the file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { until } from '../harness/until.ts'
import { shopsFolder } from './gateways.ts'

const FOLDER = 'test/fixtures/error-lines'

/** Files with `-- !` at the line that PostgreSQL rejects; that of a total is its key's. */
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.sql'))
  .map(path => [path, readFileSync(join(FOLDER, path), 'utf8')] as const)

describe('an error at a place of a statement', () => {
  const start = gatewaysOfTests()

  it("is reported at the file's line", async () => {
    const SQL_DIR = shopsFolder({ 'reports/faults': undefined, ...Object.fromEntries(FILES) })
    const { gateway } = await start({ SQL_DIR })
    const found = () =>
      gateway.observations.flatMap(fact =>
        fact.kind === 'definition-refused' ? [[fact.file, fact.line] as const] : [],
      )
    await until(() => found().length === FILES.length)
    const expected = FILES.map(([path, text]) => {
      const line = text.split('\n').findIndex(each => each.includes('-- !')) + 1
      return [`sql/${path}`, line]
    })
    expect(Object.fromEntries(found())).to.deep.equal(Object.fromEntries(expected))
  })
})
