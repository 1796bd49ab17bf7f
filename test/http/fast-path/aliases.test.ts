import { expect } from 'chai'
import { createAliases } from '../../../src/serve/http/fast-path/aliases.ts'
import type { AliasRequest } from '../../../src/serve/http/fast-path/aliases.ts'

const organization = { id: '1', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true }
const plain = { target: '/reports/a?from=2026-01-01', accept: '*/*', acceptEncoding: undefined }
const request: AliasRequest = { plain, organization, catalog: {} }
const MAX_BYTES = 1 << 20
const ADDED_MS = Date.parse('2026-12-31T12:00:00Z')
const LAST_MS = Date.parse('2026-12-31T20:59:59.999Z')

describe('createAliases', () => {
  const createWithAlias = () => {
    const aliases = createAliases<string>(MAX_BYTES)
    aliases.add(request, 'target', ADDED_MS, 300)
    return aliases
  }

  it('removes an invalid alias', () => {
    const aliases = createWithAlias()
    aliases.find({ ...request, catalog: {} }, LAST_MS)
    expect(aliases.find(request, LAST_MS)).to.equal(undefined)
    expect(aliases.byteCount()).to.equal(0)
  })

  it('counts its bytes, and limits an organization to its share', () => {
    const aliases = createWithAlias()
    expect(aliases.byteCount()).to.be.greaterThan(300 + plain.target.length)
    for (let n = 0; n < 1000; n += 1) {
      const other = { ...plain, target: `${plain.target}&n=${n}` }
      aliases.add({ ...request, plain: other }, 'target', ADDED_MS, 300)
    }
    expect(aliases.byteCount()).to.be.within(MAX_BYTES / 8, MAX_BYTES / 4)
  })
})
