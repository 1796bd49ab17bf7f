/** Keys of shop 1 that may read less, and what there is to read. */
import { readFileSync } from 'node:fs'
import type { Ask } from '../harness/ask.ts'
import { SHOPS_SQL_DIR, type Shops } from '../harness/shops.ts'

const report = (title: string, more: string, condition: string): string => `/*---
title: ${title}
columns:
  receipt: { title: Номер, type: text${more} }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [receipt]
summary: За {period} на {amount}.
parameters:
  receipt: { title: Чек, type: integer, values: { sql: "select id as value, 'Чек ' || id as label from receipts order by id" } }
  sign: { title: Знак, type: text, values: { plus: Приход, minus: Возврат } }
fresh: { open: 1s, closed: 1h }
stale: 1m
---*/
select id::text as receipt, amount_kopecks as amount
from receipts
where sold_at >= :period_start_at and sold_at < :period_end_at
  and (:receipt::bigint is null or id = :receipt)
  and (:sign is null or case :sign when 'plus' then amount_kopecks >= 0 else amount_kopecks < 0 end)${condition}
order by id`

const metrics = (code: string, type: string): string => `/*---
metrics:
  ${code}: { title: Сумма, format: money }
  ${code}_count: { title: Число, format: integer }
parameters:
  receipt: { title: Чек, type: ${type} }
---*/
select coalesce(sum(amount_kopecks), 0) as ${code}, count(*) as ${code}_count from receipts
where sold_at >= :period_start_at and sold_at < :period_end_at and (:receipt::bigint is null or id = :receipt)`

const LINK = (code: string): string => `, link: "/reports/${code}?receipt={receipt}"`

const ACCESS = 'access/organization_by_key.sql'
/** The look-up with the scopes of keys. */
export const SCOPES = {
  [ACCESS]: readFileSync(`${SHOPS_SQL_DIR}/${ACCESS}`, 'utf8').replace(
    'as entitled',
    // why: only PostgreSQL knows the names of these columns
    'as entitled,\n    (select shop_keys.reports),\n    shop_keys.parameters::text::jsonb',
  ),
}

/** Reports of a receipt: `one` and `two`, with a link to each other, and `held`, which waits; metrics in two files. */
export const SCOPED: Readonly<Record<string, string>> = {
  ...SCOPES,
  'reports/sales/one.sql': report('Первый', LINK('two'), ''),
  'reports/faults/two.sql': report('Второй', LINK('one'), ''),
  'reports/sales/waiting.sql': report('Ждёт', '', ' and hold(:organization_id) = 1'),
  'metrics/sums.sql': metrics('sums', 'integer'),
  'metrics/others.sql': metrics('others', 'integer'),
}

const literal = (value: unknown): string =>
  value === null ? 'null' : `'${JSON.stringify(value).replaceAll("'", "''")}'`

/** Replaces the scope of a key of shop 1, or creates it. @param reports of SQL, such as `array['report:one']` */
export async function setScope(
  shops: Shops,
  key: string,
  reports: string,
  parameters: unknown = null,
): Promise<void> {
  await shops.change(
    `insert into shop_keys values (sha256('${key}'), 1, false, ${reports}, ${literal(parameters)}::jsonb)
     on conflict (hash) do update set reports = excluded.reports, parameters = excluded.parameters`,
  )
}

/** @returns requests with a key of this scope */
export async function askerWithin(
  { ask, shops }: { readonly ask: Ask; readonly shops: Shops },
  reports: string,
  parameters: unknown = null,
): Promise<Ask> {
  const key = `scope ${reports} ${JSON.stringify(parameters)}`.replaceAll("'", '')
  await setScope(shops, key, reports, parameters)
  return (path, options) => ask(path, { key, ...options })
}
