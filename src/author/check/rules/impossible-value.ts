import { suggest } from '../../../model/spelling.ts'
import type { CatalogColumn, CatalogTable } from '../../sql/catalog-tables.ts'
import { equalitiesIn, stringOf, withoutCasts } from '../../sql/expressions.ts'
import { tableColumn } from '../column-types.ts'
import { onEach, type Rule } from './rule.ts'

export const impossibleValue: Rule = {
  needsCatalog: true,
  sentence: 'A column is compared with a value that its check constraint excludes.',
  bad: "and sales.status = 'payed'",
  good: "and sales.status = 'paid'",
  find: onEach(
    ({ expressions }) => equalitiesIn(expressions),
    ({ node, left }, { select, draft }) => {
      const value = stringOf(withoutCasts(node))
      const found = value === undefined ? undefined : tableColumn(left, select, draft.findTable)
      const allowed = found && valuesOf(found.table, found.column)
      if (value === undefined || allowed === undefined || allowed.includes(value)) return undefined
      return `${found!.table.name}.${found!.column.name} is never '${value}', ${suggest(value, allowed)}`
    },
  ),
}

/** The texts in a check such as `status = any (array['paid', 'void'])`; undefined without one. */
function valuesOf({ checks }: CatalogTable, { name, type, checks: ofDomain }: CatalogColumn) {
  const own = checks.filter(({ columns }) => columns.join() === name)
  const found = [...own, ...ofDomain].find(({ condition, isValidated }) => {
    const others = condition.replaceAll(/'(?:[^']|'')*'/g, '')
    // why: other operators and functions allow other values
    return (
      isValidated &&
      others !== condition &&
      /^[\w\s()":,.[\]=]*$/.test(others) &&
      !/\w\(/.test(others)
    )
  })
  // why: citext compares `A` as equal to `a`
  if (found === undefined || type === 'citext') return undefined
  return Array.from(found.condition.matchAll(/'((?:[^']|'')*)'/g), ([, text = '']) =>
    text.replaceAll("''", "'"),
  )
}
