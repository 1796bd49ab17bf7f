import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { assembleCatalog, type LoadedFiles } from '../../src/definitions/assemble-catalog.ts'
import { readFolder } from '../../src/definitions/read-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { ACCESS, METRICS, REPORT } from './sql-folder.ts'

const OTHER = METRICS.replace('sold: {', 'other: {').replace('as sold', 'as other')

describe('assemble-catalog', () => {
  let folder: string
  beforeEach(() => {
    folder = join(temporaryFolder(), 'sql')
    write({ 'access/organization_by_key.sql': ACCESS })
  })

  function write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }

  const read = async () => (await readFolder(folder, parseSql)).files
  const versionsOf = (files: LoadedFiles) =>
    [...files].map(([file, { definition }]) => [file, definition.version])
  const first = async () => assembleCatalog(await read()).inUse

  it('uses the last good version of a file that does not load', async () => {
    write({ 'reports/shop/sales.sql': REPORT, 'metrics/a.sql': METRICS })
    const before = await first()
    write({ 'reports/shop/sales.sql': 'select 1', 'metrics/a.sql': 'select 1' })
    const { catalog, inUse, findings } = assembleCatalog(await read(), before)
    expect(inUse).to.deep.equal(before)
    expect(findings).to.deep.equal([])
    expect([...(catalog?.metrics.keys() ?? [])]).to.deep.equal(['sold'])
  })

  it('omits files that never loaded and files that were deleted', async () => {
    write({ 'reports/shop/sales.sql': REPORT, 'metrics/a.sql': METRICS })
    const before = await first()
    write({ 'metrics/b.sql': 'select 1' })
    rmSync(join(folder, 'reports'), { recursive: true })
    expect([...assembleCatalog(await read(), before).inUse.keys()]).to.deep.equal([
      'sql/access/organization_by_key.sql',
      'sql/metrics/a.sql',
    ])
  })

  it('leaves a metric to its file, and uses the last good version of a file that duplicates it', async () => {
    write({ 'metrics/a.sql': OTHER, 'metrics/b.sql': METRICS })
    const before = await first()
    write({ 'metrics/a.sql': METRICS })
    const { inUse, findings } = assembleCatalog(await read(), before)
    expect(findings).to.deep.equal([
      {
        file: 'sql/metrics/a.sql',
        line: 3,
        message: 'metric "sold" is also in sql/metrics/b.sql, expected each code once',
      },
    ])
    expect(versionsOf(inUse)).to.deep.equal(versionsOf(before))
  })

  it('lets two files exchange metrics', async () => {
    write({ 'metrics/a.sql': OTHER, 'metrics/b.sql': METRICS })
    const before = await first()
    write({ 'metrics/a.sql': METRICS, 'metrics/b.sql': OTHER })
    const { catalog, findings } = assembleCatalog(await read(), before)
    expect(findings).to.deep.equal([])
    expect(catalog?.metrics.get('sold')?.file.area).to.equal('a')
  })

  it('returns no catalog without a key look-up', async () => {
    rmSync(join(folder, 'access'), { recursive: true })
    write({ 'reports/shop/sales.sql': REPORT })
    expect(assembleCatalog(await read()).catalog).to.equal(undefined)
  })
})
