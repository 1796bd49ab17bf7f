import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { NEW_DEALS } from '../check/tables/new-deals.ts'
import { PAYMENTS } from '../check/tables/payments.ts'
import { sharedCluster } from '../support/cluster.ts'
import { svodka } from '../support/svodka.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Bad definitions by the names of their files here. */
const BAD: Readonly<Record<string, string>> = {
  'bracket-open': 'a bracket is not closed',
  'column-misspelt': 'deals.amount_kopeck as amount',
  'null-compared': 'operations.project_id = null',
  roubles: 'deals.amount_kopecks / 100 as amount',
}

/** A folder of our access files and these bad definitions. */
function folderOf(...names: string[]): string {
  const directory = join(temporaryFolder(), 'sql')
  cpSync('sql/access', join(directory, 'access'), { recursive: true })
  mkdirSync(join(directory, 'reports', 'bad'), { recursive: true })
  for (const name of names) {
    const bad = [...PAYMENTS, ...NEW_DEALS].find(({ title }) => title === BAD[name])
    writeFileSync(join(directory, `reports/bad/${name}.sql`), bad!.text)
  }
  return directory
}

// why: a closed port stands for a database, where the running demo of this checkout must not be asked
const AWAY = 'postgres://svodka@127.0.0.1:1/svodka'

describe('svodka check', () => {
  it('says each finding in a line on stdout, of files that load and of files that do not, and ends with 1', async () => {
    const directory = folderOf('null-compared', 'bracket-open', 'roubles')
    const { stdout, stderr } = await svodka(['check'], { SQL_DIR: directory, DATABASE_URL: AWAY })
    const places = stdout.split('\n').map(line => /bad\/([\w-]+\.sql:\d+): \S/.exec(line)?.[1])
    expect(places).to.deep.equal([
      'bracket-open.sql:16',
      'null-compared.sql:26',
      'roubles.sql:19',
      undefined,
    ])
    expect(stderr).to.contain('3 findings in 3 of 3 definitions')
  })

  it('prints findings as JSON', async () => {
    const directory = folderOf('null-compared')
    const settings = { SQL_DIR: directory, DATABASE_URL: AWAY }
    const { stdout } = await svodka(['check', 'null-compared', '--json'], settings)
    expect(JSON.parse(stdout)).to.deep.equal([
      {
        file: join(directory, 'reports/bad/null-compared.sql'),
        line: 26,
        message: '= null is never true, expected is null',
      },
    ])
  })

  it('says what the text tells where the database is away, and ends with 3', async () => {
    const settings = { SQL_DIR: folderOf('null-compared'), DATABASE_URL: AWAY }
    const { code, stdout, stderr } = await svodka(['check'], settings)
    expect(code).to.equal(3)
    expect(stdout).to.contain('= null is never true')
    expect(stderr).to.match(/The database cannot be asked: .*ECONNREFUSED/)
  })

  it('looks at the definitions that are named, broken ones too', async () => {
    const directory = folderOf('null-compared', 'bracket-open')
    const settings = { SQL_DIR: directory, DATABASE_URL: AWAY }
    const { stdout } = await svodka(['check', 'bracket-open'], settings)
    expect(stdout).to.contain('bracket-open.sql:16').and.not.contain('null-compared')
  })

  it('suggests the likely spelling of a definition, and ends with 2', async () => {
    const { code, stdout, stderr } = await svodka(['check', 'profit_los'], { DATABASE_URL: AWAY })
    expect([code, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.equal('There is no definition "profit_los", did you mean "profit_loss"?\n')
  })

  it('names files as they are opened from here', async () => {
    const directory = folderOf()
    writeFileSync(join(directory, 'reports', 'lost.sql'), '')
    const { stdout } = await svodka(['check'], { SQL_DIR: directory, DATABASE_URL: AWAY })
    expect(stdout).to.contain(`${join(directory, 'reports/lost.sql')}: outside of a group`)
  })

  it('names a folder without definitions as it is reached from here', async () => {
    const directory = join(temporaryFolder(), 'sql')
    cpSync('sql/access', join(directory, 'access'), { recursive: true })
    const { code, stdout, stderr } = await svodka(['check'], {
      SQL_DIR: directory,
      DATABASE_URL: AWAY,
    })
    expect(code).to.equal(3)
    expect(stdout).to.match(/^\S+\/sql: no definitions, expected /)
    expect(stderr).to.contain('1 finding, and no definition to check\n')
  })

  it('looks once at a definition that is named twice', async () => {
    const settings = { SQL_DIR: folderOf('null-compared'), DATABASE_URL: AWAY }
    const { stdout } = await svodka(['check', 'null-compared', 'null-compared'], settings)
    expect(stdout.match(/= null is never true/g)).to.have.length(1)
  })

  it('says what the organizations are found by, where --org has nothing to ask', async () => {
    const directory = folderOf('null-compared')
    rmSync(join(directory, 'access', 'organizations.sql'))
    const settings = { SQL_DIR: directory, DATABASE_URL: AWAY }
    const { code, stderr } = await svodka(['check', '--org', 'large'], settings)
    expect(code).to.equal(2)
    expect(stderr).to.equal(
      '--org cannot be found: sql/access/organizations.sql is not there, expected the SQL that finds organizations.\n',
    )
  })

  describe('with a database', () => {
    let standby: Record<string, string>
    before(async function () {
      this.timeout(30_000)
      const { urlFor } = await sharedCluster()
      standby = {
        DATABASE_URL: urlFor('svodka_reports', 'replica'),
        KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
        PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
      }
    })

    it('ends with 0 where there is no finding, and says where it has asked', async () => {
      const { code, stdout, stderr } = await svodka(['check', 'tasks'], standby)
      expect([code, stdout]).to.deep.equal([0, ''])
      expect(stderr).to.equal('1 definition checked on the replica at DATABASE_URL: no findings\n')
    })

    it('says what the replica tells beside what the text tells, and ends with 1', async () => {
      const directory = folderOf('column-misspelt', 'null-compared')
      const { code, stdout } = await svodka(['check'], { ...standby, SQL_DIR: directory })
      const lines = stdout.trimEnd().split('\n')
      expect([code, lines.length]).to.deep.equal([1, 2])
      expect(lines[0]).to.match(
        /column-misspelt\.sql:19: column deals\.amount_kopeck does not exist/,
      )
      expect(lines[1]).to.match(/null-compared\.sql:26: = null is never true/)
    })

    it('asks for the organizations that are named, and suggests the likely one', async () => {
      const large = await svodka(['check', 'debts', '--org', 'large', '--org', 'empty'], standby)
      expect(large.code).to.equal(0)
      const misspelt = await svodka(['check', 'debts', '--org', 'lrge'], standby)
      expect(misspelt.code).to.equal(2)
      expect(misspelt.stderr).to.contain('There is no organization "lrge", did you mean "large"?')
    })

    it('has the heartbeat planned by the role of the probe, where the whole folder is checked', async function () {
      this.timeout(60_000)
      const directory = folderOf('null-compared')
      mkdirSync(join(directory, 'replica'))
      const heartbeat = join(directory, 'replica/heartbeat.sql')
      const settings = { ...standby, SQL_DIR: directory }
      const saidOf = async (sql: string): Promise<string[]> => {
        writeFileSync(heartbeat, sql)
        const { stdout } = await svodka(['check'], settings)
        return stdout.split('\n').filter(line => line.includes('heartbeat'))
      }
      expect(await saidOf('select written_at from beats')).to.deep.equal([
        `${heartbeat}: relation "beats" does not exist, expected what the database can plan`,
      ])
      expect(await saidOf('select created_at as written_at from api_keys')).to.deep.equal([
        `${heartbeat}: permission denied for table api_keys, expected what the database can plan`,
      ])
      expect(await saidOf('select timestamptz $$2026-01-01$$ as written_at')).to.deep.equal([])
      const { stdout } = await svodka(['check', 'null-compared'], settings)
      expect(stdout).to.not.contain('heartbeat')
    })
  })
})
