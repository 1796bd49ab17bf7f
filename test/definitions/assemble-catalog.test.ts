import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { assembleCatalog, type LoadedFiles } from '../../src/definitions/assemble-catalog.ts'
import { readFolder } from '../../src/definitions/read-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
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

  const read = () => readFolder(folder).files
  const versionsOf = (files: LoadedFiles) =>
    [...files].map(([file, { definition }]) => [file, definition.version])
  const first = () => assembleCatalog(read()).inUse

  it('puts the last good version in the place of what does not load', () => {
    write({ 'reports/shop/sales.sql': REPORT, 'metrics/a.sql': METRICS })
    const before = first()
    write({ 'reports/shop/sales.sql': 'select 1', 'metrics/a.sql': 'select 1' })
    const { catalog, inUse, findings } = assembleCatalog(read(), before)
    expect(inUse).to.deep.equal(before)
    expect(findings).to.deep.equal([])
    expect([...(catalog?.metrics.keys() ?? [])]).to.deep.equal(['sold'])
  })

  it('has no place for what does not load and never did, nor for what is deleted', () => {
    write({ 'reports/shop/sales.sql': REPORT, 'metrics/a.sql': METRICS })
    const before = first()
    write({ 'metrics/b.sql': 'select 1' })
    rmSync(join(folder, 'reports'), { recursive: true })
    expect([...assembleCatalog(read(), before).inUse.keys()]).to.deep.equal([
      'sql/access/organization_by_key.sql',
      'sql/metrics/a.sql',
    ])
  })

  it('leaves a metric with the file that had it, and what claims it as it was', () => {
    write({ 'metrics/a.sql': OTHER, 'metrics/b.sql': METRICS })
    const before = first()
    write({ 'metrics/a.sql': METRICS })
    const { inUse, findings } = assembleCatalog(read(), before)
    expect(findings).to.deep.equal([
      {
        file: 'sql/metrics/a.sql',
        line: 3,
        message: 'metric "sold" is also in sql/metrics/b.sql, expected each code once',
      },
    ])
    expect(versionsOf(inUse)).to.deep.equal(versionsOf(before))
  })

  it('lets metrics change places', () => {
    write({ 'metrics/a.sql': OTHER, 'metrics/b.sql': METRICS })
    const before = first()
    write({ 'metrics/a.sql': METRICS, 'metrics/b.sql': OTHER })
    const { catalog, findings } = assembleCatalog(read(), before)
    expect(findings).to.deep.equal([])
    expect(catalog?.metrics.get('sold')?.file.area).to.equal('a')
  })

  it('is no catalog without a key look-up', () => {
    rmSync(join(folder, 'access'), { recursive: true })
    write({ 'reports/shop/sales.sql': REPORT })
    expect(assembleCatalog(read()).catalog).to.equal(undefined)
  })
})
