// What must hold between the numbers of ours, whatever the data: the identities of the catalogue.
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Catalog } from '../../src/definitions/definition.ts'
import type { IsoDate } from '../../src/terms.ts'
import { sum } from './oracles/arithmetic.ts'
import { addDays, localDate, microseconds, within } from './oracles/calendar.ts'
import { postedOperations } from './oracles/operations-facts.ts'
import { field } from './oracles/oracle.ts'
import type { OrganizationRows, Question } from './oracles/oracle.ts'
import { rawRows, runMetrics, runReport } from './run.ts'
import type { FieldRow, ReportAnswer } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

/** A field as an integer number of thousandths, so that quantities and kopecks add up alike. */
function exact(row: FieldRow, name: string): bigint {
  const text = row[name]
  if (text === null || text === undefined) throw new Error(`${name} is ${String(text)}`)
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(3, '0'))
}

function over(question: Question, start: IsoDate, end: IsoDate): Question {
  return { ...question, period: { start, end } }
}

/** A period that ends where this one begins. */
function previous(question: Question): Question {
  const { start } = question.period
  return over(question, addDays(start, -60), start)
}

describe('identities between reports and metrics', function () {
  this.timeout(120_000)
  let catalog: Catalog
  let client: Client

  before(async () => {
    catalog = ourCatalog()
    client = await connectAsReports()
  })

  after(() => client.end())

  for (const organization of DEMO_ORGANIZATIONS) {
    const asked = questions(Date.now, organization.timeZone)

    const report = async (code: string, question: Question): Promise<ReportAnswer> => {
      const definition = catalog.reports.get(code)
      if (definition === undefined) throw new Error(`no report ${code}`)
      return runReport(client, definition, organization.id, question)
    }
    const metrics = async (area: string, question: Question): Promise<FieldRow> => {
      const definition = catalog.metricsFiles.get(area)
      if (definition === undefined) throw new Error(`no metrics of ${area}`)
      return runMetrics(client, definition, organization.id, question)
    }
    describe(`for ${organization.name}`, () => {
      for (const { name, question } of asked) {
        it(`profit is income less expenses over ${name}, in the report and in the metrics`, async () => {
          const { totals } = await report('profit_loss', question)
          const figures = await metrics('finance', question)
          const of = (key: string) => exact(totals, key)
          expect(of('profit')).to.equal(
            of('income') - of('cost_of_goods') - of('operating_expenses'),
          )
          expect(of('gross_profit')).to.equal(of('income') - of('cost_of_goods'))
          expect(exact(figures, 'income')).to.equal(of('income'))
          expect(exact(figures, 'expenses')).to.equal(
            of('cost_of_goods') + of('operating_expenses'),
          )
          expect(exact(figures, 'profit')).to.equal(of('profit'))
          expect(figures['profitability']).to.equal(totals['margin'])
        })

        it(`the money of ${name} opens, moves and closes`, async () => {
          const { rows, totals } = await report('cash_flow', question)
          for (const row of [...rows, totals]) {
            expect(exact(row, 'closing')).to.equal(
              exact(row, 'opening') +
                exact(row, 'received') -
                exact(row, 'paid') +
                exact(row, 'transferred_in') -
                exact(row, 'transferred_out'),
            )
          }
          expect(totals['transferred_in']).to.equal(totals['transferred_out'])
          const figures = await metrics('finance', question)
          expect(figures['account_balance']).to.equal(totals['closing'])
          const before = await report('cash_flow', previous(question))
          expect(before.totals['closing']).to.equal(totals['opening'])
        })

        it(`the stock of ${name} opens, moves and closes`, async () => {
          const { rows, totals } = await report('stock_balance', question)
          const value = (row: FieldRow) =>
            exact(row, 'opening_value') + exact(row, 'in_value') - exact(row, 'out_value')
          for (const row of rows) {
            expect(exact(row, 'opening') + exact(row, 'in') - exact(row, 'out')).to.equal(
              exact(row, 'closing'),
            )
            expect(value(row)).to.equal(exact(row, 'value'))
          }
          expect(value(totals)).to.equal(exact(totals, 'value'))
          const figures = await metrics('warehouse', question)
          expect(figures['stock_value']).to.equal(totals['value'])
          const before = await report('stock_balance', previous(question))
          expect(before.totals['value']).to.equal(totals['opening_value'])
        })

        it(`the deals of ${name} come, leave and stay`, async () => {
          const { rows, totals } = await report('sales_funnel', question)
          const open = rows.filter(row => row['kind'] === 'Рабочий')
          for (const row of open) {
            expect(exact(row, 'at_start') + exact(row, 'entered') - exact(row, 'left')).to.equal(
              exact(row, 'at_end'),
            )
          }
          const figures = await metrics('deals', question)
          expect(figures['deals_open']).to.equal(totals['at_end'])
          expect(figures['deals_open_amount']).to.equal(totals['amount'])
          expect(figures['deals_won']).to.equal(totals['won'])
          expect(figures['deal_conversion']).to.equal(totals['conversion'])
          const before = await report('sales_funnel', previous(question))
          expect(before.totals['at_end']).to.equal(totals['at_start'])
        })

        it(`the tasks of ${name} come, end and stay`, async () => {
          const { rows, totals } = await report('tasks_by_assignee', question)
          for (const row of [...rows, totals]) {
            expect(
              exact(row, 'at_start') +
                exact(row, 'created') -
                exact(row, 'done') -
                exact(row, 'cancelled'),
            ).to.equal(exact(row, 'open'))
          }
          const figures = await metrics('tasks', question)
          expect(figures['tasks_open']).to.equal(totals['open'])
          expect(figures['tasks_overdue']).to.equal(totals['overdue'])
          expect(figures['tasks_on_time']).to.equal(totals['on_time'])
          const before = await report('tasks_by_assignee', previous(question))
          expect(before.totals['open']).to.equal(totals['at_start'])
        })

        it(`the requests of ${name} come, close and stay`, async () => {
          const { rows, totals } = await report('requests_by_channel', question)
          for (const row of [...rows, totals]) {
            expect(exact(row, 'at_start') + exact(row, 'received') - exact(row, 'closed')).to.equal(
              exact(row, 'open'),
            )
          }
          for (const key of [
            'at_start',
            'received',
            'closed',
            'open',
            'answered',
            'due',
            'in_time',
          ]) {
            expect(sum(rows.map(row => exact(row, key))), key).to.equal(exact(totals, key))
          }
          const figures = await metrics('requests', question)
          expect(figures['requests_open']).to.equal(totals['open'])
          expect(figures['requests_received']).to.equal(totals['received'])
          expect(figures['requests_first_answer_hours']).to.equal(totals['first_answer_median'])
          expect(figures['requests_within_promise']).to.equal(totals['within_promise'])
          const before = await report('requests_by_channel', previous(question))
          expect(before.totals['open']).to.equal(totals['at_start'])
        })
      }

      it('profit and loss of a year is the sum of any cut of it', async () => {
        const [thisYear] = asked
        if (thisYear === undefined) throw new Error('nothing is asked')
        const { start, end } = thisYear.question.period
        const cut = `${start.slice(0, 4)}-05-17`
        const parts = [
          await report('profit_loss', over(thisYear.question, start, cut)),
          await report('profit_loss', over(thisYear.question, cut, end)),
        ]
        const { totals } = await report('profit_loss', thisYear.question)
        for (const key of ['income', 'cost_of_goods', 'operating_expenses', 'profit']) {
          expect(sum(parts.map(part => exact(part.totals, key))), key).to.equal(exact(totals, key))
        }
      })

      describe('against the raw rows of closed periods', () => {
        let rows: OrganizationRows
        const closed = asked.filter(({ question }) => question.period.end <= question.today)

        before(async () => {
          rows = await rawRows(client, organization.id)
        })

        it('what is accrued and not paid changes debts and advances', async () => {
          for (const { name, question } of closed) {
            const { period } = question
            const now = await metrics('finance', question)
            const before = await metrics('finance', previous(question))
            for (const [kind, debt] of [
              ['income', 'receivables'],
              ['expense', 'payables'],
            ] as const) {
              const posted = postedOperations(rows).filter(operation => operation.kind === kind)
              const total = (list: typeof posted) => sum(list.map(operation => operation.amount))
              const advances = (day: IsoDate) =>
                total(posted.filter(o => o.paidOn !== null && o.paidOn <= day && o.accruedOn > day))
              const accrued = total(posted.filter(o => within(o.accruedOn, period)))
              const paid = total(posted.filter(o => o.paidOn !== null && within(o.paidOn, period)))
              const changeOfDebt = BigInt(now[debt] ?? '') - BigInt(before[debt] ?? '')
              const changeOfAdvances =
                advances(addDays(period.end, -1)) - advances(addDays(period.start, -1))
              expect(accrued - paid, `${debt} of ${name}`).to.equal(changeOfDebt - changeOfAdvances)
            }
          }
        })

        it('the value of stock changes by receipts, cost of goods and losses', async () => {
          for (const { name, question } of closed) {
            const { totals } = await report('stock_balance', question)
            const moved = rows.stock_movements.filter(movement =>
              within(
                localDate(microseconds(field(movement, 'moved_at')), question.timeZone),
                question.period,
              ),
            )
            const cost = (...kinds: string[]) =>
              sum(
                moved
                  .filter(movement => kinds.includes(field(movement, 'kind')))
                  .map(movement => BigInt(field(movement, 'cost_kopecks'))),
              )
            expect(cost('transfer_in', 'transfer_out'), `transfers of ${name}`).to.equal(0n)
            expect(
              BigInt(totals['value'] ?? '') - BigInt(totals['opening_value'] ?? ''),
              name,
            ).to.equal(
              cost('receipt', 'supplier_return') +
                cost('sale', 'customer_return') +
                cost('write_off', 'surplus'),
            )
          }
        })
      })
    })
  }
})
