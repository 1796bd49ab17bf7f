import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { startProxy } from './proxy.ts'
import type { Proxy, Toxics } from './proxy.ts'

describe('the proxy of the fault bench', () => {
  const sent = Buffer.from('0123456789'.repeat(1000))
  let proxy: Proxy
  const server = createServer(socket => {
    socket.on('error', () => undefined).end(sent)
  })
  before(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    proxy = await startProxy((server.address() as AddressInfo).port)
  })
  afterEach(() => proxy.heal())
  after(async () => {
    await proxy.close()
    server.close()
  })

  /** All that comes, and how the connection ended. */
  function read(): Promise<{ bytes: Buffer; pieces: number; error: string | undefined }> {
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let error: string | undefined
      connect(proxy.port, '127.0.0.1')
        .on('data', chunk => chunks.push(chunk))
        .on('error', (found: NodeJS.ErrnoException) => (error = found.code))
        .on('close', () => resolve({ bytes: Buffer.concat(chunks), pieces: chunks.length, error }))
    })
  }

  const harmless: Array<[string, Toxics]> = [
    ['nothing', {}],
    ['slices', { sliceBytes: 7 }],
    ['latency', { latencyMs: 30 }],
    ['a narrow band', { bytesPerSecond: 100_000 }],
  ]
  for (const [what, toxics] of harmless) {
    it(`passes on every byte through ${what}`, async () => {
      proxy.hurt(toxics, 'toClient')
      const { bytes, error } = await read()
      expect([bytes.equals(sent), error]).to.deep.equal([true, undefined])
    })
  }

  it('resets after so many bytes', async () => {
    proxy.hurt({ sliceBytes: 100, resetAfterBytes: 500 }, 'toClient')
    const { bytes, error } = await read()
    expect(bytes.length).to.be.at.most(500)
    expect(error).to.equal('ECONNRESET')
  })

  it('holds what a blackhole swallows until it is healed', async () => {
    proxy.hurt({ blackhole: true }, 'toClient')
    let isOver = false
    const reading = read().then(found => {
      isOver = true
      return found
    })
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(isOver).to.equal(false)
    proxy.heal()
    expect((await reading).bytes.equals(sent)).to.equal(true)
  })

  it('refuses connections while it is cut, and takes them once it is mended', async () => {
    await proxy.cut()
    expect((await read()).error).to.equal('ECONNREFUSED')
    await proxy.mend()
    expect((await read()).bytes.equals(sent)).to.equal(true)
  })
})
