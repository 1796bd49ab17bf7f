/** Aggregates over rows that a join duplicated, found by the parse tree and the row counts of an execution. */
import type { ParsedSql } from '../../definitions/sql/parsed-sql.ts'
import { offsetOf } from '../../definitions/sql/syntax-tree.ts'
import type { DuplicatedRows } from '../sql/duplicated-rows.ts'
import { everySelect } from '../sql/query.ts'
import type { Relation } from '../sql/relations.ts'
import { sqlTextOf } from '../sql/sql-text.ts'
import { count } from './figures.ts'
import { describedSide, nodeName } from './node-name.ts'
import { below, inputs, isJoin } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import type { ScannedRelations } from './scanned-relations.ts'
import { sidesOf } from './sides.ts'
import type { Suspect } from './suspect.ts'

/** One per call whose rows the execution duplicated. */
export function duplicatedSums(
  plan: Plan,
  sql: ParsedSql,
  duplicated: readonly DuplicatedRows[],
  scanned: ScannedRelations,
): Suspect[] {
  const joins = plan.nodes.filter(isJoin)
  const reads = (node: PlanNode, relation: Relation) =>
    below(node, inputs).some(one => isWithin(relation, scanned.get(one)))
  return duplicated.flatMap(({ call, rows, by }) => {
    const [found] = joins.flatMap(join => {
      const sides = sidesOf(join) ?? []
      const side = sides.find(({ root }) => reads(root, rows) && !reads(root, by))
      const other = sides.find(one => one !== side && reads(one.root, by))
      const { ownRows = Infinity, nullable } = side ?? {}
      // why: rows without a match on this side may be as many as the other side has
      const unmatchedRows = nullable === true ? (other?.ownRows ?? other?.root.rows ?? 0) : 0
      // why: averages over loops are rounded
      const slack = join.loops > 1 ? join.rows / 100 : 0
      const isDuplicated = ownRows > 0 && join.rows - unmatchedRows - slack > ownRows
      return other && isDuplicated
        ? [{ join, ownRows, joinedRows: join.rows - unmatchedRows, other }]
        : []
    })
    if (found === undefined) return []
    const { join, ownRows, joinedRows, other } = found
    const text = { FuncCall: call.node }
    const message = `${sqlTextOf(sql, text)} ${VERB[call.name] ?? 'takes'} rows that a join has duplicated: ${nodeName(join)} makes ${count(joinedRows)} rows of ${count(ownRows)}, by ${describedSide(other.root)}; aggregate that before the join, or expect each row several times`
    const node = plan.nodes.findLast(
      one => AGGREGATING.has(one.type) && below(one, inputs).includes(join),
    )
    return [
      { kind: 'multiplied-sum', node: node ?? join, message, share: 1, offset: offsetOf(text) },
    ]
  })
}

const VERB: Readonly<Record<string, string>> = { sum: 'adds up', avg: 'averages', count: 'counts' }
const AGGREGATING: ReadonlySet<string> = new Set(['Aggregate', 'WindowAgg'])

/** Whether `one` is the relation, or is read within its CTE or subquery. */
function isWithin(relation: Relation, one: Relation | undefined): boolean {
  const inner = relation.query === undefined ? [] : everySelect(relation.query)
  return one !== undefined && [relation, ...inner.flatMap(select => select.relations)].includes(one)
}
