import { expect } from 'chai'
import type { Client } from 'pg'
import { sharedCluster } from '../harness/cluster.ts'
import { startProxy } from '../harness/proxy.ts'
import { reasonOf } from './execute.ts'
import { connected, connectionStream, hex, hexRows, keepingSink, runFor, slices } from './rows.ts'

const BREAKS_AT_1000 = `select n, repeat('я', 50), 1 / (1000 - n) from generate_series(1, 2000) as n`
// In the select list, and not after `from`, where PostgreSQL would make all of it first.
const FOR_EVER = `select generate_series(1, 20000000), repeat('я', 50)`

for (const way of ['tap', 'pg'] as const) {
  describe(`runStatement, with rows by way of ${way}`, function () {
    this.timeout(60_000)
    let url: string
    let client: Client

    before(async () => {
      url = (await sharedCluster()).replicaUrl
    })
    beforeEach(async () => {
      client = await connected(url, way)
    })
    afterEach(() => client.end())

    it('hands over the rows before an error, and the connection goes on', async () => {
      const sink = keepingSink()
      const error = await reasonOf(runFor(client, BREAKS_AT_1000, sink))
      expect(error).to.include({ code: '22012', severity: 'ERROR' })
      expect(sink.rowCount()).to.equal(999)
      expect(await hexRows(client, "select 'next'")).to.deep.equal([[hex('next')]])
    })

    it('rejects with what the sink threw, and hands over nothing after it', async () => {
      const thrown = new Error('enough')
      const fail = (): never => {
        throw thrown
      }
      const atTen = keepingSink(rowCount => rowCount < 10 || fail())
      expect(await reasonOf(runFor(client, FOR_EVER, atTen))).to.equal(thrown)
      expect(atTen.rowCount()).to.equal(10)
      const atOnce = { ...keepingSink(), begin: fail }
      expect(await reasonOf(runFor(client, FOR_EVER, atOnce))).to.equal(thrown)
      expect(atOnce.rowCount()).to.equal(0)
    })

    it('waits for a slow reader, and loses nothing', async () => {
      let resume = (): void => {}
      let pauses = 0
      const sink = keepingSink(rowCount => {
        if (rowCount % 6000 !== 0) return true
        pauses += 1
        setImmediate(() => {
          expect(connectionStream(client).isPaused()).to.equal(true)
          resume()
        })
        return false
      })
      const begin: typeof sink.begin = start => {
        resume = () => start.resume()
      }
      const text = `select n, repeat('я', 50) from generate_series(1, 20000) as n`
      await runFor(client, text, { ...sink, begin })
      expect(pauses).to.equal(3)
      const expected = Array.from({ length: 20_000 }, (_, at) => hex(String(at + 1)))
      expect(sink.rows.map(([n]) => n)).to.deep.equal(expected)
    })

    it('rejects when the connection is lost in the middle', async () => {
      const proxy = await startProxy(url)
      const cut = await connected(proxy.url, way, slices(1000))
      let lost: Promise<void> | undefined
      const sink = keepingSink(rowCount => {
        if (rowCount === 100) lost = proxy.cut()
        return true
      })
      expect(await reasonOf(runFor(cut, FOR_EVER, sink))).to.be.instanceOf(Error)
      await lost
      expect(sink.rowCount()).to.be.greaterThan(99)
    })

    it('begins without rows, and without a result', async () => {
      const none = keepingSink()
      await runFor(client, 'select 1 as one where false', none)
      expect(none.names).to.deep.equal(['one'])
      await runFor(client, "set application_name = 'quiet'", none)
      expect(none.rowCount()).to.equal(0)
    })
  })
}
