import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { readApiKey } from '../../src/access/api-key.ts'

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')
const read = (headers: NodeJS.Dict<string[]>) => {
  const key = readApiKey(headers)
  return key.kind === 'key' ? key.hash : key.kind
}
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

describe('readApiKey', () => {
  it('takes Bearer in any case, blanks around the key dropped', () => {
    for (const value of ['Bearer k1', 'bearer k1', 'BEARER   k1 ']) {
      expect(read({ authorization: [value] }), value).to.equal(sha256('k1'))
    }
  })

  it('takes X-Api-Key', () => {
    expect(read({ 'x-api-key': ['k1'] })).to.equal(sha256('k1'))
  })

  it('takes the password of Basic, or else the user name', () => {
    expect(read({ authorization: [basic('user:k1')] })).to.equal(sha256('k1'))
    expect(read({ authorization: [basic('k1:')] })).to.equal(sha256('k1'))
    expect(read({ authorization: [basic(':k:1')] })).to.equal(sha256('k:1'))
  })

  it('prefers Authorization', () => {
    expect(read({ authorization: ['Bearer k1'], 'x-api-key': ['k2'] })).to.equal(sha256('k1'))
  })

  it('finds no key in another scheme, an empty value, a repeated header or a broken Basic', () => {
    const none = [
      ['Digest k1'],
      ['k1'],
      ['Bearer'],
      ['Bearer '],
      [''],
      ['Bearer k1', 'Bearer k1'],
      [basic(':')],
      ['Basic ***'],
      [`Basic ${Buffer.from('no colon').toString('base64')}`],
    ]
    for (const authorization of none) {
      expect(read({ authorization }), authorization.join()).to.equal('none')
      expect(read({ authorization, 'x-api-key': ['k2'] }), authorization.join()).to.equal(
        sha256('k2'),
      )
    }
    expect(read({ 'x-api-key': ['k1', 'k1'] })).to.equal('none')
    expect(read({ 'x-api-key': [' '] })).to.equal('none')
    expect(read({})).to.equal('none')
  })

  it('refuses without a look-up what no key can be', () => {
    expect(read({ 'x-api-key': ['k'.repeat(512)] })).to.equal(sha256('k'.repeat(512)))
    expect(read({ 'x-api-key': ['k'.repeat(513)] })).to.equal('impossible')
    expect(read({ 'x-api-key': ['ключ'] })).to.equal('impossible')
    expect(read({ 'x-api-key': ['k\t1'] })).to.equal('impossible')
    expect(read({ 'x-api-key': ['\u00a0k1'] })).to.equal('impossible')
    expect(read({ authorization: [basic('user:ключ')] })).to.equal('impossible')
  })
})
