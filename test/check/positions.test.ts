// PostgreSQL's error positions in compiled statements, as lines of the file: nested WITHs, totals, comparisons.
import { expect } from 'chai'
import type { Client, DatabaseError } from 'pg'
import { compareReport } from '../../src/definitions/comparison.ts'
import type { Definition } from '../../src/definitions/definition.ts'
import { lineOfPosition } from '../../src/definitions/source-lines.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { loaded } from './bad-definitions.ts'

const SCHEMA = `
create table sales (id bigint primary key, organization_id bigint not null, sold_on date not null, amount bigint not null);
create table sale_lines (id bigint primary key, sale_id bigint not null references sales, amount bigint not null);`
const TENANCY = 'sales: organization_id\nsale_lines: via sales (sale_id = id)\n'

/** The statement begins on line 9. */
const statement = ({ inner = 'sales.amount', outer = 'kept.amount', day = ':period_start' }) => `
-- Сколько продано.
select listed.name, listed.amount
from (
    with kept as (
        select sales.id, ${inner} as amount from sales
        where sales.sold_on >= ${day}
    )
    select kept.id::text as name, ${outer} as amount from kept
    join sale_lines on sale_lines.sale_id = kept.id
) as listed
order by listed.name`

const CASES = [
  ['a nested WITH', { inner: 'sales.amounts' }, 13],
  ['a select that reads a nested WITH', { outer: 'kept.amounts' }, 16],
  ['a placeholder', { day: 'coalesce(true, :period_start)' }, 14],
] as const

describe("lines of PostgreSQL's positions", () => {
  let client: Client

  before(async function () {
    this.timeout(30_000)
    client = await connectTo((await createTestDatabase('svodka_positions', SCHEMA)).primaryUrl)
  })
  after(() => client?.end())

  async function lineFor(definition: Definition): Promise<number> {
    const text = definition.statement.text('bigint')
    const error = await client.query(`prepare tried as ${text}`).catch((one: DatabaseError) => one)
    const { position } = error as DatabaseError
    const offset = 'prepare tried as '.length
    return lineOfPosition(definition, 'bigint', Number(position) - offset)
  }

  for (const [place, fault, line] of CASES) {
    it(`are those of the file in ${place}, also of a comparison`, async () => {
      const definition = await loaded(statement(fault), TENANCY)
      expect(await lineFor(definition)).to.equal(line)
      expect(await lineFor(compareReport(definition, 'year'))).to.equal(line)
    })
  }

  it("are the lines of a total's key, also of a comparison", async () => {
    const definition = await loaded(
      statement({}),
      TENANCY,
      'facts: { most: { type: integer, total: max(amounts) } }\n',
    )
    expect(await lineFor(definition)).to.equal(8)
    expect(await lineFor(compareReport(definition, 'year'))).to.equal(8)
  })
})
