/**
 * Adds many earlier years to an organization, as copies of its rows. In copies, deals have ended, tasks and requests are
 * closed, operations are paid or cancelled, so that nothing stays open.
 */
import type { Client } from 'pg'

/** Each copy is four years before the next, more than the history of the demo's organizations. */
const DAYS_APART = 1461
/** Older rows have lower ids; ids of copies are below 0. */
const IDS_APART = 1_000_000_000_000

interface Past {
  readonly table: string
  /** The condition for rows to copy: closed ones. */
  readonly over: string
  /** Ids that link copies to each other and to copies of other tables. */
  readonly ids: readonly string[]
}

const ENDED = 'coalesce(won_at, lost_at) is not null'

const PASTS: readonly Past[] = [
  { table: 'operations', over: `paid_on is not null or status = 'cancelled'`, ids: ['id'] },
  { table: 'deals', over: ENDED, ids: ['id'] },
  {
    table: 'deal_stage_visits',
    over: `exists (
      select from deals
      where deals.organization_id = $1 and deals.id = deal_stage_visits.deal_id and ${ENDED})`,
    ids: ['id', 'deal_id'],
  },
  { table: 'sales', over: 'shipped_at is not null', ids: ['id', 'deal_id'] },
  {
    table: 'sale_lines',
    over: `exists (
      select from sales
      where sales.organization_id = $1 and sales.id = sale_lines.sale_id and sales.shipped_at is not null)`,
    ids: ['id', 'sale_id'],
  },
  // Receipts are not copied, so that balances fall and every result that depends on them changes.
  { table: 'stock_movements', over: 'quantity < 0', ids: ['id', 'sale_line_id', 'transfer_id'] },
  { table: 'tasks', over: 'coalesce(completed_at, cancelled_at) is not null', ids: ['id'] },
  { table: 'requests', over: 'closed_at is not null', ids: ['id'] },
]

export const TABLES_WITH_HISTORY: ReadonlySet<string> = new Set(PASTS.map(({ table }) => table))

/** Copies from the first to the last offset, with statistics and visibility maps as after vacuum. */
export async function addHistory(
  client: Client,
  organizationId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const past of PASTS) {
    const columns = await columnsOf(client, past)
    const names = columns.map(({ name }) => name).join(', ')
    const values = columns.map(({ value }) => value).join(', ')
    await client.query(
      `insert into ${past.table} (${names})
       select ${values}
       from ${past.table}
       cross join generate_series($2::bigint, $3) as copy
       where organization_id = $1 and id > 0 and (${past.over})`,
      [organizationId, from, to],
    )
  }
  await client.query(`vacuum (analyze) ${[...TABLES_WITH_HISTORY].join(', ')}`)
}

/** Values of a copy: dates, instants and ids are shifted. */
async function columnsOf(client: Client, { table, ids }: Past) {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select quote_ident(column_name) as name, data_type as type
     from information_schema.columns
     where table_schema = 'public' and table_name = $1`,
    [table],
  )
  return rows.map(({ name, type }) => {
    if (ids.includes(name)) return { name, value: `${name} - copy * ${IDS_APART}` }
    if (type === 'date') return { name, value: `${name} - copy::integer * ${DAYS_APART}` }
    if (!type.startsWith('timestamp')) return { name, value: name }
    return { name, value: `${name} - make_interval(days => copy::integer * ${DAYS_APART})` }
  })
}
