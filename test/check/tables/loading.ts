/** Faults that loading finds: front matter, and statements that are rejected for any tables. */
import { table } from '../bad-definitions.ts'

export const LOADING = [
  ...table('sales')`
a statement that ends in a semicolon and a comment
  - sold.amount desc, sold.shop_id
  + sold.amount desc, sold.shop_id; -- done
nothing but a comment
  = -- nothing
  load 1: no SQL, expected one select
explain
  - with sold as
  + explain with sold as
  load 11: the statement "explain", expected a select
orders only in a call and a window
  - order by sold.amount desc, sold.shop_id
  + where array_agg(sold.cost order by sold.cost) is null and rank() over (order by sold.cost) = 1
  load 11: no order by at the top level, expected one that ends in a unique key
a union that is ordered as a whole
  = (select 'a' as shop, :period_start as amount, 1 as cost, 1.0 as share from sales where sales.organization_id = :organization_id)
  = union all
  = (select 'b', 2, 1, 1.0 from sales where sales.organization_id = :organization_id) ORDER BY 1
no front matter
  - /*---
  + /*
  load 1: no front matter, expected the file to begin with /*---
an empty title
  - title: Продажи
  + title:
  load 2: title: found nothing, expected a title in Russian
an unknown key of a column
  - type: text }
  + type: text, hiden: true }
  load 4: columns.shop: unknown key "hiden", did you mean "hidden"?
a column that is written twice
  - key: [shop]
  +   shop: { title: Магазин, type: text }
  + key: [shop]
  load 8: key "shop" again, expected each key once
a total of the label
  - type: text }
  + type: text, total: none }
  load 4: columns.shop.total: this column carries the totals' label, expected no total
a summary that YAML cannot read
  - summary: За
  + summary: {period} за
  load 9: YAML: 
a summary that YAML reads as keys
  - summary: За {period} продано на {amount}.
  + summary: {amount}
  load 9: summary: found keys and values, expected a sentence in ICU MessageFormat; a text that begins with { needs quotes
a summary with a hidden column that has no total
  - total: sum(amount) }
  + hidden: true }
  load 9: summary: {amount} has no total to print, expected a column that has one, or a fact
names that PostgreSQL or loaders take for something else
  - key: [shop]
  +   Shop: { title: А, type: money, total: none }
  +   pages: { title: В, type: integer, total: none }
  +   next_day: { title: Б, type: integer, total: none }
  +   row_count: { title: Г, type: integer, total: none }
  +   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: { title: Д, type: integer, total: none }
  + key: [shop]
  - sold.cost, round(
  + sold.cost, 1 as "Shop", 2 as pages, 3 as next_day, 3 as row_count,
  + 4 as xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, round(
  load 8: columns.Shop: bad name "Shop", expected a-z, 0-9 and _, at most 63, no digit first
  load 9: columns.pages: loaders take "pages" for paging, expected a name other than next..., pages and _end
  load 10: columns.next_day: loaders take "next_day" for paging
  load 11: columns.row_count: "row_count" belongs to the totals row, expected another name
  load 12: bad name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", expected a-z, 0-9 and _, at most 63
columns that loaders' tables cannot have
  - key: [shop]
  +   _month: { title: А, type: integer, total: none }
  +   _organization: { title: Б, type: integer, total: none }
  +   ctid: { title: В, type: integer, total: none }
  +   xmax: { title: Г, type: integer, total: none }
  + key: [shop]
  - sold.cost, round(
  + sold.cost, 1 as _month, 2 as _organization, 3 as ctid, 4 as xmax, round(
  load 8: columns._month: loaders add "_month" to the columns of a report, expected another name
  load 9: columns._organization: loaders add "_organization" to the columns of a report, expected another name
  load 10: columns.ctid: no table can have "ctid", a system column of PostgreSQL; expected another name
  load 11: columns.xmax: no table can have "xmax"
a column that loaders must quote
  - key: [shop]
  +   order: { title: Е, type: integer, total: none }
  + key: [shop]
  - sold.cost, round(
  + sold.cost, 5 as "order", round(
  8: columns.order: "order" is a reserved word of SQL, which loaders must quote; expected another name
many things at once
  - title: Продажи
  + titel: Продажи
  - key: [shop]
  + keys: [shop]
  load 2: unknown key "titel", did you mean "title"?
  load 8: unknown key "keys", did you mean "key"?
@ behind sales.day < :period_end
and :shop = 1
  load 19: unknown placeholder :shop, expected one of :organization_id, :period_start, :period_end, :period_start_at, :period_end_at, :today, :as_of, :now, :time_zone
and set_config('a', 'b', true) = 'b'
  load 19: set_config() depends on the session or the server
and sales.data ? 'a' and sales.data ?| array['b'] and sales.data::jsonb @? '$.a'
and sales.name = E'it\'s; :x' /* ; :x /* insert into */ */ -- ; :x
and sales.name in ($$ it's :x $ $$, $tag$ :x $$ $other$ $tag$, U&'\0441 :x', 'back\', "a "" :x")
@ instead of with sold as (\n    select
with a as (select 1 from sales where organization_id = :organization_id for no key update of sales), sold as (select (select count(*) from a),
  load 11: for no key update locks rows, expected a statement that only reads
with a as (select 1 from sales tablesample system (5) where organization_id = :organization_id), sold as (select (select count(*) from a),
  load 11: tablesample returns different rows each time, expected all rows
@ instead of key: [shop]
key: shop
  load 8: key: found "shop", expected a list of column keys, each once, such as [category]
key: *shop
  load 1: found what YAML cannot read: Unresolved alias
key: [shop] # unique
@ before summary:
owner: finance
  load 9: unknown key "owner", expected one of title, description, dateBasis, keywords, columns, key, facts, summary, emptySummary, deprecated, shared, fresh, stale, maxLag, timeout, budget, maxRows
timeout: 5
  load 9: timeout: found 5, expected a duration such as 5s, 10m or 24h
maxLag: 1s
  load 9: maxLag: found 1s, expected at least 2s
maxRows: 0
  load 9: maxRows: found 0, expected a whole number of rows above 0
fresh: 60s
  load 9: fresh: found "60s", expected durations, such as { open: 60s, closed: 1h }
emptySummary: За {perid} пусто.
  load 9: emptySummary: unknown {perid}, did you mean "period"?
facts: { best: { type: text } }
  load 9: facts.best: no total, expected an aggregate
  text 9: facts.best: nothing reads it
facts: { best: { type: text, total: none } }
  load 9: facts.best.total: found none, expected an aggregate
  text 9: facts.best: nothing reads it
facts: { shop: { type: text, total: max(shop) } }
  load 9: facts.shop: there is a column "shop", expected another name
  text 9: facts.shop: nothing reads it
facts: { as_of: { type: text, total: max(shop) } }
  load 9: facts.as_of: every summary has a "as_of", expected another name
  text 9: facts.as_of: nothing reads it
`,
  ...table('won_deals')`
a code that is not a name
  - sales_won:
  + Sales_won:
  - as sales_won
  + as "Sales_won"
  load 3: metrics.Sales_won: bad code "Sales_won", expected a-z, 0-9 and _, at most 63, no digit first
an unknown format
  - format: money
  + format: rubles
  load 4: metrics.sales_amount.format: found "rubles", expected a format: money, percent, integer, number, days, hours
a misspelt key of a metric
  - format: money
  + fromat: money
  load 4: metrics.sales_amount: unknown key "fromat", did you mean "format"?
metrics with no time
  - ---*/
  + timeout: 0s
  + ---*/
  load 6: timeout: found 0s, expected more than 0 and at most 45s
metrics of all organizations
  = select :period_end - :period_start as sales_won, 1 as sales_amount, 1.0 as sales_share
  load 7: reads no table whose rows belong to organizations, expected one, or "shared: true" in the front matter
`,
]
