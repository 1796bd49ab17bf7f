/** Oracle of the report `profit_by_project`. */
import { divide, percent, sum } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { idText, nameIn } from '../../grouped.ts'
import { byId, field, maybe, type OrganizationRows, type ReportOracle } from '../../oracle.ts'
import { byIdentity, descending, inOrder, ranked } from '../../order.ts'
import { profitFacts, type ProfitFact } from '../../profit-facts.ts'

/** The project of the operation; for the cost of goods, that of the sale or return. */
function projectIn(rows: OrganizationRows): (fact: ProfitFact) => string | null {
  const lines = byId(rows.sale_lines)
  const sales = byId(rows.sales)
  return ({ operation, movement }) => {
    if (operation !== null) return maybe(operation.row, 'project_id')
    const line = lines.get(maybe(movement ?? {}, 'sale_line_id') ?? '')
    const sale = line === undefined ? undefined : sales.get(field(line, 'sale_id'))
    return sale === undefined ? null : maybe(sale, 'project_id')
  }
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
  const ordered = lines.toSorted(
    inOrder(
      descending(line => line.income),
      byIdentity(line => line.id),
    ),
  )
  const allottedTo = (count: number) =>
    divide(shared * sum(ordered.slice(0, count).map(base)), whole)
  return new Map(ordered.map((line, at) => [line.id, allottedTo(at + 1) - allottedTo(at)]))
}

export const oracle: ReportOracle = (rows, { period, timeZone }) => {
  const projectOf = projectIn(rows)
  const facts = profitFacts(rows, timeZone).filter(fact => within(fact.date, period))
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
  const nameOf = nameIn(byId(rows.projects), 'name', 'Без проекта')
  const lines = incomes
    .map(({ id, income }) => {
      const direct = amounts(own.filter(fact => !isIncome(fact) && projectOf(fact) === id))
      return { id, name: nameOf(id), income, direct, shared: allotted.get(id) ?? 0n }
    })
    .filter(({ income, direct, shared }) => income !== 0n || direct !== 0n || shared !== 0n)
    .toSorted(
      ranked(
        line => line.income,
        line => line.name,
        line => line.id,
      ),
    )
  const figures = (list: typeof lines) => {
    const income = sum(list.map(line => line.income))
    const direct = sum(list.map(line => line.direct))
    const shared = sum(list.map(line => line.shared))
    const profit = income - direct - shared
    return {
      income,
      direct_expenses: direct,
      shared_expenses: shared,
      profit,
      margin: percent(profit, income),
    }
  }
  // «Без проекта» is not a project.
  const projects = lines
    .filter(({ id }) => id !== null)
    .map(line => ({ id: line.id, name: line.name, profit: figures([line]).profit }))
    .toSorted(
      ranked(
        project => project.profit,
        project => project.name,
        project => project.id,
      ),
    )
  return {
    rows: lines.map(line =>
      Object.assign({ project: line.name, project_id: idText(line.id) }, figures([line])),
    ),
    totals: figures(lines),
    facts: {
      losing: BigInt(projects.filter(({ profit }) => profit < 0n).length),
      best: projects[0]?.name ?? null,
      best_profit: projects[0]?.profit ?? null,
    },
  }
}
