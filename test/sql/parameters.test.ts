// A parameter selects rows of a table: the figures are those that the oracle has over these rows alone.
import { expect } from 'chai'
import type { Client } from 'pg'
import { comparisonsOf } from './comparison.ts'
import type { OrganizationRows, RawRow } from './oracles/oracle.ts'
import { rawRows } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

interface Selection {
  readonly table: keyof OrganizationRows
  /** A row is selected if one of them has the value. */
  readonly columns: readonly string[]
}

const of = (table: Selection['table'], ...columns: readonly string[]): Selection => ({
  table,
  columns,
})

const SELECTIONS: Readonly<Record<string, Readonly<Record<string, Selection>>>> = {
  operations: {
    account: of('operations', 'account_id', 'to_account_id'),
    category: of('operations', 'category_id'),
    counterparty: of('operations', 'counterparty_id'),
    kind: of('operations', 'kind'),
    project: of('operations', 'project_id'),
  },
  debts: { counterparty: of('operations', 'counterparty_id') },
  stock_balance: { warehouse: of('stock_movements', 'warehouse_id') },
  deals: { manager: of('deals', 'manager_id'), stage: of('deals', 'stage_id') },
  tasks_by_assignee: { assignee: of('tasks', 'assignee_id') },
}

const PERIODS = new Set(['this year', 'a month', 'all years'])
const [MEDIAN, ELSEWHERE] = DEMO_ORGANIZATIONS

/** Three values that rows have, and one that none has. */
function valuesOf(rows: readonly RawRow[], columns: readonly string[]): string[] {
  const all = new Set(rows.flatMap(row => columns.flatMap(column => row[column] ?? [])))
  const sorted = [...all].toSorted()
  const some = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return [...new Set(some.flatMap(value => value ?? []))]
}

describe('parameters of our reports', function () {
  this.timeout(120_000)
  const { reports } = ourCatalog()
  let client: Client

  before(async () => {
    client = await connectAsReports()
  })
  after(() => client?.end())

  it('are all covered', () => {
    const declared = [...reports.values()].flatMap(({ code, parameters }) =>
      parameters.map(({ name }) => `${code}.${name}`),
    )
    const covered = Object.entries(SELECTIONS).flatMap(([code, own]) =>
      Object.keys(own).map(name => `${code}.${name}`),
    )
    expect(covered.toSorted()).to.deep.equal(declared.toSorted())
  })

  for (const { name: organization, id, timeZone } of [MEDIAN, ELSEWHERE])
    for (const [code, parameters] of Object.entries(SELECTIONS))
      it(`select rows of ${code} for ${organization}`, async () => {
        const comparison = (await comparisonsOf(ourCatalog())).find(one => one.name === code)!
        const rows = await rawRows(client, id)
        for (const [parameter, { table, columns }] of Object.entries(parameters)) {
          const values = valuesOf(rows[table], columns)
          expect(values, parameter).to.not.have.length(0)
          for (const value of [...values, parameter === 'kind' ? 'none' : '0']) {
            const isSelected = (row: RawRow) => columns.some(column => row[column] === value)
            const selected = { ...rows, [table]: rows[table].filter(isSelected) }
            for (const { name: period, question } of questions(Date.now, timeZone)) {
              if (!PERIODS.has(period)) continue
              const asked = { ...question, parameters: new Map([[parameter, value]]) }
              await comparison.compare(client, {
                organizationId: id,
                question: asked,
                rows: selected,
              })
            }
          }
        }
      })
})
