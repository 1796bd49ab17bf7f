import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { command, expectCommand, standbySettings } from './in-process.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'
import { sqlFolder } from './sql-folder.ts'

// why: a closed port, so that the running demo of this checkout is not used
const DATABASE_URL = 'postgres://svodka@127.0.0.1:1/svodka'
const NULL_COMPARED = '= null is never true, expected is null'

const withFile = (sqlDir: string, file: string, text: string): string =>
  writeFiles(sqlDir, { [file]: text })

describe('svodka check', () => {
  it('prints findings in the text without a database, and ends with 3', () =>
    expectCommand(
      'check',
      {
        DATABASE_URL,
        SQL_DIR: withFile(
          sqlFolder('bad/null-compared', 'bad/bracket-open', 'bad/session-day'),
          'reports/lost.sql',
          '',
        ),
      },
      {
        code: 3,
        stdout:
          /^\S+\/lost\.sql: error: outside of a group.*\n\S+\/bracket-open\.sql:22: .*\n\S+\/null-compared\.sql:27: .*\n\S+\/session-day\.sql:16: .*\n$/,
        stderr:
          /^3 errors, 1 warning in 3 of 3 definitions in \S+\/sql, checked without a database\nThe database cannot be queried: .*ECONNREFUSED/,
      },
    ))

  it("knows an organization's id by tenancy.yaml, and lists of all organizations without dates", async () => {
    const SQL_DIR = withFile(sqlFolder(), 'tenancy.yaml', 'sales: shop\ncurrencies: shared\n')
    const report = (head: string, columns: string, sql: string) =>
      `/*---\ntitle: Т ${sql.length}\n${head}\ncolumns:\n${columns}key: [name]\nsummary: Всего {row_count}.\n---*/\n${sql}\n`
    const name = '  name: { title: N, type: text }\n'
    const day = '  day: { title: D, type: date, total: none }\n'
    const of = 'select currencies.name from currencies order by currencies.name'
    const sold = `with sold as (select sales.shop as s, sales.name from sales where sales.day >= :period_start and sales.day < :period_end)
select distinct sold.name from sold where sold.s in ('moscow', 'omsk') or sold.name = 'a' order by sold.name`
    withFile(SQL_DIR, 'reports/a/listed.sql', report('shared: true', name, of))
    withFile(
      SQL_DIR,
      'reports/a/listed_days.sql',
      report('shared: true', name + day, of.replace('name', 'name, currencies.day')),
    )
    withFile(SQL_DIR, 'reports/a/sold.sql', report('maxRows: 9', name, sold))
    const { stdout } = await command('check', { DATABASE_URL, SQL_DIR })
    const its = String.raw`is one organization's, or a row of it, expected :organization_id or a join \[literal-id\]`
    expect(stdout.replaceAll(/^.*\//gm, '')).to.match(
      new RegExp(
        `^listed_days\\.sql:10: warning: no placeholder of the period.*\\nsold\\.sql:10: warning: 'moscow' ${its}\\nsold\\.sql:10: warning: 'omsk' ${its}\\n$`,
      ),
    )
  })

  it('prints findings of named definitions as JSON, without duplicates', async () => {
    const SQL_DIR = sqlFolder('bad/null-compared', 'bad/bracket-open')
    const { stdout, stderr } = await command('check null-compared bad/null-compared --json', {
      DATABASE_URL,
      SQL_DIR,
    })
    const file = join(SQL_DIR, 'reports/bad/null-compared.sql')
    expect(JSON.parse(stdout)).to.deep.equal([
      { file, line: 27, level: 'error', id: 'null-comparison', message: NULL_COMPARED },
    ])
    expect(stderr).to.contain(`1 error in 1 of 1 definition in ${SQL_DIR}, checked without`)
    const broken = await command('check bracket-open', { DATABASE_URL, SQL_DIR })
    expect(broken.stdout).to.match(/^\S+bracket-open.sql:22: .*\n$/)
  })

  it('counts definitions and access files by their place in SQL_DIR', async () => {
    const SQL_DIR = join(temporaryFolder(), 'access/sql')
    cpSync(sqlFolder('bad/null-compared', 'bad/session-day'), SQL_DIR, { recursive: true })
    withFile(SQL_DIR, 'reports/access/lost.sql', 'select')
    const counts = async () => (await command('check', { DATABASE_URL, SQL_DIR })).stderr
    expect(await counts()).to.match(/^\d+ errors, 2 warnings in 3 of 3 definitions in /m)
    rmSync(join(SQL_DIR, 'reports'), { recursive: true })
    withFile(SQL_DIR, 'access/organizations.sql', 'selec')
    withFile(SQL_DIR, 'metrics/none.sql', '')
    expect(await counts()).to.match(/^\d+ errors in 1 of 1 definition in /m)
  })

  describe('on a replica', () => {
    let standby: Record<string, string>
    before(async () => {
      standby = await standbySettings()
    })

    it('ends with 0 if named definitions have no finding, and prints the database', async () => {
      const SQL_DIR = sqlFolder('metrics/tasks', 'bad/null-compared')
      const settings = { ...standby, SQL_DIR: withFile(SQL_DIR, 'replica/heartbeat.sql', 'select') }
      await expectCommand('check tasks --org empty --org large', settings, {
        stderr: `1 definition in ${SQL_DIR} checked on the replica at DATABASE_URL: no findings\n`,
      })
      await expectCommand('check tasks --org lrge', settings, {
        code: 2,
        stderr: 'There is no organization "lrge", did you mean "large"?\n',
      })
    })

    it('uses the first replica and the first database of keys that respond, as explain does', async () => {
      const stopped = Object.fromEntries(
        ['DATABASE_URL', 'KEYS_DATABASE_URL', 'PROBE_DATABASE_URL'].map(name => {
          const other = Object.assign(new URL(standby[name]!), { port: '1' }).href
          return [name, `${other},${standby[name]}`]
        }),
      )
      const settings = { SQL_DIR: sqlFolder('metrics/tasks'), ...stopped }
      await expectCommand('check tasks --org large', settings, { stderr: /: no findings\n$/ })
      await expectCommand('explain metrics/tasks --org large', settings, {
        stdout: /^Execution Time: /m,
      })
    })

    it('prints findings on the replica and in the text, and ends with 1', () =>
      expectCommand(
        'check',
        { ...standby, SQL_DIR: sqlFolder('bad/column-misspelt', 'bad/null-compared') },
        {
          code: 1,
          stdout:
            /^\S+-misspelt\.sql:19: error: column deals\.amount_kopeck does not .*\n\S+:27: error: = null .*\n$/,
          stderr:
            /^2 errors in 2 of 2 definitions in \S+\/sql, checked on the replica at DATABASE_URL; no rows seen for 1: null-compared\n$/,
        },
      ))

    it('fails on warnings only if it is strict', async () => {
      const settings = { ...standby, SQL_DIR: sqlFolder('bad/session-day') }
      const found = {
        stdout: /:16: warning: .* \[session-day\]\n$/,
        stderr: /^1 warning in 1 of 1/,
      }
      await expectCommand('check --org business', settings, found)
      await expectCommand('check --org business --strict', settings, { ...found, code: 1 })
    })

    it('makes experiments unless told otherwise', async () => {
      const report = `/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select accounts.name, accounts.opening_balance_kopecks as amount
from accounts
where :period_end > :period_start
order by accounts.id
`
      const settings = { ...standby, SQL_DIR: withFile(sqlFolder(), 'reports/a/named.sql', report) }
      await expectCommand('check --org business', settings, {
        stdout: /:6: .* \[name-as-key\]\n$/,
        stderr: /^1 warning in 1 of 1/,
      })
      await expectCommand('check --org business --no-experiments', settings, {
        stderr: /: no findings\n$/,
      })
    })

    it('uses the given period, and names definitions without rows', async () => {
      const settings = { ...standby, SQL_DIR: sqlFolder('reports/finance/operations') }
      const line = 'check operations --org large --from'
      const where = `1 definition in ${settings.SQL_DIR} checked on the replica at DATABASE_URL`
      await expectCommand(`${line} 1950-01-01 --to 1950-01-31`, settings, {
        stderr: `Not proved for operations: the experiments (every organization has 20000 rows or more)\n${where}: no findings; no rows seen for 1: operations\n`,
      })
      await expectCommand(`${line} 2026-02-30`, settings, {
        code: 2,
        stderr:
          'Parameter from is "2026-02-30"; expected a date such as 2026-01-31 or 2026-01-31T00:00:00Z.\n',
      })
    })

    it('uses no organization without nicknames, and prints so', () => {
      const SQL_DIR = sqlFolder('metrics/tasks')
      rmSync(join(SQL_DIR, 'access/organizations.sql'))
      return expectCommand(
        'check',
        { ...standby, SQL_DIR },
        {
          stderr: /^No organization is used, .*: expected \/\S+\/sql\/access\/organizations.sql/,
        },
      )
    })

    it('prints findings so far if the database becomes unavailable, and ends with 3', async () => {
      const through = new URL(standby['DATABASE_URL']!)
      const { port, hostname } = through
      const proxy = createServer(client => {
        const server = connect(Number(port), hostname)
        for (const socket of [client, server]) socket.on('error', () => {})
        server.pipe(client).on('close', () => server.destroy())
        client.on('data', bytes =>
          bytes.includes('tasks.due_on') ? client.destroy() : server.write(bytes),
        )
      })
      await once(proxy.listen(0, '127.0.0.1'), 'listening')
      through.port = String((proxy.address() as AddressInfo).port)
      const SQL_DIR = sqlFolder('reports/finance/debts', 'metrics/tasks')
      const settings = { ...standby, DATABASE_URL: through.href, SQL_DIR }
      await expectCommand('check debts tasks', settings, {
        code: 3,
        stderr:
          `2 definitions in ${SQL_DIR} checked 1 of them on the replica at DATABASE_URL, the rest without a database: no findings\n` +
          'The database cannot be queried: Connection terminated unexpectedly\n',
      })
      proxy.close()
    })

    for (const [sql, said] of [
      ['select written_at from beats', 'relation "beats" does not exist'],
      ['select created_at as written_at from deals', 'permission denied for table deals'],
      ['select timestamptz $$2026-01-01$$ as written_at', undefined],
    ]) {
      it(`plans ${sql} as the probe's role if the whole folder is checked`, async () => {
        const SQL_DIR = withFile(sqlFolder('metrics/tasks'), 'replica/heartbeat.sql', sql!)
        const { stdout } = await command('check', { ...standby, SQL_DIR })
        const file = join(SQL_DIR, 'replica/heartbeat.sql')
        const finding = `${file}: error: ${said}, expected what the database can plan [product]\n`
        expect(stdout).to.equal(said === undefined ? '' : finding)
      })
    }
  })
})
