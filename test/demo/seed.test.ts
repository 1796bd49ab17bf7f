import { expect } from 'chai'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { valueOf, withClient } from '../../src/demo/connection.ts'
import { seedDemo } from '../../src/demo/seed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('seeding the demo', () => {
  const folder = temporaryFolder()
  const directory = join(folder, 'product')
  const lastYear = { directory, today: '2025-12-31', scale: 0.5 }
  const thisYear = { ...lastYear, today: '2026-11-21' }
  let cluster: Cluster

  before(async () => {
    cpSync('test/demo/product', directory, { recursive: true })
    cluster = await startCluster({ directory: join(folder, 'pair'), database: 'shop' })
  })
  after(() => cluster.stop('immediate'))

  it('runs the files in order and says how long each took', async () => {
    const lines: string[] = []
    expect(await seedDemo(cluster, { ...lastYear, say: line => lines.push(line) })).to.equal(true)
    expect(lines.map(line => line.replace(/: [\d.]+ s$/, ''))).to.deep.equal([
      'Ran schema.sql',
      'Ran roles.sql',
      'Ran demo/10_organizations.sql',
      'Ran demo/20_more_organizations.sql',
      'Vacuumed and analyzed',
      'The standby caught up',
    ])
  })

  it('has the data on the standby when it is done, for a role of the files', async () => {
    const url = cluster.urlFor('svodka_reports', 'replica')
    const names = "select string_agg(name, ', ' order by id) from organizations"
    expect(await valueOf(url, names)).to.equal('Ромашка, Ромашка и сыновья')
  })

  it('tells the files the day and the scale', async () => {
    const told = "select today || ' ' || scale from seeded_with"
    expect(await valueOf(cluster.primaryUrl, told)).to.equal('2025-12-31 0.5')
  })

  it('does nothing for the same files on another day of the year', async () => {
    expect(await seedDemo(cluster, { ...lastYear, today: '2025-01-01' })).to.equal(false)
  })

  it('seeds anew in another year', async () => {
    expect(await seedDemo(cluster, thisYear)).to.equal(true)
    expect(await valueOf(cluster.replicaUrl, 'select today from seeded_with')).to.equal(
      '2026-11-21',
    )
  })

  it('seeds anew at another scale', async () => {
    expect(await seedDemo(cluster, { ...thisYear, scale: 2 })).to.equal(true)
  })

  it('seeds anew from changed files, with those who are connected sent away', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), "insert into organizations values (3, 'Третья')")
    await withClient(cluster.primaryUrl, async () => {
      expect(await seedDemo(cluster, thisYear)).to.equal(true)
    })
    expect(await valueOf(cluster.replicaUrl, 'select max(id) from organizations')).to.equal('3')
  })

  it('names the file and the line that failed, and starts anew when that is mended', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), 'select 1;\n\nselect 1 +;\n')
    const error = await seedDemo(cluster, thisYear).catch(error => error)
    expect(error.message).to.equal('demo/30.sql: syntax error at or near ";" (line 3)')
    writeFileSync(join(directory, 'demo/30.sql'), 'select 1')
    expect(await seedDemo(cluster, thisYear)).to.equal(true)
  })

  it('gives up when told to', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), 'select pg_sleep(60)')
    const signal = AbortSignal.timeout(300)
    const error = await seedDemo(cluster, { ...thisYear, signal }).catch(error => error)
    expect(error).to.have.property('name', 'TimeoutError')
  })

  it('fills a second database beside the first', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), 'select 1')
    expect(await seedDemo(cluster, { ...thisYear, database: 'second' })).to.equal(true)
    const url = cluster.urlFor('svodka_reports', 'replica', 'second')
    expect(await valueOf(url, 'select count(*) from organizations')).to.equal('2')
  })
})
