// `svodka check` compares definitions with the oracles beside them, on the standby with the demo's data.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { command, standbySettings } from '../commands/in-process.ts'
import { replaceIn, sqlFolder } from '../commands/sql-folder.ts'
import { LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'

const { from, to } = LAST_TWELVE_MONTHS
const ARGS = `--org large --from ${from} --to ${to}`
const PERIOD = `organization large, ${from} to ${to}`

describe('an oracle beside a definition', () => {
  const SQL_DIR = sqlFolder('reports/deals/deals_by_source', 'metrics/tasks')
  const pathOf = (name: string) => join(SQL_DIR, `${name}.sql`)
  const NAMES = ['reports/deals/deals_by_source', 'metrics/tasks'] as const
  const [report, metrics] = NAMES.map(pathOf) as [string, string]
  const [ofReport, ofMetrics] = NAMES.map(name => pathOf(`${name}.oracle`)) as [string, string]
  beforeEach(() => {
    for (const name of NAMES.flatMap(name => [name, `${name}.oracle`]))
      cpSync(`sql/${name}.sql`, pathOf(name))
  })

  async function findings(code: string): Promise<string> {
    const { stdout } = await command(`check ${code} ${ARGS}`, await standbySettings(SQL_DIR))
    return stdout.replaceAll(/^.*\[(?!oracle|load).*\]\n/gm, '')
  }

  const differs = (file: string, oracle: string, difference: string) =>
    new RegExp(
      `^${file}:\\d+: error: differs from ${basename(oracle)} \\(${PERIOD}\\): ${difference} \\[oracle\\]\n$`,
    )

  it('that agrees has no finding', async () => {
    expect(await findings('deals_by_source')).to.equal('')
    expect(await findings('metrics/tasks')).to.equal('')
  })

  it('that has the same figures with more decimals has no finding', async () => {
    replaceIn(ofReport, 'figures.lost), 1) end', 'figures.lost), 1)::numeric(9, 3) end')
    expect(await findings('deals_by_source')).to.equal('')
  })

  it('that differs is an error with the cell, the organization and the period', async () => {
    replaceIn(report, 'count(*) filter (where counted.is_lost)', 'count(*)')
    const cell = 'source_id "\\d+": lost: found \\d+, expected \\d+'
    expect(await findings('deals_by_source')).to.match(differs(report, ofReport, cell))
    replaceIn(metrics, 'open_tasks.tasks as', 'open_tasks.tasks + 1 as')
    const figure = 'tasks_open: found \\d+, expected \\d+'
    expect(await findings('metrics/tasks')).to.match(differs(metrics, ofMetrics, figure))
  })

  it('that has other rows is one, too', async () => {
    const first = '(select min(deal_sources.id) from deal_sources)'
    replaceIn(report, /(?=\norder by)/, `\nwhere by_source.source_id is distinct from ${first}`)
    const missing = 'source_id "\\d+": the row is missing'
    expect(await findings('deals_by_source')).to.match(differs(report, ofReport, missing))
    cpSync('sql/reports/deals/deals_by_source.sql', report)
    replaceIn(ofReport, /(?=\norder by)/, ` and figures.id is distinct from ${first}`)
    const added = 'source_id "\\d+": a row is added'
    expect(await findings('deals_by_source')).to.match(differs(report, ofReport, added))
  })

  it('has totals of its own, if it selects them', async () => {
    replaceIn(report, 'total: sum(lost)', 'total: max(lost)')
    const difference = 'total of lost: found \\d+, expected \\d+'
    expect(await findings('deals_by_source')).to.match(differs(report, ofReport, difference))
  })

  it('with other columns is a finding', async () => {
    const head = '/*---\nmetrics:\n  tasks_open: { title: Open, format: integer }\n---*/\n'
    writeFileSync(ofMetrics, `${head}${readFileSync(ofMetrics, 'utf8')}`)
    expect(await findings('metrics/tasks')).to.match(
      /oracle.sql:1: error: found other columns, .*, expected those of metrics\/tasks: .* \[load\]\n$/,
    )
  })

  it("with the definition's own statement in another form is a finding", async () => {
    const [, statement = ''] = readFileSync(metrics, 'utf8').split('---*/')
    writeFileSync(ofMetrics, statement.replaceAll(/^select/gm, 'SELECT -- the same\n'))
    expect(await findings('metrics/tasks')).to.equal(
      `${ofMetrics}:1: warning: found the definition's own statement, expected another way to the same figures [oracle-copy]\n`,
    )
  })

  it('that cannot be executed has its finding', async () => {
    replaceIn(ofMetrics, 'days.due_on is not null', 'days.due_one is not null')
    expect(await findings('metrics/tasks')).to.match(
      /oracle.sql:\d+: error: column days.due_one does not exist.* \[oracle\]\n$/,
    )
    replaceIn(ofMetrics, 'from tasks', 'from public.tasks')
    expect(await findings('metrics/tasks')).to.match(/oracle.sql:\d+: error: .* \[load\]\n$/)
  })
})
