// Loaders trust fingerprints: a change of rows or totals without a change of the fingerprint would be lost.
import { expect } from 'chai'
import { parseReport } from '../../src/definitions/report.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { generatedDatabase, type GeneratedDatabase } from './generated/database.ts'
import { mutate, tablesOf } from './mutations.ts'
import type { Mutations } from './mutations.ts'
import { ourCatalog } from './subject.ts'

/** Generated organizations, such as one with many rows. */
const SEEDS = (process.env['MUTATED_SEEDS'] ?? '130').split(',').map(Number)

const own = [...ourCatalog().reports.values()].filter(
  ({ fingerprint }) => fingerprint !== undefined,
)

/** The report with another fingerprint. */
async function planted(
  code: string,
  found: string | RegExp,
  replacement: string,
): Promise<ReportDefinition> {
  const { file, version, source } = ourCatalog().reports.get(code)!
  const [matter = '', sql = ''] = source.text.split('---*/')
  const text = `${matter.replace(found, replacement)}---*/${sql}`
  expect(text, 'planted').to.not.equal(source.text)
  const { findings, value } = await parseReport({ file, code, version, text }, parseSql)
  expect(findings).to.deep.equal([])
  return value!
}

/** Fingerprints that miss a column, a table, an edge of the period or the history. */
const PLANTED = [
  ['operations', 'sum(names.hash)', '0', 'counterparties.name'],
  ['operations', /union all\n {2}select null, projects[^]*?organization_id\n/, '', 'projects.name'],
  ['operations', ':period_end\n', ':period_end - 1\n', 'operations.'],
  ['deals', 'row(deals.xmin, deals.ctid, deals', 'row(deals.id, deals', 'deals.title'],
  ['profit_loss', 'coalesce(operations.category_id, 0)', '0', 'operations.category_id'],
  ['profit_loss', /stock_movements\.cost_kopecks/g, '1', 'stock_movements.cost_kopecks'],
  ['cash_flow_by_month', 'true as is_history', 'false as is_history', 'operations.'],
  [
    'cash_flow_by_month',
    'sum(accounts.opening',
    'count(accounts.opening',
    'accounts.opening_balance_kopecks',
  ],
  ['product_sales', ', products.sku', '', 'products.sku'],
  ['product_sales', /stock_movements\.cost_kopecks/g, '0', 'stock_movements.cost_kopecks'],
  ['product_sales', '+ sum(sale_lines.amount_kopecks)', '', 'sale_lines.amount_kopecks'],
  ['cash_flow_by_month', ' + sum(operations.amount_kopecks)', '', 'operations.amount_kopecks'],
] as const

/** @param codes the reports with planted faults; default: all */
export function missNothing(codes: readonly string[] = own.map(({ code }) => code)): void {
  describe('the fingerprint of', function () {
    this.timeout(600_000)
    let database: GeneratedDatabase

    before(async () => {
      database = await generatedDatabase('svodka_fingerprints')
    })

    after(() => database?.end())

    async function mutations(report: ReportDefinition, onlyTable?: string): Promise<Mutations> {
      const missed: string[] = []
      const effective = new Set<string>()
      for (const seed of SEEDS) {
        await database.withOrganization(seed, async (client, asked) => {
          const found = await mutate(client, report, asked, onlyTable)
          missed.push(...found.missed.map(one => `seed ${seed}: ${one}`))
          for (const one of found.effective) effective.add(one)
        })
      }
      return { missed, effective }
    }

    for (const report of own.filter(({ code }) => codes.includes(code))) {
      it(`${report.code} changes with its rows`, async () => {
        const { missed, effective } = await mutations(report)
        expect(missed).to.deep.equal([])
        const tables = new Set([...effective].map(what => what.split(/[.:]/)[0]))
        expect([...tables], 'tables whose changes changed rows').to.have.members(
          await tablesOf(report),
        )
      })
    }

    for (const [code, found, replacement, missing] of PLANTED.filter(([code]) =>
      codes.includes(code),
    )) {
      it(`${code} misses ${missing} without ${String(found).slice(0, 60)}`, async () => {
        const [table] = missing.split('.')
        const { missed } = await mutations(await planted(code, found, replacement), table)
        expect(missed.join('\n')).to.include(`: ${missing}`)
      })
    }
  })
}
