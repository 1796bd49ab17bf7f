import { expect } from 'chai'
import type { Client } from 'pg'
import { Problem } from '../../src/errors.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startProxy } from '../harness/proxy.ts'
import { connected, connectionStream, hex, hexRows, keepingSink, runFor, slices } from './rows.ts'

const BREAKS_AT_1000 = `select n, repeat('я', 50), 1 / (1000 - n) from generate_series(1, 2000) as n`
// In the select list, and not after `from`, where PostgreSQL would make all of it first.
const FOR_EVER = `select generate_series(1, 20000000), repeat('я', 50)`

const failure = (run: Promise<void>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

for (const way of ['tap', 'pg'] as const) {
  describe(`runStatement, with rows by way of ${way}`, () => {
    let url: string
    let client: Client

    before(async function () {
      this.timeout(30_000)
      url = (await sharedCluster()).replicaUrl
    })
    beforeEach(async () => {
      client = await connected(url, way)
    })
    afterEach(() => client.end())

    it('hands over the rows before an error, and the connection goes on', async () => {
      const sink = keepingSink()
      const error = await failure(runFor(client, BREAKS_AT_1000, sink))
      expect(error).to.include({ code: '22012', severity: 'ERROR' })
      expect(sink.rowCount()).to.equal(999)
      expect(await hexRows(client, "select 'next'")).to.deep.equal([[hex('next')]])
    })

    it('rejects with what the sink threw, and hands over nothing after it', async () => {
      const thrown = new Error('enough')
      const sink = keepingSink(rowCount => {
        if (rowCount === 10) throw thrown
        return true
      })
      expect(await failure(runFor(client, FOR_EVER, sink))).to.equal(thrown)
      expect(sink.rowCount()).to.equal(10)
    })

    it('rejects with what the sink threw before the first row', async () => {
      const thrown = new Error('wrong columns')
      const sink = {
        ...keepingSink(),
        begin() {
          throw thrown
        },
      }
      expect(await failure(runFor(client, FOR_EVER, sink))).to.equal(thrown)
      expect(sink.rowCount()).to.equal(0)
    })

    it('ends in time, and when nobody wants it any more', async () => {
      const late = failure(runFor(client, 'select pg_sleep(20)', keepingSink(), { timeoutMs: 50 }))
      expect(await late)
        .to.be.instanceOf(Problem)
        .and.to.include({ code: 'report_timeout' })
      const other = await connected(url, way)
      const controller = new AbortController()
      const { signal } = controller
      const left = failure(runFor(other, 'select pg_sleep(20)', keepingSink(), { signal }))
      controller.abort(new Error('nobody'))
      expect(await left).to.include({ message: 'nobody' })
      await other.end()
    })

    it('waits for a slow reader, and loses nothing', async () => {
      let resume = (): void => {}
      let pauses = 0
      const sink = keepingSink(rowCount => rowCount % 6000 !== 0)
      const slow = {
        ...sink,
        begin: (start: Parameters<typeof sink.begin>[0]) => {
          resume = () => start.resume()
          sink.begin(start)
        },
        row(row: Parameters<typeof sink.row>[0]) {
          const more = sink.row(row)
          if (!more) {
            pauses += 1
            setImmediate(() => {
              expect(connectionStream(client).isPaused()).to.equal(true)
              resume()
            })
          }
          return more
        },
      }
      await runFor(client, `select n, repeat('я', 50) from generate_series(1, 20000) as n`, slow)
      expect(pauses).to.equal(3)
      expect(sink.rows.map(([n]) => n)).to.deep.equal(
        Array.from({ length: 20_000 }, (_, at) => hex(String(at + 1))),
      )
    })

    it('rejects when the connection is lost in the middle', async () => {
      const proxy = await startProxy(url)
      const cut = await connected(proxy.url, way, slices(1000))
      let lost: Promise<void> | undefined
      const sink = keepingSink(rowCount => {
        if (rowCount === 100) lost = proxy.cut()
        return true
      })
      const error = await failure(runFor(cut, FOR_EVER, sink))
      await lost
      expect(error).to.be.instanceOf(Error)
      expect(sink.rowCount()).to.be.greaterThan(99)
    })

    it('begins where there are no rows, and where there is no result', async () => {
      const none = keepingSink()
      await runFor(client, 'select 1 as one where false', none)
      expect(none.names).to.deep.equal(['one'])
      await runFor(client, "set application_name = 'quiet'", none)
      expect(none.rowCount()).to.equal(0)
    })
  })
}
