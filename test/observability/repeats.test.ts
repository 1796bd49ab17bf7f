import { expect } from 'chai'
import { createRepeats as create } from '../../src/observability/repeats.ts'
import type { Clock } from '../../src/terms.ts'

/** Each line is its own subject. */
function createRepeats(now: Clock) {
  const told: [omitted: number, subject: string | undefined][] = []
  const repeats = create<string>(now, (omitted, subject) => told.push([omitted, subject]))
  return {
    told,
    flush: () => repeats.flush(),
    note: (key: string, owner?: string) =>
      repeats.note({ key, owner, subject: `${owner ?? ''} ${key}` }),
  }
}

describe('repeats', () => {
  it('writes the first of a key, then one every 30 s with the number left out', () => {
    let time = 0
    const repeats = createRepeats(() => time)
    expect(repeats.note('key')).to.deep.equal({ write: true, omitted: 0 })
    expect(repeats.note('key').write).to.equal(false)
    expect(repeats.note('other key').write).to.equal(true)
    time = 30_000
    expect(repeats.note('key')).to.deep.equal({ write: true, omitted: 1 })
  })

  it('keeps the limits of others whatever one owner repeats', () => {
    const repeats = createRepeats(() => 0)
    repeats.note('key', 'victim')
    let written = 0
    for (let at = 0; at < 100_000; at++) written += Number(repeats.note(`${at}`, 'hostile').write)
    expect(written).to.be.below(100)
    expect(repeats.note('key', 'victim').write).to.equal(false)
    expect(repeats.note('key', 'newcomer').write).to.equal(true)
  })

  it('keeps the limits of known owners, and bounds its memory, whatever the number of owners', () => {
    let time = 0
    const repeats = createRepeats(() => time)
    repeats.note('key', 'victim')
    let written = 0
    for (let at = 0; at < 100_000; at++) written += Number(repeats.note('key', `${at}`).write)
    expect(written).to.be.below(10_000)
    expect(repeats.note('key', 'victim').write).to.equal(false)
    time = 30_000
    expect(repeats.note('key', 'newcomer').write).to.equal(true)
    expect(repeats.note('key', 'victim').write).to.equal(true)
  })

  it('tells once what was left out after the last line', () => {
    let time = 0
    const { note, flush, told } = createRepeats(() => time)
    for (let count = 0; count < 4; count++) note('key', 'A')
    note('key', 'B')
    flush()
    flush()
    expect(told).to.deep.equal([[3, 'A key']])
    note('key', 'A')
    time = 30_000
    expect(note('key', 'A')).to.deep.equal({ write: true, omitted: 1 })
  })

  it('tells what was left out of keys and owners that are deleted for their age', () => {
    let time = 0
    const { note, told } = createRepeats(() => time)
    for (let count = 0; count < 4; count++) note('key', 'A')
    for (let at = 0; at < 31; at++) note(`${at}`, 'A')
    for (let at = 0; at < 4095; at++) note('key', `${at}`)
    time = 30_000
    note('new key', 'A')
    expect(told).to.deep.equal([[3, 'A key']])
    time = 60_000
    note('0', 'A')
    note('0', 'A')
    time = 90_000
    for (let at = 0; at < 4096; at++) note('key', `new ${at}`)
    expect(told).to.deep.equal([
      [3, 'A key'],
      [1, 'A 0'],
    ])
  })

  it('tells no subject of lines that share a limit', () => {
    const { note, flush, told } = createRepeats(() => 0)
    for (let at = 0; at < 40; at++) note(`${at}`)
    flush()
    expect(told).to.deep.equal([[7, undefined]])
  })
})
