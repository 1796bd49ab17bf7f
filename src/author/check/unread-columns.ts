/** Columns of the catalog that a statement should not ignore: marks of deleted rows, and currencies. */
import { callsIn } from '../sql/expressions.ts'
import { everySelect, expressionsOf } from './statement.ts'
import { OF_EXECUTION } from './evidence.ts'
import { findingsOfKind, type KindFinding } from './kinds.ts'
import type { Subject } from './subject.ts'

const DELETED = /^(?:(?:deleted|voided|discarded|removed)_(?:at|on)|(?:is_)?(?:deleted|voided))$/
const CURRENCY = /^currency(?:_code|_id)?$/

export function checkUnreadColumns({
  draft: { statement, query },
  product,
}: Pick<Subject, 'draft' | 'product'>): KindFinding[] {
  const text = statement.sql.tokens
    .filter(({ kind }) => kind !== 'comment')
    .map(({ start, end }) => statement.sql.text.slice(start, end))
  const isRead = new Set(text.map(word => word.toLowerCase()))
  const findings = everySelect(query).flatMap(select => {
    const isSummed = callsIn(expressionsOf(select), ['sum', 'avg']).length > 0
    return select.relations.flatMap(relation => {
      const columns = product.findTable(relation)?.columns.map(({ name }) => name) ?? []
      const unread = (names: RegExp) =>
        columns.filter(name => names.test(name) && !isRead.has(name)).slice(0, 1)
      const line = statement.line(relation.offset)
      return [
        ...unread(DELETED).flatMap(name => {
          const message = `${relation.name} has the column ${name}, which nothing reads, expected a condition on it`
          return findingsOfKind(OF_EXECUTION.deletedRows, [{ line, message }])
        }),
        ...(isSummed ? unread(CURRENCY) : []).flatMap(name => {
          const message = `${relation.name} has the column ${name}, which nothing reads, expected amounts of one currency`
          return findingsOfKind(OF_EXECUTION.currencies, [{ line, message }])
        }),
      ]
    })
  })
  return [...new Map(findings.map(one => [`${one.id} ${one.message}`, one])).values()]
}
