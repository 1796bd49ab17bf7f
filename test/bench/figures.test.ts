// What could make the benchmark's figures wrong: arithmetic, verdicts, and the contenders' requests.
import { expect } from 'chai'
import { allDefinitions } from '../../src/definitions/any-definition.ts'
import { EFFORTS } from './bench.ts'
import type { Bench, Row } from './bench.ts'
import { scriptOf } from './pgbench.ts'
import { interleaved } from './rounds.ts'
import { ratioRow } from './rows.ts'
import { median } from './statistics.ts'
import { catalog, ID_TYPE } from './requests.ts'
import { exitCodeOf, tableOf } from './table.ts'

const bench = {
  effort: { ...EFFORTS.full, rounds: 3 },
  signal: new AbortController().signal,
  progress: () => {},
} as unknown as Bench
const row = (name: string, more = {}): Row => ({ name, value: 1, unit: 'x', figures: {}, ...more })
const reached = row('reached', { value: 0.8, target: { atLeast: 0.8 } })
const short = row('short', { value: 1.51, spread: [1.4, 12.34], target: { atMost: 1.5 } })
const voided = row('wavering', { target: { atLeast: 2 }, void: 'bare Koa wavers' })
const missing = row('missing', { value: undefined, note: 'not on this machine: wrk' })
const broken = row('broken', { value: undefined, broke: 'wrk met 3 errors' })

describe('figures of the benchmark', () => {
  it('are medians of interleaved rounds, forward and backward in turn', async () => {
    const order: string[] = []
    const contender = (name: string) => () => Promise.resolve(order.push(name))
    const contenders = { a: contender('a'), b: contender('b') }
    const { a, b } = await interleaved(bench, '', contenders)
    expect([a, b]).to.deep.equal([
      [1, 4, 5],
      [2, 3, 6],
    ])
    expect(order.join('')).to.equal('abbaab')
    expect([median([9, 1, 5]), median([9, 1, 5, 7])]).to.deep.equal([5, 6])
    expect(() => median([])).to.throw(RangeError)
  })

  const rounds = (...values: readonly number[]) => values.map(value => ({ value, share: 1 }))
  const hit = rounds(80, 90, 40)
  const comparison = { name: 'row', ours: 'hit', baseline: 'koa', target: { atLeast: 1 } } as const
  const compare = (koa: ReturnType<typeof rounds>, more = {}) =>
    ratioRow({ hit, koa }, { ...comparison, of: ({ value }) => value, ...more })

  it('are ratios of medians, with the spread of single rounds and the medians behind them', () => {
    const figures = { 'hit, value': 80, 'hit, share': 1, 'koa, value': 100, 'koa, share': 1 }
    const row = compare(rounds(160, 100, 80))
    expect(row).to.deep.include({ value: 0.8, spread: [0.5, 0.9], figures })
    expect(() => compare(rounds(1, 2))).to.throw('3 rounds against 2')
  })

  it('are void if the baseline wavers, or is not saturated', () => {
    expect(compare(rounds(100, 140, 100)).void).to.equal(undefined)
    expect(compare(rounds(100, 141, 100)).void).to.equal('koa wavers: its rounds are 1.41x apart')
    const cpuShare = ({ value }: { value: number }) => value / 100
    expect(compare(rounds(90, 95, 99), { cpuShare }).void).to.equal(undefined)
    expect(compare(rounds(90, 94, 99), { cpuShare }).void).to.equal('koa had 94 % of its core')
  })

  it('the table has every row with its verdict, the reasons, and the rows that miss their target', () => {
    expect(tableOf([reached, row('figure'), short, voided, missing, broken])).to.deep.equal([
      'row       value  spread     target    verdict',
      'reached   0.80x             >= 0.80x  reached',
      'figure    1.00x                       measured',
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
    ])
  })

  for (const [rows, exitCode, said] of [
    [[reached, missing], 3, 'No row falls short.'],
    [[reached, missing, short], 1, 'FALLS SHORT: short'],
    [[voided, missing], 3, 'NOTHING WAS MEASURED: no row has a figure that counts.'],
  ] as const) {
    it(`the rows (${rows.map(({ name }) => name).join(', ')}) exit with ${exitCode} and "${said}"`, () => {
      expect(exitCodeOf(rows)).to.equal(exitCode)
      expect(tableOf(rows)).to.include(said)
    })
  }
})

describe('requests of contenders', () => {
  it('pgbench executes every shipped statement, and no other text', () => {
    for (const { statement } of allDefinitions(catalog)) {
      const text = statement.text(ID_TYPE)
      let n = 0
      const prepared = scriptOf(text).replaceAll(/(?<!:):v\d+/g, () => `$${++n}`)
      expect(prepared).to.equal(`${text}\n;\n`)
    }
    expect(() => scriptOf("select to_char(now(), 'HH24:MI')")).to.throw(':MI')
    expect(() => scriptOf('select $2, $1')).to.throw('$2 comes before $1')
  })
})
