/** Oracle of the report `profit_by_project`. */
import { count, divide, percent, sum, sums } from '../../arithmetic.ts'
import { idText, nameIn } from '../../grouped.ts'
import { maybe, type OrganizationRows, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { profitFactsWithin, type ProfitFact } from '../../profit-facts.ts'

/** The project of the operation; for the cost of goods, that of the sale or return. */
function projectIn(rows: OrganizationRows): (fact: ProfitFact) => string | null {
  const saleOf = nameIn(rows.sale_lines, 'sale_id')
  const projectOf = nameIn(rows.sales, 'project_id')
  return ({ operation, movement }) =>
    operation === null
      ? projectOf(saleOf(maybe(movement!, 'sale_line_id')))
      : maybe(operation.row, 'project_id')
}

interface Income {
  readonly id: string | null
  readonly income: bigint
}

/** Each project's part of the shared expenses, in proportion to income, rounded by running totals. */
function allotments(lines: readonly Income[], shared: bigint): Map<string | null, bigint> {
  const base = (line: Income) => (line.income > 0n ? line.income : 0n)
  const whole = sum(lines.map(base))
  if (whole === 0n) return new Map([[null, shared]])
  const ordered = sorted(lines, '-income', '#id')
  const allottedTo = (size: number) => divide(shared * sum(ordered.slice(0, size).map(base)), whole)
  return new Map(ordered.map((line, at) => [line.id, allottedTo(at + 1) - allottedTo(at)]))
}

export const oracle: ReportOracle = (rows, question) => {
  const projectOf = projectIn(rows)
  const facts = profitFactsWithin(rows, question)
  const amounts = (list: readonly ProfitFact[]) => sum(list.map(fact => fact.amount))
  const isIncome = (fact: ProfitFact) => fact.kind === 'income'
  // Stock losses, and expenses without a project, are shared.
  const isShared = (fact: ProfitFact) =>
    !isIncome(fact) &&
    (fact.operation === null ? fact.kind === 'operating' : projectOf(fact) === null)
  const own = facts.filter(fact => !isShared(fact))
  const incomes = [...new Set([...own.map(projectOf), null])].map(id => ({
    id,
    income: amounts(own.filter(fact => isIncome(fact) && projectOf(fact) === id)),
  }))
  const allotted = allotments(incomes, amounts(facts.filter(isShared)))
  const nameOf = nameIn(rows.projects, 'name', 'Без проекта')
  const lines = incomes
    .map(({ id, income }) => {
      const direct = amounts(own.filter(fact => !isIncome(fact) && projectOf(fact) === id))
      const shared = allotted.get(id) ?? 0n
      const profit = income - direct - shared
      return {
        id,
        project: nameOf(id),
        project_id: idText(id),
        operations_project_id: id,
        income,
        direct_expenses: direct,
        shared_expenses: shared,
        profit,
        margin: percent(profit, income),
      }
    })
    .filter(
      line => line.income !== 0n || line.direct_expenses !== 0n || line.shared_expenses !== 0n,
    )
  const totals = sums(lines, ['income', 'direct_expenses', 'shared_expenses', 'profit'])
  // «Без проекта» is not a project.
  const projects = lines.filter(({ id }) => id !== null)
  const [best] = sorted(projects, '-profit', 'project', '#id')
  return {
    rows: sorted(lines, '-income', 'project', '#id'),
    totals: { ...totals, margin: percent(totals.profit, totals.income) },
    facts: {
      losing: count(projects.filter(({ profit }) => profit < 0n)),
      best: best?.project ?? null,
      best_profit: best?.profit ?? null,
    },
  }
}
