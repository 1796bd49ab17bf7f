// The output of `svodka explain` on the standby with the demo's data.
import { join } from 'node:path'
import { expect } from 'chai'
import { DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { command, expectCommand, standbySettings } from './in-process.ts'
import { replaceIn, sqlFolder } from './sql-folder.ts'

const QUARTER = '--from 2026-01-01 --to 2026-03-31'

describe('svodka explain', () => {
  const SQL_DIR = sqlFolder(
    'reports/finance/debts',
    'metrics/finance',
    'bad/column-misspelt',
    'reports/finance/receivables',
  )
  let settings: Record<string, string>

  before(async () => {
    settings = await standbySettings(SQL_DIR)
    replaceIn(join(SQL_DIR, 'reports/finance/receivables.sql'), /^timeout: .*$/m, 'timeout: 1ms')
  })

  it("prints PostgreSQL's own plan, its cost, and what to look at first", async () => {
    const { stdout } = await command(`explain debts --org large ${QUARTER}`, settings)
    expect(stdout).to.match(
      /^debts for large, 2026-01-01 to 2026-03-31, on the replica at DATABASE_URL\n\n\S.* {2}\(cost=\S+ rows=.*actual time=[^]*\nExecution Time: \S+ ms\n\n[\d,]+ buffers for [\d,]+ rows of tables: \S+ per thousand, of 360 in the budget\nLook first at\n {2}time: \d+ % of/,
    )
    const [plan = '', looks = ''] = stdout.split('Execution Time')
    const named = [...looks.matchAll(/^ {2}(?:time|buffers): .* in (.*)$/gm)].map(
      ([, name]) => name,
    )
    expect(named).to.have.length(2)
    for (const name of named) expect(plan).to.contain(name)
  })

  it('prints figures and the plan as JSON', async () => {
    const line = `explain metrics/finance --org business ${QUARTER} --json`
    const { ms, baseRows, buffersPerThousandRows, looks, plan, ...rest } = JSON.parse(
      (await command(line, settings)).stdout,
    )
    expect(rest).to.deep.equal({
      code: 'metrics/finance',
      organization: DEMO_ORGANIZATIONS[0].id,
      period: { from: '2026-01-01', to: '2026-03-31' },
      buffers: plan[0].Plan['Shared Hit Blocks'],
      spilledBlocks: 0,
    })
    expect(looks[0]).to.match(/^time: \d+ % of/)
    for (const figure of [ms, baseRows, rest.buffers]) expect(figure).to.be.above(0)
    const perThousand = (rest.buffers * 1000) / Math.max(baseRows, 10_000)
    expect(buffersPerThousandRows).to.be.closeTo(perThousand, 0.051)
  })

  it('names the line that PostgreSQL rejects, and ends with 1', () =>
    expectCommand('explain column-misspelt --org large', settings, {
      code: 1,
      stderr: `${SQL_DIR}/reports/bad/column-misspelt.sql:19: column deals.amount_kopeck does not exist, expected what the database can plan. Perhaps you meant to reference the column "deals.amount_kopecks".\n`,
    }))

  it("applies the definition's timeout, and ends with 1", () =>
    expectCommand('explain receivables --org large', settings, {
      code: 1,
      stderr: /^\S+\/receivables.sql:\d+: timed out, expected a result within 1ms/,
    }))
})
