import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { etagOf, makeBody } from '../../src/reports/body.ts'
import { codedBody, codedEtag, LEAST_CODED_BYTES } from '../../src/reports/coded.ts'
import { CODINGS, compress } from '../../src/reports/coding.ts'
import type { Coding } from '../../src/reports/coding.ts'
import { decoded, registerText } from './decoded.ts'

const never = { organizationId: '1', signal: new AbortController().signal }

const bodyOf = (bytes: Buffer) => makeBody(bytes, etagOf(bytes), 7, '2026-11-22T10:00:00Z')

describe('coded bodies', () => {
  for (const coding of ['identity', 'gzip', 'br', 'zstd'] as const) {
    if (coding !== 'identity' && !CODINGS.includes(coding)) {
      it(`in ${coding}: SKIPPED, Node ${process.version} has none`)
      continue
    }
    it(`give the same bytes again that were coded in ${coding}`, async () => {
      for (const rowCount of [100, 5000]) {
        const text = registerText(rowCount)
        const coded = await compress(text, coding, never)
        expect((await decoded(coded, coding)).equals(text)).to.equal(true)
        expect((await compress(text, coding, never)).equals(coded), 'coded alike').to.equal(true)
      }
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async bytes => {
          const coded = await compress(Buffer.from(bytes), coding, never)
          expect((await decoded(coded, coding)).equals(bytes)).to.equal(true)
        }),
        { numRuns: 30 },
      )
    })
  }

  for (const coding of CODINGS) {
    it(`in ${coding} are a fifth as large at most, and are otherwise as they were`, async () => {
      const body = bodyOf(registerText(3000))
      const { bytes, etag, ...rest } = await codedBody(body, coding, never)
      expect((await decoded(bytes, coding)).equals(body.bytes)).to.equal(true)
      expect(bytes.length).to.be.lessThan(body.byteCount / 5)
      const { kind, rowCount, dataAsOf } = body
      const byteCount = bytes.length
      expect(rest).to.deep.equal({ kind, rowCount, dataAsOf, byteCount, coding })
      expect(etag).to.equal(codedEtag(body.etag, coding))
    })

    it(`stay as they are where ${coding} is not worth it`, async () => {
      const small = bodyOf(Buffer.alloc(LEAST_CODED_BYTES - 1, 'a'))
      const noise = bodyOf(randomBytes(100_000))
      for (const body of [small, noise]) {
        const { bytes, etag, coding: found } = await codedBody(body, coding, never)
        expect([found, etag, bytes === body.bytes]).to.deep.equal(['identity', body.etag, true])
      }
      const least = bodyOf(Buffer.alloc(LEAST_CODED_BYTES, 'a'))
      expect(await codedBody(least, coding, never)).to.include({ coding })
    })
  }

  it('stay as they are where no coding is asked for', async () => {
    const body = bodyOf(Buffer.alloc(5000, 'a'))
    expect(await codedBody(body, 'identity', never)).to.deep.equal({ ...body, coding: 'identity' })
  })

  it('have an ETag of their own in each coding, strong, and the same for the same bytes', async () => {
    const etags = new Set<string>()
    for (const coding of ['identity', ...CODINGS] as const) {
      const { etag } = await codedBody(bodyOf(registerText(100)), coding, never)
      expect((await codedBody(bodyOf(registerText(100)), coding, never)).etag).to.equal(etag)
      expect((await codedBody(bodyOf(registerText(101)), coding, never)).etag).not.to.equal(etag)
      expect(etag).to.match(/^"[\w-]+"$/)
      etags.add(etag)
    }
    expect(etags.size).to.equal(1 + CODINGS.length)
  })

  it('that nobody waits for any more when their turn comes are not coded', async () => {
    const large = registerText(20_000)
    const signal = AbortSignal.abort(new Error('the client is gone'))
    const first = compress(large, 'gzip', never)
    const thrown = await compress(large, 'gzip', { ...never, signal }).catch(
      (error: Error) => error.message,
    )
    expect(thrown).to.equal('the client is gone')
    const coded = await compress(large, 'gzip', never)
    expect(coded.equals(await first)).to.equal(true)
  })

  it('say which coding this Node has not', async () => {
    const thrown = await compress(Buffer.alloc(1), 'deflate' as Coding, never).catch(
      (error: Error) => error,
    )
    expect(thrown).to.include({
      message: `found the coding deflate, expected one that this Node has: ${CODINGS.join(', ')}`,
    })
  })
})
