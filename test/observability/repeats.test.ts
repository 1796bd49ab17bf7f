import { expect } from 'chai'
import { createRepeats } from '../../src/observability/repeats.ts'

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
})
