import { expect } from 'chai'
import { lies } from './entries.ts'

const at = Date.parse('2026-11-22T10:00:00Z')
const commits = [at - 30, at - 20, at, at + 10]

function said(shown: number, latest = shown): string[] {
  const headers = { 'data-as-of': '2026-11-22T10:00:00.000Z' }
  return [...lies([{ entries: { shown, latest }, headers }], commits)]
}

describe('the oracle of Data-As-Of', () => {
  it('takes a body that shows all that was committed by then, or more', () => {
    expect([...said(3), ...said(4)]).to.deep.equal([])
  })

  it('names what a body lacks, and how long it had been there', () => {
    expect(said(1)).to.deep.equal([
      'a body of Data-As-Of 2026-11-22T10:00:00.000Z shows 1 entries, 3 were committed: it lacks what is 20.0 ms older',
    ])
  })

  it('names a body with a hole in it', () => {
    expect(said(3, 4)).to.deep.equal(['a body shows 3 of the first 4 entries'])
  })
})
