import { expect } from 'chai'
import { openConnection, type RawConnection } from '../harness/raw-socket.ts'
import { until } from '../harness/until.ts'
import { shopsGateway, type World } from '../harness/shops-gateway.ts'
import { coldPath, folderWithHeldReport, holdReports, inFlight, requestOf } from './gateways.ts'

const VALID = requestOf('/ping')
const WITHOUT_KEY = requestOf('/ping', '')
const OF_OTHER = requestOf('/ping', 'X-Api-Key: key of shop 2\r\n')
const UNKNOWN_KEY = requestOf('/ping', 'X-Api-Key: no such key\r\n')
const OK = /^HTTP\/1\.1 200 /

/** @returns a function that opens connections, which are closed after the test */
function connectionsOf(world: World): (count: number) => Promise<RawConnection[]> {
  let opened: RawConnection[] = []
  afterEach(async () => {
    for (const connection of opened) connection.destroy()
    opened = []
    // why: the gateway observes the closed connections with a delay
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

  it('are closed for a new one: first the oldest without a valid key, then the longest idle', async () => {
    const before = closedAtLimit()
    const all = await open(5)
    await all[1]!.ask(VALID)
    await all[4]!.ask(WITHOUT_KEY)
    // why: in its first second, a connection goes after those of an organization with more than its share
    await new Promise(resolve => setTimeout(resolve, 1100))
    for (const at of [0, 2, 3, 4]) {
      const fresh = await one()
      await all[at]!.closed
      expect(await fresh.ask(VALID)).to.match(OK)
    }
    expect(closedAtLimit() - before).to.equal(4)
    // All connections have had a valid key by now, and all[1] has been idle for longest.
    const fresh = await one()
    await all[1]!.closed
    expect(await fresh.ask(VALID)).to.match(OK)
  })

  it('of an organization that has more than its share are closed for new ones', async () => {
    const [other, ...most] = await open(5)
    await other!.ask(OF_OTHER)
    for (const connection of most) await connection.ask(VALID)
    for (const at of [0, 1]) {
      const fresh = await one()
      await most[at]!.closed
      expect(await fresh.ask(OF_OTHER)).to.match(OK)
    }
    expect(await other!.ask(OF_OTHER)).to.match(OK)
  })

  it('have a second for their first request, while an organization has more than its share', async () => {
    for (const connection of await open(5)) await connection.ask(VALID)
    const [slow] = await open(3)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(await slow!.ask(OF_OTHER)).to.match(OK)
  })

  it('are closed in the order of their last requests', async () => {
    const all = await open(5)
    for (const connection of [...all, all[0]!]) await connection.ask(VALID)
    expect(await (await one()).ask(VALID)).to.match(OK)
    await all[1]!.closed
    expect(await all[0]!.ask(VALID)).to.match(OK)
  })

  it('are not closed while they have requests in flight: the new one is closed', async () => {
    const release = await holdReports(world.shops)
    const all = await open(5)
    const responses = all.map((connection, n) => connection.ask(requestOf(coldPath('held', n))))
    await until(async () => (await inFlight(world.gateway)) === 5)
    await (
      await one()
    ).closed
    await release()
    for (const response of await Promise.all(responses)) expect(response).to.match(OK)
  })

  it('stay open for a valid key during a flood of connections without keys', async () => {
    const stop = new AbortController()
    const flood = (async () => {
      while (!stop.signal.aborted) {
        ;(await one()).send('GET /')
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    })()
    const valid = await one()
    for (let n = 0; n < 50; n += 1) expect(await valid.ask(VALID)).to.match(OK)
    stop.abort()
    await flood
  })
})

describe('a connection without a valid key', () => {
  const world = shopsGateway({}, { limits: { maxUnauthorizedInARow: 6 } })
  const open = connectionsOf(world)

  it('is closed after the maximum number of consecutive responses 401', async () => {
    const [withoutKey, withKey] = await open(2)
    for (let n = 0; n < 5; n += 1) await withKey!.ask(WITHOUT_KEY)
    await withKey!.ask(VALID)
    for (const connection of [withoutKey!, withKey!]) {
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
  const world: World = shopsGateway({ TRUST_PROXY: '127.0.0.1' })
  const open = connectionsOf(world)

  it('is not closed for responses 401 with TRUST_PROXY', async () => {
    const [proxy] = await open(1)
    for (let n = 0; n < 50; n += 1) {
      expect(await proxy!.ask(WITHOUT_KEY)).to.match(/\r\nConnection: keep-alive\r\n/)
    }
  })
})
