import { callsIn } from '../../sql/expressions.ts'
import { expressionsOf } from '../statement.ts'
import { unread } from './deleted-rows.ts'
import { onEach, values, type Rule, type TextRule } from './rule.ts'

const CURRENCY = /^currency(?:_code|_id)?$/
/** Without durations. */
const summedIn = (root: unknown) =>
  callsIn(root, ['sum', 'avg']).filter(({ args }) => callsIn(args, ['extract']).length === 0)
const unreadCurrencies = unread(
  CURRENCY,
  'amounts of one currency',
  select => summedIn(expressionsOf(select)).length > 0,
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
  needsCatalog: true,
  sentence: 'Amounts of a table with currencies are added up without a word about the currency.',
  bad: ', sum(sales.amount) as amount',
  good: ", sum(sales.amount) filter (where sales.currency = 'RUB') as amount",
  find: draft => [...unreadCurrencies(draft), ...totalsOfSeveral(draft), ...undeclared(draft)],
}
