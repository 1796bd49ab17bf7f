import { expect } from 'chai'
import { openConnection } from '../harness/raw-socket.ts'
import type { RawConnection } from '../harness/raw-socket.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import type { World } from '../harness/shops-gateway.ts'
import { coldPath, folderWithHeldReport, holdReports, inFlight, requestOf } from './gateways.ts'

const VALID = requestOf('/ping')
const WITHOUT_KEY = requestOf('/ping', '')
const UNKNOWN_KEY = requestOf('/ping', 'X-Api-Key: no such key\r\n')
const OK = /^HTTP\/1\.1 200 /

/** @returns what opens connections, which are closed after their test */
function connectionsOf(world: World): (count: number) => Promise<RawConnection[]> {
  let opened: RawConnection[] = []
  afterEach(async () => {
    for (const connection of opened) connection.destroy()
    opened = []
    // why: the gateway notices a little later that they are closed
    await new Promise(resolve => setTimeout(resolve, 100))
  })
  return async count => {
    const fresh: RawConnection[] = []
    for (let n = 0; n < count; n += 1) fresh.push(await openConnection(world.gateway.url))
    opened.push(...fresh)
    return fresh
  }
}

describe('connections at MAX_CONNECTIONS', () => {
  const SQL_DIR = folderWithHeldReport()
  const world = shopsGateway({ SQL_DIR, MAX_CONNECTIONS: '5' })
  const open = connectionsOf(world)
  const one = async (): Promise<RawConnection> => (await open(1))[0]!

  const closedAtLimit = (): number =>
    world.gateway.observations.filter(
      fact => fact.kind === 'connection-closed' && fact.reason === 'limit',
    ).length

  it('make room for a new one: the longest without a valid key, then the longest idle', async () => {
    const before = closedAtLimit()
    const all = await open(5)
    await all[1]!.ask(VALID)
    await all[4]!.ask(WITHOUT_KEY)
    for (const at of [0, 2, 3, 4]) {
      const fresh = await one()
      await all[at]!.closed
      expect(await fresh.ask(VALID)).to.match(OK)
    }
    expect(closedAtLimit() - before).to.equal(4)
    // From here on each has had a valid key, and the one that is left asked first.
    const fresh = await one()
    await all[1]!.closed
    expect(await fresh.ask(VALID)).to.match(OK)
  })

  it('make room for a new one by the order of their last requests', async () => {
    const all = await open(5)
    for (const connection of [...all, all[0]!]) await connection.ask(VALID)
    expect(await (await one()).ask(VALID)).to.match(OK)
    await all[1]!.closed
    expect(await all[0]!.ask(VALID)).to.match(OK)
  })

  it('refuse the new one if all have requests in flight', async () => {
    const release = await holdReports(world.shops)
    const all = await open(5)
    const responses = all.map((connection, n) => connection.ask(requestOf(coldPath('held', n))))
    await until(async () => (await inFlight(world.gateway)) === '5')
    await (
      await one()
    ).closed
    await release()
    for (const response of await Promise.all(responses)) expect(response).to.match(OK)
  })

  it('are open to a key while strangers take all that there are, again and again', async () => {
    const over = new AbortController()
    const strangers = (async () => {
      while (!over.signal.aborted) {
        ;(await one()).send('GET /')
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    })()
    const own = await one()
    for (let n = 0; n < 50; n += 1) expect(await own.ask(VALID)).to.match(OK)
    over.abort()
    await strangers
  })
})

describe('a connection without a valid key', () => {
  const world = shopsGateway({ KEEP_ALIVE_WITHOUT_KEY: '1s', MAX_UNAUTHORIZED_IN_A_ROW: '6' })
  const open = connectionsOf(world)
  const kept = (seconds: number): RegExp => new RegExp(`\r\nKeep-Alive: timeout=${seconds}\r\n`)

  it('is kept for a short time, which is announced; one with a key, or that asks again, for longer', async () => {
    const [none, unknown, asking, holder] = (await open(4)) as [
      RawConnection,
      RawConnection,
      RawConnection,
      RawConnection,
    ]
    expect(await holder.ask(WITHOUT_KEY)).to.match(kept(1))
    for (const request of [VALID, WITHOUT_KEY]) expect(await holder.ask(request)).to.match(kept(75))
    expect(await none.ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).to.match(/^HTTP\/1\.1 404 /)
    const startedAt = performance.now()
    expect(await none.ask(WITHOUT_KEY)).to.match(kept(1))
    expect(await unknown.ask(UNKNOWN_KEY)).to.match(kept(1))
    for (const request of [WITHOUT_KEY, UNKNOWN_KEY, WITHOUT_KEY, UNKNOWN_KEY]) {
      expect(await asking.ask(request)).to.match(/^HTTP\/1\.1 401 /)
      await new Promise(resolve => setTimeout(resolve, 400))
    }
    await Promise.all([none.closed, unknown.closed])
    expect(performance.now() - startedAt).to.be.within(950, 10_000)
    expect(asking.isClosed()).to.equal(false)
    expect(await holder.ask(VALID)).to.match(OK)
  })

  it('is closed with the last of so many responses 401 in a row', async () => {
    const [stranger, holder] = await open(2)
    for (let n = 0; n < 5; n += 1) await holder!.ask(WITHOUT_KEY)
    await holder!.ask(VALID)
    for (const connection of [stranger!, holder!]) {
      for (let n = 1; n <= 6; n += 1) {
        const end = n === 6 ? 'close' : 'keep-alive'
        expect(await connection.ask(n % 2 ? UNKNOWN_KEY : WITHOUT_KEY), `${n}`).to.match(
          new RegExp(`^HTTP/1\\.1 401 [^]*\r\nConnection: ${end}\r\n`),
        )
      }
      await connection.closed
    }
  })
})

describe('a connection of a proxy', () => {
  const world: World = shopsGateway({ MAX_UNAUTHORIZED_IN_A_ROW: '0' })
  const open = connectionsOf(world)

  it('is never closed for its responses 401, where the setting says so', async () => {
    const [proxy] = await open(1)
    for (let n = 0; n < 50; n += 1) {
      expect(await proxy!.ask(WITHOUT_KEY)).to.match(/\r\nConnection: keep-alive\r\n/)
    }
  })
})
