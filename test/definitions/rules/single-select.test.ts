import { expect } from 'chai'
import { findingsTable } from '../../harness/findings-table.ts'
import { faultsIn } from './faults.ts'

describe('the select of a file', () => {
  findingsTable(
    `
right
  select 1 order by 1
  select 1 order by 1;
  (select 1 union all select 2) order by 1;; -- done
  with a as (select 1 as x) select x from a order by x
  (with a as (select 1 as x) (select x from a order by x))
  table t order by 1
1: no order by at the top level
  select 1
  select 1 from (select 2 order by 1) as a
  select array_agg(a order by a), rank() over (order by a) from t
2: a second statement, expected one in a file
  select 1 order by 1;
    select 2
1: the statement "update", expected a select
  update t set a = 1
1: the statement "insert", expected a select
  with a as (select 1) insert into t select * from a
1: the statement "create table as", expected a select
  create table t as select 1
`,
    sql => faultsIn(sql, { isOrdered: true }),
  )

  it('has faults at their lines, with any characters and line ends before them', async () => {
    const before = "select 'ё', '😀👨‍👩‍👧', \"Имя\" -- €\r\n/* ё\r\n😀 */"
    for (const [sql, fault] of [
      [`${before}\r\n, now()`, '4: now() reads the clock'],
      [`${before}, :ёёёёёё\r\n, a frm b`, '4: syntax error at or near "b" (column 9)'],
      [`${before}, a\r\n, :tody`, '4: unknown placeholder :tody'],
      [`${before}\r\n, 'ё😀', a frm b`, '4: syntax error at or near "b" (column 15)'],
      [`${before}\r\n;\r\nselect 2`, '5: a second statement'],
    ] as const) {
      const [found, ...more] = await faultsIn(sql)
      expect(found).to.contain(fault)
      expect(more).to.deep.equal([])
    }
  })
})

describe('a syntax error', () => {
  findingsTable(
    `
1: syntax error at or near "b" (column 14), expected what PostgreSQL 18's parser accepts
  select a frm b where c = now()
2: syntax error at or near "b" (column 6), expected what PostgreSQL 18's parser accepts
  select a
    form b
1: syntax error at or near ":" (column 12), expected a blank before a placeholder and its name right behind its ":"
  select date:today
1: syntax error at end of input (column 10), expected more: is every bracket closed?
  select (1
1: unterminated quoted string at or near "'abc" (column 8), expected every quote and comment to be closed
  select 'abc
1: unterminated quoted string at or near "'" (column 35), expected every quote and comment to be closed
  select 'abc, d from e where f = 'g'
1: unterminated /* comment at or near "/* abc" (column 8), expected every quote and comment to be closed
  select /* abc
`,
    faultsIn,
  )

  it('quotes at most one line of unclosed text', async () => {
    const [found = ''] = await faultsIn(`select 'a\n${'b\n'.repeat(1000)}`)
    expect(found).to.equal(
      '1: unterminated quoted string at or near "\'a ..." (column 8), expected every quote and comment to be closed',
    )
  })

  it('is one finding if SQL is too long or nested too deeply', async () => {
    const nested = [500, 5000, 100_000].map(times => `select ${'abs('.repeat(times)}`)
    const closed = `select ${'f('.repeat(2000)}1${')'.repeat(2000)}`
    const signs = `select 1${'+1'.repeat(20_000)}`
    for (const sql of [...nested, closed, signs, `select '${'ё'.repeat(140_000)}'`]) {
      expect(await faultsIn(sql)).to.have.lengthOf(1)
    }
    expect(await faultsIn(signs)).to.deep.equal([
      '1: SQL that is nested too deeply, expected fewer levels',
    ])
    expect(
      await faultsIn(`select 1${'+1'.repeat(500)} or ${'a or '.repeat(9000)} b`),
    ).to.deep.equal([])
  })
})
