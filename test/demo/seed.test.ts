// Seeds a separate database.
import { expect } from 'chai'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from '../../src/demo/cluster.ts'
import { valueOf, withClient } from '../../src/demo/connection.ts'
import { seedDemo, type SeedOptions } from '../../src/demo/seed.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

describe('seeding the demo', () => {
  const directory = join(temporaryFolder(), 'product')
  const database = 'seeded'
  let cluster: Cluster

  before(async () => {
    cpSync('test/demo/product', directory, { recursive: true })
    cluster = await sharedCluster()
    await run(cluster.primaryUrl, `drop database if exists ${database}`)
  })
  after(() => run(cluster.primaryUrl, `drop database ${database} with (force)`))

  const seed = (options: Partial<SeedOptions> = {}) =>
    seedDemo(cluster, { directory, database, today: '2026-11-21', scale: 0.5, ...options })

  const found = (sql: string, role = 'postgres') =>
    valueOf(cluster.urlFor(role, 'replica', database), sql)

  it('executes the files in order with day and scale, and prints the duration of each', async () => {
    const lines: string[] = []
    expect(await seed({ today: '2025-12-31', say: line => lines.push(line) })).to.equal(true)
    expect(lines.map(line => line.replace(/: [\d.]+ s$/, ''))).to.deep.equal([
      'Ran schema.sql',
      'Ran roles.sql',
      'Ran demo/10_organizations.sql',
      'Ran demo/20_more_organizations.sql',
      'Vacuumed and analyzed',
      'The standby caught up',
    ])
    const names = "select string_agg(name, ', ' order by id) from organizations"
    expect(await found(names, 'svodka_reports')).to.equal('Ромашка, Ромашка и сыновья')
    expect(await found("select today || ' ' || scale from seeded_with")).to.equal('2025-12-31 0.5')
  })

  it('seeds again for another year or scale, but not for another day of the year', async () => {
    const seeded = []
    for (const options of [
      { today: '2025-01-01' },
      { today: '2026-11-21' },
      { today: '2026-11-21' },
      { scale: 2 },
    ]) {
      seeded.push(await seed(options))
    }
    expect(seeded).to.deep.equal([false, true, false, true])
    expect(await found('select today from seeded_with')).to.equal('2026-11-21')
  })

  it('prints the age of data from an earlier day of the year, and how to renew them', async () => {
    const linesOn = async (today: string): Promise<string[]> => {
      const lines: string[] = []
      expect(await seed({ scale: 2, today, say: line => lines.push(line) })).to.equal(false)
      return lines
    }
    const said = 'The demo data are there from an earlier start; they end on 2026-11-21'
    expect(await linesOn('2026-11-21')).to.deep.equal([`${said}, today`])
    const renewal = `to renew them, stop and rm -rf ${cluster.folder}`
    expect(await linesOn('2026-11-22')).to.deep.equal([`${said}, yesterday; ${renewal}`])
    expect(await linesOn('2026-12-01')).to.deep.equal([`${said}, 10 days ago; ${renewal}`])
  })

  it('seeds again from changed files, and closes open connections', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), "insert into organizations values (3, 'Третья')")
    await withClient(cluster.urlFor('postgres', 'primary', database), async () => {
      expect(await seed()).to.equal(true)
    })
    expect(await found('select max(id) from organizations')).to.equal('3')
  })

  it('names the file and the line that failed, and seeds again after a correction', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), 'select 1;\n\nselect 1 +;\n')
    const error = await seed().catch(error => error)
    expect(error.message).to.equal('demo/30.sql: syntax error at or near ";" (line 3)')
    writeFileSync(join(directory, 'demo/30.sql'), 'select 1')
    expect(await seed()).to.equal(true)
  })

  it('aborts on the signal', async () => {
    writeFileSync(join(directory, 'demo/30.sql'), 'select pg_sleep(60)')
    const error = await seed({ signal: AbortSignal.timeout(300) }).catch(error => error)
    expect(error).to.have.property('name', 'TimeoutError')
  })
})
