import { expect } from 'chai'
import * as fc from 'fast-check'
import { readApiKey } from '../../src/access/api-key.ts'
import { createKeyMemo } from '../../src/access/key-memo.ts'

const headers = fc.option(
  fc.oneof(
    fc.constantFrom('Bearer k1', 'bearer  k1 ', 'Digest x', '', 'Basic OmsxOmI=', 'k\u00ff'),
    fc.string({ maxLength: 600 }),
  ),
  { nil: undefined },
)

describe('createKeyMemo', () => {
  it('reads what readApiKey reads, the first time and again', () => {
    const read = createKeyMemo()
    fc.assert(
      fc.property(headers, headers, (authorization, apiKey) => {
        const expected = readApiKey({
          ...(authorization !== undefined && { authorization: [authorization] }),
          ...(apiKey !== undefined && { 'x-api-key': [apiKey] }),
        })
        expect(read(authorization, apiKey)).to.deep.equal(expected)
        expect(read(authorization, apiKey)).to.deep.equal(expected)
      }),
    )
  })

  it('reads rightly however many different headers come', () => {
    const read = createKeyMemo()
    for (let n = 0; n < 25_000; n += 1) read(`Bearer ${n}`, undefined)
    expect(read('Bearer 7', undefined)).to.deep.equal(readApiKey({ authorization: ['Bearer 7'] }))
  })
})
