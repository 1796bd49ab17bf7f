import type { Socket } from 'node:net'
import { expect } from 'chai'
import type { Client } from 'pg'
import { classify } from '../../src/serve/replica/classify-error.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { startProxy } from '../harness/proxy.ts'
import { reasonOf } from './execute.ts'
import { begin, connected, connectionStream, hex, hexRows, read, readAll, slices } from './rows.ts'

async function readBatches(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}

const BREAKS_AT_1000 = `select n, repeat('я', 50), 1 / (1000 - n) from generate_series(1, 2000) as n`
// In the select list instead of after `from`, where PostgreSQL would materialize all rows first.
const FOR_EVER = `select generate_series(1, 20000000), repeat('я', 50)`
const MANY = `select n, repeat('я', 50) from generate_series(1, 20000) as n`

describe('an execution', function () {
  this.timeout(60_000)
  let url: string
  let client: Client

  before(async () => {
    url = (await sharedCluster()).replicaUrl
  })
  beforeEach(async () => {
    client = await connected(url)
  })
  afterEach(() => client.end())

  it('fails with the error of a later row, and the connection stays usable', async () => {
    let rowCount = 0
    const onRow = (count: number): void => void (rowCount = count)
    const error = await reasonOf(readAll(client, BREAKS_AT_1000, { onRow }))
    expect(error).to.include({ code: '22012', severity: 'ERROR' })
    expect(rowCount).to.be.at.most(999)
    expect(await hexRows(client, "select 'next'")).to.deep.equal([[hex('next')]])
  })

  it('ends when its reader throws, and the connection stays usable', async () => {
    const thrown = new Error('enough')
    let rowCount = 0
    const onRow = (count: number): void => {
      rowCount = count
      if (count === 10) throw thrown
    }
    expect(await reasonOf(readAll(client, FOR_EVER, { onRow }))).to.equal(thrown)
    expect(rowCount).to.equal(10)
    expect(await hexRows(client, "select 'next'")).to.deep.equal([[hex('next')]])
  })

  it('applies backpressure for a slow reader, and loses nothing', async () => {
    const { started, idle } = begin(client, MANY)
    const { batches } = await started
    const stream = connectionStream(client)
    expect(stream.isPaused()).to.equal(true)
    await new Promise(resolve => setTimeout(resolve, 50))
    const { bytesRead } = stream as unknown as { bytesRead: number }
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(stream, 'while nobody reads').to.have.property('bytesRead', bytesRead)
    const { rows } = await read({ fields: [], batches, timeEachBatch() {} })
    const expected = Array.from({ length: 20_000 }, (_, at) => hex(String(at + 1)))
    expect(rows.map(([n]) => n)).to.deep.equal(expected)
    await idle
    expect(stream.isPaused()).to.equal(false)
  })

  it('delivers batches that later ones do not change', async () => {
    const { started } = begin(client, MANY)
    const { batches } = await started
    const found: Array<{ readonly batch: Buffer; readonly copy: Buffer }> = []
    for await (const batch of batches) found.push({ batch, copy: Buffer.from(batch) })
    expect(found.length).to.be.greaterThan(5)
    for (const { batch, copy } of found) expect(batch.equals(copy)).to.equal(true)
  })

  it('does not count time of its reader for the timeout', async () => {
    const timeoutMs = 300
    const { started, idle } = begin(client, MANY, { timeoutMs })
    const { batches } = await started
    await new Promise(resolve => setTimeout(resolve, 2 * timeoutMs))
    let batchCount = 0
    for await (const batch of batches) batchCount += batch.length > 0 ? 1 : 0
    expect(batchCount).to.be.greaterThan(5)
    expect(await idle).to.equal(undefined)
  })

  it('fails when the connection breaks during the result', async () => {
    const proxy = await startProxy(url)
    const cut = await connected(proxy.url, slices(1000))
    let lost: Promise<void> | undefined
    let rowCount = 0
    const onRow = (count: number): void => {
      rowCount = count
      if (count === 100) lost = proxy.cut()
    }
    expect(await reasonOf(readAll(cut, FOR_EVER, { onRow }))).to.be.instanceOf(Error)
    await lost
    expect(rowCount).to.be.greaterThan(99)
  })

  for (const code of ['EIO', 'ENOTCONN', 'ERR_STREAM_DESTROYED']) {
    it(`may be retried when its connection breaks with ${code}`, async () => {
      const cut = await connected(url)
      const { started, idle } = begin(cut, FOR_EVER)
      const { batches } = await started
      const stream = connectionStream(cut) as Socket
      stream.destroy(Object.assign(new Error('broken'), { code }))
      expect(classify(await reasonOf(readBatches(batches))).remedy).to.equal('transport')
      await idle
    })
  }

  it('has fields without rows, and none without a result', async () => {
    expect(await readAll(client, 'select 1 as one where false')).to.deep.equal({
      names: ['one'],
      rows: [],
    })
    expect((await readAll(client, "set application_name = 'quiet'")).rows).to.deep.equal([])
  })

  it('fails for its reader at once when it is aborted, and is idle once it is cancelled', async () => {
    const abort = new AbortController()
    const { started, idle } = begin(client, FOR_EVER, { signal: abort.signal })
    const { batches } = await started
    const reason = new Error('aborted')
    abort.abort(reason)
    expect(await reasonOf(batches.next())).to.equal(reason)
    expect(await idle).to.deep.equal({ reason })
    expect(await hexRows(client, "select 'next'")).to.deep.equal([[hex('next')]])
  })

  it('that is not read ends with its signal, too', async () => {
    const abort = new AbortController()
    const { started, idle } = begin(client, 'select pg_sleep(60)', { signal: abort.signal })
    const reason = reasonOf(started)
    await new Promise(resolve => setTimeout(resolve, 50))
    abort.abort(new Error('aborted'))
    expect(await reason).to.equal(abort.signal.reason)
    await idle
    expect(await hexRows(client, "select 'next'")).to.deep.equal([[hex('next')]])
  })
})
