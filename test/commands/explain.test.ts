// `svodka explain` as a person has it, on the standby with the demo's data.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { sharedCluster } from '../support/cluster.ts'
import { svodka } from '../support/svodka.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('svodka explain', function () {
  this.timeout(60_000)
  let settings: Record<string, string>
  const folder = temporaryFolder()

  before(async () => {
    const { urlFor } = await sharedCluster()
    settings = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    }
  })

  const explain = (...args: string[]) => svodka(['explain', ...args], settings)

  /** With the definitions of ours but for one, which is changed. */
  async function explainChanged(change: (text: string) => string) {
    const sql = join(folder, 'sql')
    cpSync('sql', sql, { recursive: true })
    const file = join(sql, 'reports/finance/debts.sql')
    const text = readFileSync('sql/reports/finance/debts.sql', 'utf8')
    expect(change(text)).to.not.equal(text)
    writeFileSync(file, change(text))
    return svodka(['explain', 'debts', '--org', 'large'], { ...settings, SQL_DIR: sql })
  }

  it('shows what a report costs on stdout, without colours where that is no terminal', async () => {
    const { code, stdout, stderr } = await explain(
      'debts',
      '--org',
      'large',
      '--from',
      '2026-01-01',
      '--to',
      '2026-03-31',
    )
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.match(
      /^debts for large, 2026-01-01 to 2026-03-31, on the replica at DATABASE_URL\n\ntime [^]* base rows[^]* loops {2}node\n/,
    )
    expect(stdout).to.not.contain('\u001B')
  })

  it('gives a machine figures, suspects with their lines, and the plan', async () => {
    const { code, stdout } = await explain(
      'metrics/finance',
      '--org',
      'business',
      '--from',
      '2026-01-01',
      '--to',
      '2026-03-31',
      '--json',
    )
    expect(code).to.equal(0)
    const body = JSON.parse(stdout)
    const { id } = DEMO_ORGANIZATIONS[0]
    expect(body).to.include({ code: 'metrics/finance', organization: id, spilledBlocks: 0 })
    expect(body.period).to.deep.equal({ from: '2026-01-01', to: '2026-03-31' })
    expect(body.plan[0].Plan['Shared Hit Blocks']).to.equal(body.buffers).and.above(0)
    expect(body).to.have.all.keys(
      'code',
      'organization',
      'period',
      'ms',
      'planningMs',
      'buffers',
      'baseRows',
      'buffersPerThousandRows',
      'spilledBlocks',
      'suspects',
      'plan',
    )
  })

  it('names the line of what is wrong with a sum', async () => {
    const wrong = `select
    sum(sales.project_id) as debts_of_sales
from sales
join sale_lines
    on sale_lines.organization_id = :organization_id
    and sale_lines.sale_id = sales.id
where sales.organization_id = :organization_id`
    const sql = join(folder, 'sums')
    cpSync('sql', sql, { recursive: true })
    const file = join(sql, 'metrics/wrong.sql')
    writeFileSync(
      file,
      `/*---\nmetrics:\n  debts_of_sales: { title: Долги, format: money }\n---*/\n${wrong}\n`,
    )
    const { stdout, stderr } = await svodka(['explain', 'wrong', '--org', 'large', '--json'], {
      ...settings,
      SQL_DIR: sql,
    })
    expect(stderr).to.equal('')
    const [suspect] = JSON.parse(stdout).suspects
    expect(suspect).to.include({
      kind: 'multiplied-sum',
      file: join(folder, 'sums/metrics/wrong.sql'),
      line: 6,
    })
  })

  it('writes a page', async () => {
    const page = join(folder, 'plan.html')
    const { code, stderr } = await explain('debts', '--org', 'large', '--html', page)
    expect(code).to.equal(0)
    expect(stderr).to.equal(`Wrote ${page}: open it in a browser, it needs no network\n`)
    expect(readFileSync(page, 'utf8')).to.match(/^<!doctype html>[^]*<title>debts for large, /)
  })

  it('says where a page cannot be written, and ends with 2', async () => {
    const { code, stderr } = await explain(
      'debts',
      '--org',
      'large',
      '--html',
      join(folder, 'none/plan.html'),
    )
    expect(code).to.equal(2)
    expect(stderr).to.match(
      /^--html is ".*plan.html", which cannot be written \(ENOENT\): expected a file/,
    )
  })

  it('names the line that PostgreSQL refuses, and ends with 1', async () => {
    const { code, stdout, stderr } = await explainChanged(text =>
      text.replace('operations.due_on,', 'operations.due_onn,'),
    )
    const lines = readFileSync(join(folder, 'sql/reports/finance/debts.sql'), 'utf8').split('\n')
    const line = lines.findIndex(text => text.includes('due_onn')) + 1
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.equal(
      `${folder}/sql/reports/finance/debts.sql:${line}: column operations.due_onn does not exist, expected what the database can plan. Perhaps you meant to reference the column "operations.due_on".\n`,
    )
  })

  it('gives a definition no more than its own time, and ends with 1', async () => {
    const { code, stderr } = await explainChanged(text =>
      text.replace(/^timeout: .*$/m, 'timeout: 1ms'),
    )
    expect(code).to.equal(1)
    expect(stderr).to.match(
      /^\S+\/sql\/reports\/finance\/debts.sql:\d+: ran out of its time, expected an answer within 1ms/,
    )
  })

  it('says that there is no database, and the ways to one, and ends with 3', async () => {
    const { code, stderr } = await svodka(['explain', 'debts', '--org', 'large'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    })
    expect(code).to.equal(3)
    expect(stderr).to.match(/^The database cannot be asked: .*ECONNREFUSED/)
  })
})
