/** Whether a query or a relation has at most one row, as far as the text shows. */
import type { Node } from 'libpg-query'
import { columnOf, placeholdersIn } from './expressions.ts'
import { conditionsOf, equalitiesIn, isOneRowSelect, scopeOf, type IsKey } from './fixed-columns.ts'
import { outerRelations } from './query.ts'
import type { Query, Relation, Select } from './relations.ts'

/** Names of tables with one row per organization. */
const OF_ORGANIZATION = /(?:^|_)(?:settings?|config|configuration|preferences|options|profiles?)$/

/** @param guesses whether names and conditions that suggest a lookup of one row are enough */
export function isOneRow(query: Query, guesses = true): boolean {
  const [select, ...others] = query.selects
  if (select === undefined || others.length > 0) return false
  const scope = scopeOf(select, guesses ? isLookup : hasOwnKey)
  return isOneRowSelect(scope, [], new Map(outerRelations(query).map(one => [one, 'row'])))
}

const hasOwnKey: IsKey = (table, names) => names.some(name => isOwnKey(name, [table]))

const isLookup: IsKey = (table, names, select) => {
  const equalities = conditionsOf(select)
    .flatMap(equalitiesIn)
    .flatMap(([left, by]) => {
      const { name = '', qualifier = table.alias } = columnOf(left) ?? {}
      const isOwn = qualifier === table.alias && names.includes(name)
      return isOwn ? { name, placeholders: placeholdersIn(by) } : []
    })
  const isOrganization = (name: string) =>
    equalities.some(one => one.name === name && one.placeholders.includes('organization_id'))
  const others = names.filter(name => !isOrganization(name))
  const isByPlaceholder = equalities.some(
    ({ name, placeholders }) => others.includes(name) && placeholders.length > 0,
  )
  return (
    hasOwnKey(table, names, select) ||
    others.length > 1 ||
    isByPlaceholder ||
    OF_ORGANIZATION.test(table.name ?? '')
  )
}

/** By name: `id`, or `stage_id` of `stages`. */
function isOwnKey(column: string | undefined, relations: readonly Relation[]): boolean {
  const stem = column?.endsWith('_id') === true ? column.slice(0, -3).replace(/y$/, '') : undefined
  return (
    column === 'id' ||
    (stem !== undefined && relations.some(({ name }) => name?.startsWith(stem) === true))
  )
}

export function isKeyOf(expression: Node, select: Select): boolean {
  return isOwnKey(columnOf(expression)?.name, select.relations)
}
