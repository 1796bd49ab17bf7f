/** Rules on literals that belong to one organization, period or person rather than to a definition. */
import type { Node } from 'libpg-query'
import type { Finding } from '../../../definitions/findings.ts'
import { PLACEHOLDERS } from '../../../definitions/definition.ts'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { tableColumnsOf, type ColumnSource } from '../../sql/columns.ts'
import { callsIn, numberOf, stringOf, UUID, withoutCasts } from '../../sql/expressions.ts'
import { comparedIn } from '../compared-values.ts'
import { inEachPart, inEachSelect, type Draft, type DraftPart } from './draft.ts'
import { joinedTexts } from './joined-texts.ts'
import type { TextRule } from './text-rule.ts'

/** Dates, months and years that may be a period; 1900 and 9999 are bounds. */
const DATE = /^20(?:1[5-9]|[23]\d)-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[ T].*)?)?$/
const YEAR = /^'?20(?:1[5-9]|[23]\d)'?$/
const PERIOD = 'is one period, expected :period_start and :period_end, or :as_of'
// why: the bounds limit backtracking on long lines of addresses without `@`
const KEY =
  /\bsk_(?:live|test|demo|prod)_\w{4,}|\bpostgres(?:ql)?:\/\/[^\s:/]{1,100}:[^\s@]{1,1000}@/i

export const literals: TextRule = draft => [
  ...inEachPart(draft, part => [...constants(part), ...joinedStrings(part)]),
  ...organizations(draft),
  ...keys(draft),
]

function constants({ root, line }: DraftPart): Finding[] {
  const laws = new Set(lawDates(root))
  const bins = callsIn(root, ['date_bin']).flatMap(({ args }) => args[2] ?? [])
  const counted = new Set(nodesOf(bins, 'A_Const'))
  const years = new Set(yearsIn(root))
  return nodesOf(root, 'A_Const').flatMap(node => {
    const text = stringOf({ A_Const: node })
    const written = text === undefined ? (numberOf({ A_Const: node }) ?? '') : `'${text}'`
    const isYear = years.has(node) && YEAR.test(written)
    const isDate = text !== undefined && DATE.test(text) && !counted.has(node)
    const ofPeriod = (isYear || isDate) && !laws.has(node) ? `${written} ${PERIOD}` : undefined
    const problem = (text !== undefined && problemOf(text)) || ofPeriod
    return problem === undefined ? [] : [{ line: line(node), message: problem }]
  })
}

function problemOf(text: string): string | undefined {
  // why: in a longer text a placeholder's name may be intended
  const placeholder = PLACEHOLDERS.find(name => text.trim() === `:${name}`)
  if (placeholder !== undefined)
    return `:${placeholder} in quotes is a text, expected it without quotes`
  return UUID.test(text) ? ofOrganization(`'${text}'`) : undefined
}

function ofOrganization(written: string): string {
  return `${written} is one organization's, or a row of it, expected :organization_id or a join`
}

/** `sales.shop_id = 'moscow'` with `sales: shop_id` in `tenancy.yaml` */
function organizations(draft: Draft): Finding[] {
  const isId = ({ relation: { name = '' }, name: column }: ColumnSource) => {
    const tenancy = draft.tenancy.tables.get(name)?.tenancy
    return tenancy?.kind === 'tenant' && tenancy.column === column
  }
  return inEachSelect(draft, (expressions, select, part) =>
    comparedIn(expressions).flatMap(({ left, right, sign }) => {
      const value = withoutCasts(right)
      const isLiteral = stringOf(value) !== undefined || numberOf(value) !== undefined
      if (!isLiteral || !['=', '<>'].includes(sign)) return []
      if (!tableColumnsOf(left, select, { bare: withoutCasts }).some(isId)) return []
      return [{ line: part.line(value), message: ofOrganization(part.written(value)) }]
    }),
  )
}

/** Dates on which a law changes, as in `case when day >= '2026-01-01' then 22 else 20 end`, are not periods. */
function lawDates(root: Node): object[] {
  return nodesOf(root, 'CaseWhen').flatMap(({ expr }) =>
    nodesOf(expr, 'ColumnRef').length > 0 ? nodesOf(expr, 'A_Const') : [],
  )
}

/** `extract(year from day) = 2026`, `to_char(day, 'YYYY') in ('2025', '2026')`, `make_date(2026, 1, 1)` */
function yearsIn(root: Node): object[] {
  const compared = nodesOf(root, 'A_Expr').flatMap(({ lexpr, rexpr }) => [
    isYear(lexpr) && rexpr,
    isYear(rexpr) && lexpr,
  ])
  const made = callsIn(root, ['make_date']).map(({ args }) => args[0])
  return nodesOf([...compared, ...made], 'A_Const')
}

function isYear(node: Node | undefined): boolean {
  return callsIn(node, ['extract', 'date_part', 'to_char', 'date_trunc']).some(({ name, args }) => {
    const unit = stringOf(args[name === 'to_char' ? 1 : 0])
    return /year|yyyy/i.test(unit ?? '')
  })
}

/** Searches strings, comments and front matter. */
function keys({ text }: Draft): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const [key] = KEY.exec(content) ?? []
    if (key === undefined) return []
    const message = `"${key.slice(0, 8)}..." looks like a key, expected no secret in a definition`
    return [{ line: index + 1, message }]
  })
}

function joinedStrings(part: DraftPart): Finding[] {
  return joinedTexts(part).map(({ node, before, after, offset }) => {
    const message = `${before} and ${after} without a comma are '${stringOf({ A_Const: node })}', expected a comma`
    return { line: part.line({ A_Const: { location: offset } }), message }
  })
}
