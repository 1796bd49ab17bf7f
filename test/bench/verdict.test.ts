import { expect } from 'chai'
import { collect } from './collect.ts'
import { Missing } from './bench.ts'
import type { Bench } from './bench.ts'
import type { Row } from './row.ts'
import { tableOf } from './table.ts'
import { exitCodeOf, verdictOf } from './verdict.ts'

const row = (name: string, more: Partial<Row> = {}): Row => ({
  name,
  value: 1,
  unit: 'x',
  figures: {},
  ...more,
})
const reached = row('reached', { value: 0.8, target: { atLeast: 0.8 } })
const short = row('short', { value: 1.51, spread: [1.4, 12.34], target: { atMost: 1.5 } })
const voided = row('wavering', { target: { atLeast: 2 }, void: 'bare Koa wavers' })
const missing = row('missing', { value: undefined, note: 'not on this machine: wrk' })
const broken = row('broken', { value: undefined, broke: 'wrk met 3 errors' })

describe('verdicts of rows', () => {
  it('a target is reached by being met, from either side', () => {
    expect(verdictOf(reached)).to.equal('reached')
    expect(verdictOf(short)).to.equal('falls short')
    expect(verdictOf(row('figure'))).to.equal('measured')
  })

  it('a void row has no verdict, though its value would have one', () => {
    expect(verdictOf(voided)).to.equal('void')
  })

  it('the exit code is 1 if a row falls short or broke off, 3 if something lacks, 0 for void ones', () => {
    expect(exitCodeOf([reached, voided])).to.equal(0)
    expect(exitCodeOf([reached, missing])).to.equal(3)
    expect(exitCodeOf([reached, missing, short])).to.equal(1)
    expect(exitCodeOf([broken])).to.equal(1)
  })

  it('the table says every row with its verdict, the reasons, and which rows fall short', () => {
    expect(tableOf([reached, short, voided, missing, broken])).to.deep.equal([
      'row       value  spread     target    verdict',
      'reached   0.80x             >= 0.80x  reached',
      'short     1.51x  1.40-12.3  <= 1.50x  falls short',
      'wavering  1.00x             >= 2.00x  void',
      'missing   -                           not to be had',
      'broken    -                           broke off',
      '',
      'wavering: bare Koa wavers',
      'missing: not on this machine: wrk',
      'broken: wrk met 3 errors',
      '',
      'FALLS SHORT: short; broken',
      'VOID, measure again on a quiet machine: wavering',
      'NOT TO BE HAD here: missing',
    ])
  })

  it('a run whose rows are all void or not to be had says that nothing was measured', () => {
    const last = (rows: Row[]) => tableOf(rows).slice(tableOf(rows).lastIndexOf('') + 1)
    const nothing = 'NOTHING WAS MEASURED: no row has a figure that counts.'
    expect(last([voided, missing])).to.deep.equal([
      nothing,
      'VOID, measure again on a quiet machine: wavering',
      'NOT TO BE HAD here: missing',
    ])
    expect(last([])).to.deep.equal([nothing])
    expect(last([reached, voided])[0]).to.equal('No row falls short.')
  })

  it('a group that fails is a row, and the groups after it are measured', async () => {
    const bench = { signal: new AbortController().signal, progress: () => {} } as unknown as Bench
    const rows = await collect(
      [
        { name: 'lacking', rows: () => Promise.reject(new Missing('no wrk')) },
        { name: 'broken', rows: () => Promise.reject(new Error('bodies differ')) },
        { name: 'whole', rows: () => Promise.resolve([reached]) },
      ],
      bench,
    )
    expect(rows.map(row => [row.group, verdictOf(row), row.note ?? row.broke])).to.deep.equal([
      ['lacking', 'not to be had', 'no wrk'],
      ['broken', 'broke off', 'bodies differ'],
      ['whole', 'reached', undefined],
    ])
  })
})
