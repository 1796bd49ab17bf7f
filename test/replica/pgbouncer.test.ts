// Connections of each pool through a real pooler: nothing is prepared and nothing is set.
import { expect } from 'chai'
import { POOLS, type Observation } from '../../src/model/observation.ts'
import type { Server } from '../../src/serve/replica/connection.ts'
import { createPool } from '../../src/serve/replica/pool.ts'
import { roleSettings } from '../../src/serve/replica/session-settings.ts'
import { run } from '../harness/shops.ts'
import { ourCatalog } from '../sql/subject.ts'
import { errorOf, replicasOfTests, rowsOf } from './execute.ts'
import { hashOf, keyDatabaseAt } from './look-ups.ts'
import { pooledUrls } from './pooler.ts'
import { hex } from './rows.ts'
import { BACKEND, SETTING, SPELLINGS } from './spellings.ts'

const PREPARED = 'select name from pg_prepared_statements'

for (const mode of ['transaction', 'session'] as const) {
  describe(`behind PgBouncer in ${mode} mode`, function () {
    this.timeout(60_000)
    const urlOf = pooledUrls(mode, POOLS)
    const replicaAt = replicasOfTests()
    let observations: Observation[]
    const observe = (fact: Observation): void => void observations.push(fact)

    beforeEach(() => {
      observations = []
    })

    for (const name of POOLS) {
      it(`a connection of ${name} is recognized as pooled, and its session is not changed`, async () => {
        const servers: Server[] = []
        const pool = createPool({
          name,
          connectionString: urlOf(name),
          max: 1,
          connectTimeoutMs: 5000,
          observe,
          accept: server => void servers.push(server),
        })
        const client = await pool.connect()
        client.release()
        await pool.end()
        expect(servers).to.have.lengthOf(1)
        expect(servers[0]).to.include({ inRecovery: true, isPooled: true })
        const missingSettings = observations.flatMap(fact =>
          fact.kind === 'pooler-detected' ? [fact.missingSettings] : [],
        )
        expect(missingSettings, 'what its role lacks').to.deep.equal([[]])
        // why: PgBouncer sets these two to the values of each client
        const names = Object.keys(roleSettings(name, 'auto'))
          .filter(each => each !== 'TimeZone' && each !== 'DateStyle')
          .map(each => `'${each}'`)
        const sources = `select distinct source from pg_settings where name in (${names.join(', ')})`
        expect(await run(urlOf(name), sources)).to.deep.equal([{ source: 'user' }])
      })
    }

    it('a statement leaves nothing behind, even after an error', async () => {
      const replica = replicaAt(urlOf('reports'))
      const before = await rowsOf(replica, BACKEND)
      for (const text of Object.values(SPELLINGS)) {
        await rowsOf(replica, text)
        expect(await errorOf(replica, 'select 1 / 0')).to.include({ code: 'internal_error' })
        expect(await rowsOf(replica, SETTING)).to.deep.equal([[hex('on')]])
        expect(await rowsOf(replica, PREPARED)).to.deep.equal([])
      }
      expect(await rowsOf(replica, BACKEND), 'the same session').to.deep.equal(before)
    })

    it('keys are looked up, and nothing is prepared', async () => {
      const { access } = ourCatalog()
      const keys = keyDatabaseAt(urlOf('keys'), () => access)
      const hash = hashOf('sk_demo_business')
      for (let time = 0; time < 3; time++) {
        expect((await keys.find([hash])).get(hash)).to.include({ timeZone: 'Europe/Moscow' })
      }
      await keys.close()
      expect(await run(urlOf('keys'), PREPARED)).to.deep.equal([])
    })
  })
}
