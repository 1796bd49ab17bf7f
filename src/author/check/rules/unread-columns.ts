import { callsIn } from '../../sql/expressions.ts'
import { everySelect, expressionsOf, type Select } from '../statement.ts'
import { onEach, values, type Rule, type TextRule } from './text-rule.ts'

/** Finds tables with a column of these names that the statement never mentions. Needs the catalog. */
function unread(names: RegExp, isRead: (select: Select) => boolean, expected: string): TextRule {
  return ({ statement: { sql, line }, query, findTable }) => {
    const code = sql.tokens.filter(({ kind }) => kind !== 'comment')
    const words = new Set(code.map(({ start, end }) => sql.text.slice(start, end).toLowerCase()))
    const relations = everySelect(query).flatMap(one => (isRead(one) ? one.relations : []))
    const found = relations.flatMap(relation => {
      const columns = findTable?.(relation)?.columns ?? []
      const column = columns.find(({ name }) => names.test(name) && !words.has(name))
      const message = `${relation.name} has the column ${column?.name}, which nothing reads, expected ${expected}`
      return column === undefined ? [] : [{ line: line(relation.offset), message }]
    })
    return [...new Map(found.map(one => [one.message, one])).values()]
  }
}

export const deletedRows: Rule = {
  id: 'deleted-rows',
  level: 'warning',
  needsCatalog: true,
  sentence: 'A table marks rows as deleted, and the statement reads them all.',
  bad: 'and sales.day < :period_end',
  good: 'and sales.day < :period_end and sales.deleted_at is null',
  find: unread(
    /^(?:(?:deleted|voided|discarded|removed)_(?:at|on)|(?:is_)?(?:deleted|voided))$/,
    () => true,
    'a condition on it',
  ),
}

const CURRENCY = /^currency(?:_code|_id)?$/
const summedIn = (root: unknown) => callsIn(root, ['sum', 'avg'])
const unreadCurrencies = unread(
  CURRENCY,
  select => summedIn(expressionsOf(select)).length > 0,
  'amounts of one currency',
)

const AGGREGATES = ['sum', 'avg', 'min', 'max', 'array_agg']

/** Totals of one currency over a column with several. */
const totalsOfSeveral = onEach(values('money'), ({ name, node }, { draft, part }) => {
  const columns = draft.report?.columns ?? {}
  const { currency } = { ...draft.report?.facts, ...columns }[name] ?? {}
  if (part === draft.statement || currency !== undefined) return false
  const used = callsIn(node, AGGREGATES).map(({ args }) => part.written(args[0]))
  const several = used.flatMap(one => columns[one]?.currency ?? [])[0]
  return (
    several !== undefined &&
    `${name} combines amounts of several currencies, expected those of one, or currency: ${several}`
  )
})

/** Money without a currency in a report whose rows name one. */
const undeclared: TextRule = ({ report, lineOf }) => {
  const columns = Object.entries(report?.columns ?? {})
  const ofCodes = columns.find(([name, { type }]) => type === 'text' && CURRENCY.test(name))?.[0]
  if (ofCodes === undefined) return []
  const bare = columns.filter(([, { type, currency }]) => type === 'money' && !currency)
  return bare.map(([name]) => ({
    line: lineOf(['columns', name]),
    message: `${name} is money of one currency, and ${ofCodes} names one in each row, expected currency: ${ofCodes}`,
  }))
}

export const mixedCurrencies: Rule = {
  id: 'mixed-currencies',
  level: 'warning',
  needsCatalog: true,
  sentence: 'Amounts of a table with currencies are added up without a word about the currency.',
  bad: ', sum(sales.amount) as amount',
  good: ", sum(sales.amount) filter (where sales.currency = 'RUB') as amount",
  find: draft => [...unreadCurrencies(draft), ...totalsOfSeveral(draft), ...undeclared(draft)],
}
