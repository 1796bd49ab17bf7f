/** Identities of debts and advances. */
import { expect } from 'chai'
import type { IsoDate } from '../../../src/terms.ts'
import { sum } from '../oracles/arithmetic.ts'
import { addDays, within } from '../oracles/calendar.ts'
import { postedOperations } from '../oracles/operations-facts.ts'
import type { OrganizationRows, Question } from '../oracles/oracle.ts'
import { exact, expectSame, previous, total } from './identity.ts'
import type { Identity } from './identity.ts'

const AGES = ['days_0_30', 'days_31_60', 'days_61_90', 'days_over_90']

function agesAddUp(report: string): Identity {
  return {
    name: `ages add up to the total in ${report}`,
    async check(ask, question) {
      const { rows, totals } = await ask.report(report, question)
      for (const row of [...rows, totals]) {
        expect(sum(AGES.map(age => exact(row, age)))).to.equal(exact(row, 'total'))
      }
    },
  }
}

function overdueIsPart(report: string, kind: string): Identity {
  return {
    name: `overdue is no more than the total in ${report}, without refunds`,
    holds: rows =>
      !postedOperations(rows).some(operation => operation.kind === kind && operation.amount < 0n),
    async check(ask, question) {
      const { rows, totals } = await ask.report(report, question)
      for (const row of [...rows, totals]) {
        expect(exact(row, 'overdue') <= exact(row, 'total')).to.equal(true)
      }
    },
  }
}

/** What was accrued and not paid in a closed period made debts, but for what advances made of it. */
function changes(kind: 'income' | 'expense', debt: string, rows: OrganizationRows, at: Question) {
  const { period } = at
  const posted = postedOperations(rows).filter(operation => operation.kind === kind)
  const amount = (list: typeof posted) => sum(list.map(operation => operation.amount))
  const advances = (day: IsoDate) =>
    amount(posted.filter(o => o.paidOn !== null && o.paidOn <= day && o.accruedOn > day))
  const accrued = amount(posted.filter(o => within(o.accruedOn, period)))
  const paid = amount(posted.filter(o => o.paidOn !== null && within(o.paidOn, period)))
  return {
    debt,
    change: accrued - paid,
    ofAdvances: advances(addDays(period.end, -1)) - advances(addDays(period.start, -1)),
  }
}

export const DEBTS: readonly Identity[] = [
  agesAddUp('receivables'),
  agesAddUp('payables'),
  overdueIsPart('receivables', 'income'),
  overdueIsPart('payables', 'expense'),
  {
    name: 'debts by counterparty are those of the metrics',
    async check(ask, question) {
      const figures = await ask.metrics('finance', question)
      for (const report of ['receivables', 'payables']) {
        const { totals } = await ask.report(report, question)
        expect(figures[report]).to.equal(totals['total'])
      }
    },
  },
  {
    name: 'debts by document are debts by counterparty',
    async check(ask, question) {
      const { rows, totals } = await ask.report('debts', question)
      for (const [report, by] of [
        ['receivables', { receivable: 'total', overdue_receivable: 'overdue' }],
        ['payables', { payable: 'total', overdue_payable: 'overdue' }],
      ] as const) {
        const debts = await ask.report(report, question)
        expectSame(report, debts.totals, { of: totals, by })
        for (const key of Object.keys(by)) expect(total(rows, key)).to.equal(exact(totals, key))
      }
      for (const row of rows) {
        const overdue = BigInt(row['overdue_days'] ?? '') > 0n
        for (const key of ['receivable', 'payable']) {
          expect(row[`overdue_${key}`]).to.equal(overdue ? row[key] : '0')
        }
      }
    },
  },
  {
    name: 'what is accrued and not paid changes debts and advances',
    holds: (_rows, { period, today }) => period.end <= today,
    async check(ask, question, rows) {
      const now = await ask.metrics('finance', question)
      const before = await ask.metrics('finance', previous(question))
      for (const { debt, change, ofAdvances } of [
        changes('income', 'receivables', rows, question),
        changes('expense', 'payables', rows, question),
      ]) {
        const ofDebts = BigInt(now[debt] ?? '') - BigInt(before[debt] ?? '')
        expect(change, debt).to.equal(ofDebts - ofAdvances)
      }
    },
  },
]
