/** Maps scans of a plan to relations of the statement, by planning the statement again with unique aliases. */
import { DatabaseError, type ClientBase } from 'pg'
import type { ParsedSql } from '../../definitions/sql/parsed-sql.ts'
import { nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { sourceOf } from '../sql/columns.ts'
import { everySelect, expressionsOf, type Query } from '../sql/query.ts'
import type { Relation } from '../sql/relations.ts'
import { edited } from '../sql/sql-text.ts'
import { explainStatement } from './explain.ts'
import type { Plan, PlanNode } from './plan.ts'

export type ScannedRelations = ReadonlyMap<PlanNode, Relation>

/**
 * Empty if PostgreSQL rejects the statement with other aliases, as with `row_to_json(deals)`. Aliases do not change the
 * plan.
 * @throws other errors of PostgreSQL or the transport
 */
export async function scannedRelations(
  client: ClientBase,
  { sql, query }: { readonly sql: ParsedSql; readonly query: Query },
  values: readonly string[],
  plan: Plan,
): Promise<ScannedRelations> {
  const relations = everySelect(query)
    .flatMap(select => select.relations)
    .filter(({ kind }) => kind === 'table' || kind === 'cte')
  const text = withAliases(sql, query, relations)
  const found = new Map<PlanNode, Relation>()
  const pair = (node: PlanNode, renamed: PlanNode | undefined) => {
    if (node.type !== renamed?.type) return
    const [, number] = ALIAS.exec(renamed.alias ?? '') ?? []
    const relation = relations[Number(number)]
    if (relation !== undefined) found.set(node, relation)
    for (const [at, child] of node.children.entries()) pair(child, renamed.children[at])
  }
  try {
    const renamed = await explainStatement(client, text, values, { analyze: false })
    pair(plan.root, renamed.root)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
  }
  return found
}

/** EXPLAIN appends a number to a repeated alias, such as that of a CTE that is planned twice. */
const ALIAS = /^svodka(\d+)(?:_\d+)?$/

function withAliases(sql: ParsedSql, query: Query, relations: readonly Relation[]): string {
  const { text, tokens } = sql
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  const tokenIndexes = new Map(code.map(({ start }, at) => [start, at]))
  const edits = relations.map(({ offset, schema, name, alias }, number) => {
    const at = (tokenIndexes.get(offset) ?? 0) + (schema === undefined ? 0 : 2)
    const isAs = text.slice(code[at + 1]?.start, code[at + 1]?.end).toLowerCase() === 'as'
    const last = isAs ? at + 2 : alias === name ? at : at + 1
    return { start: code[at]?.end ?? 0, end: code[last]?.end ?? 0, into: ` as svodka${number}` }
  })
  for (const select of everySelect(query)) {
    const columns = nodesOf(expressionsOf(select), 'ColumnRef', { subqueries: false })
    for (const { fields = [], location: start = 0 } of columns) {
      const qualifiers = fields.slice(0, -1)
      // why: `sales.*` names no column; the source depends only on the qualifier
      const anyOfIt = { ColumnRef: { fields: [...qualifiers, { String: { sval: '*' } }] } }
      const source = qualifiers.length === 0 ? undefined : sourceOf(anyOfIt, select)
      const number = relations.findIndex(one => one === source?.relation)
      const end = code[(tokenIndexes.get(start) ?? 0) + 2 * (qualifiers.length - 1)]?.end ?? 0
      if (number !== -1) edits.push({ start, end, into: `svodka${number}` })
    }
  }
  return edited(text, edits)
}
