// `svodka explain` as a person has it, on the standby with the demo's data.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { sharedCluster } from '../support/cluster.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { command } from './in-process.ts'
import { replaceIn, sqlFolder } from './sql-folder.ts'

describe('svodka explain', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const SQL_DIR = sqlFolder('reports/finance/debts', 'metrics/finance')
  let settings: Record<string, string>

  before(async () => {
    const { urlFor } = await sharedCluster()
    settings = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
      SQL_DIR,
    }
  })

  const explain = (line: string, more: Record<string, string> = {}) =>
    command(['explain', ...line.split(' ')], { ...settings, ...more })

  it('shows what a report costs on stdout, without colours where that is no terminal', async () => {
    const { code, stdout, stderr } = await explain(
      'debts --org large --from 2026-01-01 --to 2026-03-31',
    )
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.match(
      /^debts for large, 2026-01-01 to 2026-03-31, on the replica at DATABASE_URL\n\ntime [^]* of 360 in the budget\nbase rows[^]* loops {2}node\n/,
    )
    expect(stdout).to.not.contain('\u001B')
  })

  it('gives a machine figures, suspects and the plan', async () => {
    const { code, stdout } = await explain(
      'metrics/finance --org business --from 2026-01-01 --to 2026-03-31 --json',
    )
    expect(code).to.equal(0)
    const { ms, planningMs, baseRows, buffersPerThousandRows, suspects, plan, ...rest } =
      JSON.parse(stdout)
    expect(rest).to.deep.equal({
      code: 'metrics/finance',
      organization: DEMO_ORGANIZATIONS[0].id,
      period: { from: '2026-01-01', to: '2026-03-31' },
      buffers: plan[0].Plan['Shared Hit Blocks'],
      spilledBlocks: 0,
    })
    expect(suspects).to.be.an('array')
    for (const figure of [ms, planningMs, baseRows, rest.buffers]) expect(figure).to.be.above(0)
    const perThousand = (rest.buffers * 1000) / Math.max(baseRows, 10_000)
    expect(buffersPerThousandRows).to.be.closeTo(perThousand, 0.051)
  })

  it('names the line of what is wrong with a sum', async () => {
    const sql = `select
    sum(sales.project_id) as debts_of_sales
from sales
join sale_lines
    on sale_lines.organization_id = :organization_id
    and sale_lines.sale_id = sales.id
where sales.organization_id = :organization_id`
    const wrong = sqlFolder('metrics/tasks')
    const file = join(wrong, 'metrics/wrong.sql')
    writeFileSync(
      file,
      `/*---\nmetrics:\n  debts_of_sales: { title: Долги, format: money }\n---*/\n${sql}\n`,
    )
    const { stdout, stderr } = await explain('wrong --org large --json', { SQL_DIR: wrong })
    expect(stderr).to.equal('')
    const [suspect] = JSON.parse(stdout).suspects
    expect(suspect).to.include({ kind: 'multiplied-sum', file, line: 6 })
  })

  it('writes a page, or says where it cannot be written', async () => {
    const page = join(folder, 'plan.html')
    const { code, stderr } = await explain(`debts --org large --html ${page}`)
    expect(code).to.equal(0)
    expect(stderr).to.equal(`Wrote ${page}: open it in a browser, it needs no network\n`)
    expect(readFileSync(page, 'utf8')).to.match(/^<!doctype html>[^]*<title>debts for large, /)
    const unwritten = await explain(`debts --org large --html ${folder}/none/plan.html`)
    expect(unwritten.code).to.equal(2)
    expect(unwritten.stderr).to.match(
      /^--html is ".*plan.html", which cannot be written \(ENOENT\): expected a file/,
    )
  })

  it('names the line that PostgreSQL refuses, and ends with 1', async () => {
    const wrong = sqlFolder('museum/column-misspelt')
    const { code, stdout, stderr } = await explain('column-misspelt --org large', {
      SQL_DIR: wrong,
    })
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.equal(
      `${wrong}/reports/museum/column-misspelt.sql:19: column deals.amount_kopeck does not exist, expected what the database can plan. Perhaps you meant to reference the column "deals.amount_kopecks".\n`,
    )
  })

  it('gives a definition no more than its own time, and ends with 1', async () => {
    const slow = sqlFolder('reports/finance/debts')
    replaceIn(join(slow, 'reports/finance/debts.sql'), /^timeout: .*$/m, 'timeout: 1ms')
    const { code, stderr } = await explain('debts --org large', { SQL_DIR: slow })
    expect(code).to.equal(1)
    expect(stderr).to.match(
      /^\S+\/debts.sql:\d+: ran out of its time, expected an answer within 1ms/,
    )
  })
})
