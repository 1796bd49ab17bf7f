import { expect } from 'chai'
import { createOutgoingBodies } from '../../src/serve/report/body.ts'

describe('bodies that are being sent', () => {
  it('count once, for the organization of the first client, until the last one ends', () => {
    const outgoing = createOutgoingBodies(100)
    const body = Buffer.alloc(50)
    const [endOfFirst, endOfOther] = ['first', 'other'].map(one => outgoing.begin(one, body))
    const another = Buffer.alloc(50)
    const fits = () => ['first', 'other'].map(one => outgoing.fits(one, another))
    expect([outgoing.byteCount(), ...fits()]).to.deep.equal([50, false, true])
    endOfFirst!()
    expect([outgoing.byteCount(), ...fits()]).to.deep.equal([50, false, true])
    endOfOther!()
    endOfOther!()
    expect([outgoing.byteCount(), ...fits()]).to.deep.equal([0, true, true])
  })
})
