// A report in which all is well but for what a test puts into it.
import { checkText } from '../../../src/check/text/check-text.ts'
import { draftOf } from '../../../src/check/text/draft.ts'

export interface Around {
  /** More parts of the `with`, each beginning with a comma. */
  readonly parts?: string
  /** More items of the part `sold`. */
  readonly items?: string
  /** More conditions of its where, on a line of their own. */
  readonly where?: string
  /** More joins, which name `sold`. */
  readonly joins?: string
  /** The total of the column `share`. */
  readonly total?: string
  readonly summary?: string
}

/** What the rules of the text find, without the line. */
export function foundIn(around: Around): string[] {
  const text = reportAround(around)
  const source = { file: 'sql/reports/shop/sales.sql', code: 'sales', text, version: '' }
  const draft = draftOf(source, 'report')
  if (draft === undefined) throw new Error('brackets do not close')
  return checkText(draft, [draft], { database: 'asked' }).map(({ message }) => message)
}

function reportAround({
  parts = '',
  items = '',
  where = '',
  joins = '',
  total = 'round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)',
  summary = 'За {period} продано на {amount}.',
}: Around): string {
  return `/*---
title: Продажи
columns:
  shop:   { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  cost:   { title: Стоимость, type: money, total: sum(cost) }
  share:  { title: Доля, type: percent, total: ${JSON.stringify(total)} }
summary: ${JSON.stringify(summary)}
---*/
with sold as (
    select
        sales.shop_id,
        sum(sales.amount) as amount,
        sum(sales.cost) as cost${items === '' ? '' : `,\n        ${items}`}
    from sales
    where sales.organization_id = :organization_id
      and sales.day >= :period_start
      and sales.day < :period_end
      ${where}
    group by sales.shop_id
)${parts}
select shops.name as shop, sold.amount, sold.cost, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
from sold
join shops on shops.organization_id = :organization_id and shops.id = sold.shop_id
${joins}
order by sold.amount desc, sold.shop_id
`
}
