import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { sharedCluster } from '../support/cluster.ts'
import { command } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

// why: a closed port stands for a database, where the running demo of this checkout must not be asked
const CLOSED = { DATABASE_URL: 'postgres://svodka@127.0.0.1:1/svodka' }

/** @returns its path */
function heartbeatIn(sqlDir: string, sql: string): string {
  mkdirSync(join(sqlDir, 'replica'))
  const file = join(sqlDir, 'replica/heartbeat.sql')
  writeFileSync(file, sql)
  return file
}

describe('svodka check', () => {
  it('without a database prints what the text tells, of files that load and of files that do not, and ends with 3', async () => {
    const SQL_DIR = sqlFolder('museum/null-compared', 'museum/bracket-open', 'museum/roubles')
    writeFileSync(join(SQL_DIR, 'reports/lost.sql'), '')
    const { code, stdout, stderr } = await command(['check'], { ...CLOSED, SQL_DIR })
    const places = stdout.split('\n').map(line => /^.*\/sql\/reports(.*?): \S/.exec(line)?.[1])
    expect(places).to.deep.equal([
      '/lost.sql',
      '/museum/bracket-open.sql:16',
      '/museum/null-compared.sql:26',
      '/museum/roubles.sql:19',
      undefined,
    ])
    expect(stdout).to.contain(`${SQL_DIR}/reports/lost.sql: outside of a group`)
    expect(code).to.equal(3)
    expect(stderr).to.match(
      /^4 findings in 4 of 4 definitions, checked without a database\nThe database cannot be asked: .*ECONNREFUSED/,
    )
  })

  it('prints findings of the definitions that are named, each once, as JSON', async () => {
    const SQL_DIR = sqlFolder('museum/null-compared', 'museum/bracket-open')
    const args = ['check', 'null-compared', 'museum/null-compared', '--json']
    const { stdout, stderr } = await command(args, { ...CLOSED, SQL_DIR })
    expect(JSON.parse(stdout)).to.deep.equal([
      {
        file: join(SQL_DIR, 'reports/museum/null-compared.sql'),
        line: 26,
        message: '= null is never true, expected is null',
      },
    ])
    expect(stderr).to.contain('1 finding in 1 of 1 definition, checked without')
    const broken = await command(['check', 'bracket-open'], { ...CLOSED, SQL_DIR })
    expect(broken.stdout).to.contain('bracket-open.sql:16').and.not.contain('null-compared')
  })

  it('names a folder without definitions as it is reached from here', async () => {
    const { code, stdout, stderr } = await command(['check'], { ...CLOSED, SQL_DIR: sqlFolder() })
    expect(code).to.equal(3)
    expect(stdout).to.match(/^\S+\/sql: no definitions, expected /)
    expect(stderr).to.contain('1 finding, and no definition to check\n')
  })

  describe('on a replica', function () {
    this.timeout(30_000)
    let standby: Record<string, string>
    before(async () => {
      const { urlFor } = await sharedCluster()
      standby = {
        DATABASE_URL: urlFor('svodka_reports', 'replica'),
        KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
        PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
      }
    })

    it('ends with 0 where what is named has no finding, and says where it has asked', async () => {
      const SQL_DIR = sqlFolder('metrics/tasks', 'museum/null-compared')
      heartbeatIn(SQL_DIR, 'select')
      const settings = { ...standby, SQL_DIR }
      const { code, stdout, stderr } = await command(['check', 'tasks', '--org', 'empty'], settings)
      expect([code, stdout]).to.deep.equal([0, ''])
      expect(stderr).to.match(/1 definition checked on the replica at DATABASE_URL: no findings\n$/)
      const misspelt = await command(['check', 'tasks', '--org', 'lrge'], settings)
      expect([misspelt.code, misspelt.stderr]).to.deep.equal([
        2,
        'There is no organization "lrge", did you mean "large"?\n',
      ])
    })

    it('says what the replica tells beside what the text tells, and ends with 1', async () => {
      const SQL_DIR = sqlFolder('museum/column-misspelt', 'museum/null-compared')
      const { code, stdout, stderr } = await command(['check'], { ...standby, SQL_DIR })
      const lines = stdout.trimEnd().split('\n')
      expect([code, lines.length]).to.deep.equal([1, 2])
      expect(lines[0]).to.match(/column-misspelt\.sql:19: column deals\.amount_kopeck does not ex/)
      expect(lines[1]).to.match(/null-compared\.sql:26: = null is never true/)
      expect(stderr).to.contain('2 findings in 2 of 2 definitions, checked on the replica at')
    })

    it('asks for nobody without nicknames, and says so', async () => {
      const SQL_DIR = sqlFolder('metrics/tasks')
      rmSync(join(SQL_DIR, 'access/organizations.sql'))
      const { code, stderr } = await command(['check'], { ...standby, SQL_DIR })
      expect(code).to.equal(0)
      expect(stderr).to.match(/^Asked for nobody in particular, .*: expected sql\/access\/organ/)
    })

    it('says what it has found where the database goes away, and ends with 3', async () => {
      const { hostname, port } = new URL(standby['DATABASE_URL']!)
      const proxy = createServer(client => {
        const server = connect(Number(port), hostname)
        for (const socket of [client, server]) socket.on('error', () => {})
        server.pipe(client)
        client.on('data', bytes => {
          if (bytes.includes('tasks.due_on')) client.destroy()
          else server.write(bytes)
        })
        client.on('close', () => server.destroy())
      })
      await once(proxy.listen(0, '127.0.0.1'), 'listening')
      const through = new URL(standby['DATABASE_URL']!)
      through.port = String((proxy.address() as AddressInfo).port)
      const settings = {
        ...standby,
        DATABASE_URL: through.href,
        SQL_DIR: sqlFolder('reports/finance/debts', 'metrics/tasks'),
      }
      const { code, stdout, stderr } = await command(['check', 'debts', 'tasks'], settings)
      proxy.close()
      expect([code, stdout]).to.deep.equal([3, ''])
      expect(stderr).to.equal(
        '2 definitions checked 1 of them on the replica at DATABASE_URL, the rest without a database: no findings\n' +
          'The database cannot be asked: Connection terminated unexpectedly\n',
      )
    })

    const HEARTBEATS: ReadonlyArray<readonly [sql: string, said: string | undefined]> = [
      ['select written_at from beats', 'relation "beats" does not exist'],
      ['select created_at as written_at from api_keys', 'permission denied for table api_keys'],
      ['select timestamptz $$2026-01-01$$ as written_at', undefined],
    ]
    for (const [sql, said] of HEARTBEATS) {
      it(`has the role of the probe plan ${sql}, where the whole folder is checked`, async () => {
        const SQL_DIR = sqlFolder('metrics/tasks')
        const file = heartbeatIn(SQL_DIR, sql)
        const { stdout } = await command(['check'], { ...standby, SQL_DIR })
        const expected = said && `${file}: ${said}, expected what the database can plan\n`
        expect(stdout).to.equal(expected ?? '')
      })
    }
  })
})
