// In shipped definitions the gateway's condition on each table is required: without it, oracles fail. Generated
// organizations have neighbours with the same ids, some of them twins.
import { AssertionError, expect } from 'chai'
import { comparisonsOf } from '../sql/comparison.ts'
import { generatedDatabase, NEIGHBOURS, type GeneratedDatabase } from '../sql/generated/database.ts'
import { ourCatalog } from '../sql/subject.ts'

/** Enough to detect every missing condition. */
const SEEDS = [...NEIGHBOURS, 9, 18, ...Array.from({ length: 30 }, (_, at) => at + 1)]

const ID = { placeholder: 'organization_id' }

const NO_INDEXES =
  'set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off'

/** All columns of other organizations without a key get values with which arithmetic, casts and patterns fail. */
const poisonExcept = (id: string) => String.raw`
  do $$
  declare item record;
  begin
    for item in select conrelid::regclass as name, conname from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace loop
      execute format('alter table %s drop constraint %I', item.name, item.conname);
    end loop;
    for item in select attrelid::regclass as name, string_agg(format('%I = %L', attname, value), ', ') as changes
        from pg_attribute
        join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
        join (values ('bigint', '9223372036854775807'), ('integer', '2147483647'), ('numeric', 'NaN'), ('text', '[%\'),
            ('date', 'infinity'), ('timestamp with time zone', '-infinity')) as poison (type, value)
            on type = format_type(atttypid, null)
        where attnum > 0 and attgenerated = '' and attidentity = ''
            and not exists (select from pg_index where indrelid = attrelid and indisunique and attnum = any (indkey))
            and not exists (select from pg_constraint where conrelid = attrelid and contype = 'f' and attnum = any (conkey))
            and exists (select from pg_attribute as own where own.attrelid = pg_class.oid and own.attname = 'organization_id')
        group by attrelid loop
      execute format('update %s set %s where organization_id <> %L', item.name, item.changes, '${id}');
    end loop;
  end $$`

describe('tenant isolation of the catalogue', () => {
  let database: GeneratedDatabase

  before(async () => {
    database = await generatedDatabase('svodka_tenants')
  })

  after(() => database?.end())

  it('breaks if any table is read without the condition on the organization', async () => {
    const comparisons = await comparisonsOf(ourCatalog())
    const changes = comparisons.flatMap(comparison => {
      // why: a list of values may read others
      const text = comparison.statement.text('uuid')
      const tables = comparison.source.tables.filter(({ name }) => text.includes(`${name} as not`))
      return tables.map(table => ({
        what: `${comparison.name}: ${table.name}`,
        comparison,
        changed: comparison.source.over(({ name }) => [
          `select * from public.${name} where ${name === table.name} or organization_id = `,
          ID,
        ]),
      }))
    })
    let unnoticed = changes
    for (const seed of SEEDS) {
      if (unnoticed.length === 0) break
      await database.withOrganization(seed, async (client, asked) => {
        for (const { compare } of new Set(unnoticed.map(one => one.comparison)))
          await compare(client, asked)
        const left: typeof changes = []
        for (const change of unnoticed) {
          await client.query('savepoint statement')
          try {
            await change.comparison.compare(client, asked, change.changed)
            left.push(change)
          } catch (error) {
            // A foreign totals row and a subquery with two rows are detected too.
            const { code, message } = Object(error) as { code?: string; message?: string }
            const isOther = code === '21000' || message?.startsWith('row_count is')
            if (!isOther && !(error instanceof AssertionError)) throw error
            await client.query('rollback to statement')
          }
        }
        unnoticed = left
      })
    }
    expect(unnoticed.map(({ what }) => what)).to.deep.equal([])
    expect(changes.length).to.be.at.least(2 * comparisons.length)
  })

  it('reads no value of others, however tables are read', async () => {
    const comparisons = await comparisonsOf(ourCatalog())
    await database.withOrganization(NEIGHBOURS[0]!, async (client, asked) => {
      await client.query(poisonExcept(asked.organizationId))
      const { rows } = await client.query('select max(amount_kopecks) as amount from operations')
      expect(rows).to.deep.equal([{ amount: '9223372036854775807' }])
      for (const settings of ['', NO_INDEXES]) {
        await client.query(settings)
        for (const { compare } of comparisons) await compare(client, asked)
      }
    })
  })
})
