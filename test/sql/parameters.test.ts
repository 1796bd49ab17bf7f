// A parameter selects rows of a table: the figures are those that the oracle has over these rows alone.
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Client } from 'pg'
import { explainStatement } from '../../src/author/plans/explain.ts'
import type { Bindings, Statement } from '../../src/definitions/definition.ts'
import { parseReport } from '../../src/definitions/report.ts'
import { parseTenancy } from '../../src/definitions/tenancy.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { comparisonsOf } from './comparison.ts'
import type { OrganizationRows, RawRow } from './oracles/oracle.ts'
import { rawRows } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

interface Selection {
  readonly table: keyof OrganizationRows
  /** A row is selected if one of them has the value. */
  readonly columns: readonly string[]
  /** Whether 0 selects rows without a value. */
  readonly hasNone?: true
}

const of = (table: Selection['table'], ...columns: readonly string[]): Selection => ({
  table,
  columns,
})

const orNone = (table: Selection['table'], column: string): Selection => ({
  table,
  columns: [column],
  hasNone: true,
})

const SELECTIONS: Readonly<Record<string, Readonly<Record<string, Selection>>>> = {
  operations: {
    account: of('operations', 'account_id', 'to_account_id'),
    category: orNone('operations', 'category_id'),
    counterparty: orNone('operations', 'counterparty_id'),
    kind: of('operations', 'kind'),
    project: orNone('operations', 'project_id'),
  },
  debts: { counterparty: orNone('operations', 'counterparty_id') },
  stock_balance: { warehouse: of('stock_movements', 'warehouse_id') },
  stock_turnover: { warehouse: of('stock_movements', 'warehouse_id') },
  deals: { manager: orNone('deals', 'manager_id'), stage: of('deals', 'stage_id') },
  tasks_by_assignee: { assignee: orNone('tasks', 'assignee_id') },
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
        for (const [parameter, { table, columns, hasNone }] of Object.entries(parameters)) {
          const values = valuesOf(rows[table], columns)
          expect(values, parameter).to.not.have.length(0)
          for (const value of [...values, parameter === 'kind' ? 'none' : '0']) {
            const isSelected = (row: RawRow) =>
              columns.some(column => (row[column] ?? (hasNone && '0')) === value)
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

  it('read at most 1.05 of what statements for their values read', async () => {
    const { id, timeZone } = DEMO_ORGANIZATIONS[3]
    const rows = await rawRows(client, id)
    const { question } = questions(Date.now, timeZone)[0]!
    const tenancy = parseTenancy(
      readFileSync('sql/tenancy.yaml', 'utf8'),
      'sql/tenancy.yaml',
    ).tenancy!
    const above: string[] = []
    for (const [code, parameters] of Object.entries(SELECTIONS)) {
      const { file, source, statement } = reports.get(code)!
      for (const [parameter, { table, columns }] of Object.entries(parameters)) {
        const text = source.text.replaceAll(
          /\(:(\w+)::\w+ is null or (.*)\)$/gm,
          (whole, name: string, condition: string) =>
            name === parameter ? `(${condition})` : whole,
        )
        const byHand = await parseReport({ file, code, text, version: '' }, parseSql, tenancy)
        for (const value of valuesOf(rows[table], columns)) {
          const asked = {
            organizationId: id,
            ...question,
            parameters: new Map([[parameter, value]]),
          }
          const ours = await buffersOf(statement, asked)
          const theirs = await buffersOf(byHand.value!.statement, asked)
          if (ours > 1.05 * theirs)
            above.push(`${code}.${parameter}=${value}: ${ours} of ${theirs}`)
        }
      }
    }
    expect(above).to.deep.equal([])
  })

  async function buffersOf(statement: Statement, asked: Bindings): Promise<number> {
    const explain = () =>
      explainStatement(client, statement.text('uuid'), statement.values(asked), { timing: false })
    await explain()
    return (await explain()).buffers
  }
})
