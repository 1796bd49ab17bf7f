import { expect } from 'chai'
import type { Client } from 'pg'
import { explainStatement } from '../../src/plans/explain.ts'
import type { Plan } from '../../src/plans/plan.ts'
import { suspectsOf } from '../../src/plans/suspects.ts'
import { tableSizes } from '../../src/plans/table-sizes.ts'
import { connectAsOwner } from '../sql/subject.ts'
import { useStandby } from './ask.ts'

const ONLY_LOOPS = ['enable_hashjoin = off', 'enable_mergejoin = off', 'enable_memoize = off']

describe('a suspect', () => {
  const standby = useStandby()

  async function said(text: string, settings: readonly string[] = []): Promise<string[]> {
    return inWords(await standby.plan(text, settings), standby.client)
  }

  async function inWords(plan: Plan, client: Client): Promise<string[]> {
    const suspects = suspectsOf(plan, await tableSizes(client, plan))
    return suspects.map(({ kind, message }) => `${kind}: ${message}`)
  }

  it('is a table of more than 1 MiB that is read whole, with the rows that were of use', async () => {
    const found = await said(
      "select count(description) from operations where kind <> 'transfer' and organization_id = $1",
      [
        'enable_indexscan = off',
        'enable_bitmapscan = off',
        'enable_indexonlyscan = off',
        'max_parallel_workers_per_gather = 0',
      ],
    )
    expect(found).to.have.length(1)
    expect(found[0]).to.match(
      /^sequential-scan: Seq Scan operations reads the whole table, [\d.]+ MiB: [\d,]+ of [\d,]+ rows were of use \(\d+ %\)$/,
    )
  })

  it('is not a small table that is read whole', async () => {
    expect(await said('select count(name) from accounts')).to.deep.equal([])
  })

  it('is a sort that does not fit into memory', async () => {
    const found = await said(
      'select * from stock_movements where organization_id = $1 order by cost_kopecks',
      ["work_mem = '64kB'", 'enable_seqscan = off', 'max_parallel_workers_per_gather = 0'],
    )
    expect(found.find(text => text.startsWith('spill'))).to.match(
      /^spill: Sort writes and reads [\d.]+ MiB of temporary files \(external merge, [\d,]+ KiB on disk\): its rows do not fit into work_mem$/,
    )
  })

  it('is what runs for each row and reads most of the pages', async () => {
    const [found] = await said(
      `select count(sale_lines.quantity) from sales
       join sale_lines on sale_lines.organization_id = $1 and sale_lines.sale_id = sales.id
       where sales.organization_id = $1`,
      [...ONLY_LOOPS, 'enable_seqscan = off'],
    )
    expect(found).to.match(
      /^loop: Index (Only )?Scan sale_lines by \w+ runs [\d,]+ times in a nested loop, for [\d,]+ of all [\d,]+ buffers \(\d\d %\)$/,
    )
  })

  it('is a sub-select of each row', async () => {
    const [found] = await said(
      `select id, (select sum(quantity) from sale_lines where organization_id = $1 and sale_id = sales.id)
       from sales where organization_id = $1`,
    )
    expect(found).to.match(/^loop: Aggregate runs [\d,]+ times as a sub-select of each row, for/)
  })

  it('is a filter that throws away most of what was read', async () => {
    const found = await said(
      "select count(description) from operations where organization_id = $1 and description like '%nowhere%'",
      ['enable_seqscan = off'],
    )
    expect(found).to.have.length(1)
    expect(found[0]).to.match(
      /^discarded-rows: (Bitmap Heap|Index) Scan operations .*throws away ([\d,]+) of \2 rows \(100 %\) by .*nowhere/,
    )
  })

  it('is an estimate that is far from what came, where it begins to be', async () => {
    const found = await said(
      `select kind, count(*) from (
         select kind from operations where organization_id = $1 and coalesce(organization_id, null) = $1) as mine
       group by kind`,
      ['enable_seqscan = off', 'max_parallel_workers_per_gather = 0'],
    )
    expect(found).to.have.length(1)
    expect(found[0]).to.match(
      /^estimate: .*operations.*: \d+ rows expected, [\d,]+ came \(\d+ times as many\)$/,
    )
  })

  it('is a join that makes more rows than both sides have', async () => {
    const found = await said(
      `select count(*) from (select id from products where organization_id = $1 limit 100) as all_of
       cross join (select id from counterparties where organization_id = $1 limit 100) as all_others`,
    )
    expect(found).to.have.length(1)
    expect(found[0]).to.match(
      /^multiplied-rows: Nested Loop makes 10,000 rows of 100 \(products\) and 100 \(all_others\)$/,
    )
  })

  it('comes first where it makes figures wrong', async () => {
    const [first, ...others] = await said(
      `select sum(sales.project_id) from sales
       join sale_lines on sale_lines.organization_id = $1 and sale_lines.sale_id = sales.id
       where sales.organization_id = $1`,
      [...ONLY_LOOPS, 'enable_seqscan = off', 'enable_indexonlyscan = off'],
    )
    expect(first).to.match(
      /^multiplied-sum: sum\(sales\.project_id\) adds up rows that a join has multiplied: Nested Loop makes [\d,]+ rows of [\d,]+, by sale_lines; aggregate/,
    )
    expect(others.join('\n')).to.contain('loop: ')
  })

  it('is an index-only scan of rows that are too new for it', async function () {
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
      expect(await inWords(plan, owner)).to.include(
        'heap-fetches: Index Only Scan fresh by fresh_pkey had to look into the table for 3,000 of 3,000 rows: the table was not vacuumed since they were written',
      )
    } finally {
      await owner.query('rollback')
      await owner.end()
    }
  })

  it('goes by its share of the run', async () => {
    const plan = await standby.plan(
      `select count(description), (select count(*) from stock_movements where cost_kopecks >= 0) from operations`,
      ['max_parallel_workers_per_gather = 0'],
    )
    const suspects = suspectsOf(plan, await tableSizes(standby.client, plan))
    expect(suspects).to.have.length(2)
    const shares = suspects.map(({ share }) => share)
    expect(shares).to.deep.equal(shares.toSorted((a, b) => b - a))
  })
})
