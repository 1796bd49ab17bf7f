/**
 * Whether a definition holds organizations apart, as its plan shows: every scan of a table that has the organization's
 * column carries the organization's condition. What the planner made of a statement cannot be talked out of.
 */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Finding } from '../../definitions/findings.ts'
import { lex } from '../../definitions/lexer.ts'
import { columnsIn } from '../plans/expressions.ts'
import { linesOf } from '../plans/lines.ts'
import { below, type Plan, type PlanNode } from '../plans/plan.ts'
import { carriesOrganization } from './conditions.ts'
import { tableKey } from './product-tables.ts'
import type { Product } from './product.ts'
import type { Prepared } from './subject.ts'
import { flat } from './text/nodes.ts'
import type { Written, WrittenTable } from './written.ts'

/** @param ids those whose rows may be read */
export function checkHeldApart(
  { definition, written, product }: Pick<Prepared, 'definition' | 'written' | 'product'>,
  plan: Plan,
  ids: readonly string[],
): Finding[] {
  const lines = linesOf(plan, definition.source.text)
  const columns = new Map(
    product.tables.map(({ schema, name, organizationColumn }) => [
      tableKey(schema, name),
      organizationColumn,
    ]),
  )
  const totalsScans = scansOfTotals(definition, plan)
  return plan.nodes.flatMap(node => {
    const { table = '', schema, alias = table, conditions } = node
    const column = columns.get(tableKey(schema, table))
    if (column === undefined || !node.type.endsWith('Scan') || node.table === undefined) return []
    const ofTotals = totalsScans.has(node)
    const isHeld = conditions.some(text =>
      ids.some(organizationId => carriesOrganization(text, { alias, column, organizationId })),
    )
    if (isHeld) return []
    const from = ofTotals ? undefined : tableOf(written, node, column, product)
    const { name = table, alias: called = name } = from ?? {}
    const what = called === name ? name : `${name} as ${called}`
    const found = conditions.length === 0 ? 'none at all' : asRead(conditions, alias)
    return [
      {
        line: ofTotals
          ? lineOfTotal(definition, table)
          : (lines.ofNode(node) ?? from?.line ?? written.firstLine),
        message: `${ofTotals ? 'in a total ' : ''}${what} is read without its organization's condition (found ${found}), expected ${called}.${column} = :organization_id`,
      },
    ]
  })
}

/** What the gateway's totals read beside the rows of the statement itself. */
function scansOfTotals(definition: AnyDefinition, { nodes }: Plan): ReadonlySet<PlanNode> {
  if (!isReport(definition) || definition.source.bringsTotals) return new Set()
  const report = nodes.find(({ subplan }) => subplan === 'CTE report')
  const inside = new Set(report === undefined ? nodes : below(report))
  return new Set(nodes.filter(node => !inside.has(node)))
}

/** The first that names the table. */
function lineOfTotal({ source }: AnyDefinition, table: string): number {
  const { matter, lineOf } = source
  if (!('columns' in matter)) return source.firstLine
  const names = (total: string | undefined) =>
    total !== undefined && lex(total).some(({ text }) => text.toLowerCase() === table)
  const paths = (['columns', 'facts'] as const).flatMap(group =>
    Object.entries(matter[group] ?? {}).flatMap(([name, { total }]) =>
      names(total) ? [[group, name, 'total']] : [],
    ),
  )
  return lineOf(paths[0] ?? ['columns'])
}

/** Where the text reads what a node scans; where it does so more than once, the first place without a condition. */
function tableOf(
  { tables }: Written,
  { schema, table, alias = '' }: PlanNode,
  column: string,
  { readThrough }: Product,
): WrittenTable | undefined {
  const others = readThrough.get(tableKey(schema, table))
  const named = tables.filter(({ name }) => name === table || others?.has(name) === true)
  // why: EXPLAIN tells scans of one alias apart by a number
  const called = named.filter(one => one.alias === alias || alias.startsWith(`${one.alias}_`))
  const candidates = called.length > 0 ? called : named
  return candidates.find(one => !namesColumn(one, column)) ?? candidates[0]
}

function namesColumn({ alias = '', within }: WrittenTable, column: string): boolean {
  const tokens = flat(within)
  return tokens.some(
    (token, at) =>
      token.text.toLowerCase() === column &&
      tokens[at - 1]?.text === '.' &&
      tokens[at - 2]?.text.toLowerCase() === alias,
  )
}

function asRead(conditions: readonly string[], alias: string): string {
  const text = conditions.join(' and ')
  const short = columnsIn(text).some(({ alias: named }) => named === alias)
    ? text.replaceAll(`${alias}.`, '')
    : text
  return short.length > 80 ? `${short.slice(0, 77)}...` : short
}
