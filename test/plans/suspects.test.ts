import { expect } from 'chai'
import type { ClientBase } from 'pg'
import { explainStatement } from '../../src/author/plans/explain.ts'
import type { Plan } from '../../src/author/plans/plan.ts'
import type { Suspect } from '../../src/author/plans/suspect.ts'
import { suspectsOf } from '../../src/author/plans/suspects.ts'
import { tableSizes } from '../../src/author/plans/table-sizes.ts'
import { connectAsOwner } from '../sql/subject.ts'
import { useStandby } from './standby.ts'

const LOOPS = 'enable_hashjoin = off, enable_mergejoin = off, enable_memoize = off'
const NO_INDEX = 'enable_indexscan = off, enable_bitmapscan = off, enable_indexonlyscan = off'
const SERIAL = 'max_parallel_workers_per_gather = 0'
const LINES = 'sale_lines on sale_lines.organization_id = $1 and sale_lines.sale_id = sales.id'

/** Statements, settings and their suspects, ranked. */
const STATEMENTS: ReadonlyArray<
  [what: string, settings: string, sql: string, ...expected: RegExp[]]
> = [
  [
    'a table of more than 1 MiB that is scanned sequentially, with the rows that were used',
    `${NO_INDEX}, ${SERIAL}`,
    "select count(description) from operations where kind <> 'transfer' and organization_id = $1",
    /^sequential-scan: Seq Scan operations reads the whole table, [\d.]+ MiB: [\d,]+ of [\d,]+ rows were used \(\d+ %\)$/,
  ],
  ['not a small table that is read whole', '', 'select count(name) from accounts'],
  [
    'a sort that does not fit into memory',
    `work_mem = '64kB', enable_seqscan = off, ${SERIAL}`,
    'select * from stock_movements order by cost_kopecks',
    /^sequential-scan: /,
    /^spill: Sort writes and reads [\d.]+ MiB of temporary files \(external merge, [\d,]+ KiB on disk\): its rows do not fit into work_mem$/,
  ],
  [
    'what is executed for each row and reads most of the pages',
    `${LOOPS}, enable_seqscan = off`,
    `select count(sale_lines.quantity) from sales join ${LINES} where sales.organization_id = $1`,
    /^loop: Index (Only )?Scan sale_lines by \w+ is executed [\d,]+ times in a nested loop, for [\d,]+ of all [\d,]+ buffers \(\d\d %\)$/,
  ],
  [
    'a sub-select of each row',
    '',
    `select id, (select sum(quantity) from sale_lines where organization_id = $1 and sale_id = sales.id)
     from sales where organization_id = $1`,
    /^loop: Aggregate is executed [\d,]+ times as a sub-select of each row, for/,
  ],
  [
    'a filter that discards most rows',
    'enable_seqscan = off',
    "select count(description) from operations where organization_id = $1 and description like '%nowhere%'",
    /^discarded-rows: (Bitmap Heap|Index) Scan operations .*discards ([\d,]+) of \2 rows \(100 %\) by .*nowhere/,
  ],
  [
    'an estimate that is far from what came, where it begins to be',
    `enable_seqscan = off, ${SERIAL}`,
    `select kind, count(*) from (
       select kind from operations where organization_id = $1 and coalesce(organization_id, null) = $1) as mine
     group by kind`,
    /^estimate: .*operations.*: \d+ rows expected, [\d,]+ came \(\d+ times as many\)$/,
  ],
  [
    'a join that makes more rows than both sides have',
    '',
    `select count(*) from (select id from products where organization_id = $1 limit 100) as all_of
     cross join (select id from counterparties where organization_id = $1 limit 100) as all_others`,
    /^multiplied-rows: Nested Loop makes 10,000 rows of 100 \(products\) and 100 \(all_others\)$/,
  ],
  [
    'first what makes figures wrong',
    `${LOOPS}, enable_seqscan = off, enable_indexonlyscan = off`,
    `select sum(sales.project_id) from sales join ${LINES} where sales.organization_id = $1`,
    /^multiplied-sum: sum\(sales\.project_id\) adds up rows that a join has duplicated: Nested Loop makes [\d,]+ rows of [\d,]+, by sale_lines; aggregate/,
    /^loop: /,
  ],
]

function sizesOf(client: ClientBase, plan: Plan) {
  return tableSizes(plan, async (text, values) => (await client.query(text, values)).rows)
}

describe('a suspect', () => {
  const standby = useStandby()

  function inWords(suspects: readonly Suspect[]): string[] {
    return suspects.map(({ kind, message }) => `${kind}: ${message}`)
  }

  for (const [what, settings, sql, ...expected] of STATEMENTS) {
    it(`is ${what}`, async () => {
      const settled = settings.split(', ').filter(Boolean)
      const found = inWords((await standby.explained(sql, settled)).suspects)
      expect(found, found.join('\n')).to.have.length(expected.length)
      for (const [at, words] of expected.entries()) expect(found[at]).to.match(words)
    })
  }

  it('is an index-only scan of rows that are not yet vacuumed', async function () {
    this.timeout(60_000)
    const owner = await connectAsOwner()
    try {
      await owner.query('begin')
      await owner.query(
        `create table fresh (id bigint primary key);
         insert into fresh select generate_series(1, 3000);
         set local enable_seqscan = off; set local enable_bitmapscan = off`,
      )
      const plan = await explainStatement(owner, 'select count(id) from fresh where id > 0', [])
      expect(inWords(suspectsOf(plan, await sizesOf(owner, plan)))).to.include(
        'heap-fetches: Index Only Scan fresh by fresh_pkey read the table for 3,000 of 3,000 rows: the table was not vacuumed since they were written',
      )
    } finally {
      await owner.query('rollback')
      await owner.end()
    }
  })

  it('is ranked by its share of the execution', async () => {
    const plan = await standby.plan(
      `select count(description), (select count(*) from stock_movements where cost_kopecks >= 0) from operations`,
      [SERIAL],
    )
    const suspects = suspectsOf(plan, await sizesOf(standby.client, plan))
    expect(suspects).to.have.length(2)
    const shares = suspects.map(({ share }) => share)
    expect(shares).to.deep.equal(shares.toSorted((a, b) => b - a))
  })
})
