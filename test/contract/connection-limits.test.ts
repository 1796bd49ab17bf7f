import { expect } from 'chai'
import { openConnection } from '../support/raw-socket.ts'
import type { RawConnection } from '../support/raw-socket.ts'
import { until } from '../support/until.ts'
import { shopsGateway } from '../support/world.ts'
import type { World } from '../support/world.ts'

const KEY = 'X-Api-Key: key of shop 1\r\n'
const requestOf = (path: string, headers: string): string =>
  `GET /api/public/v1${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const VALID = requestOf('/ping', KEY)
const WITHOUT_KEY = requestOf('/ping', '')
const UNKNOWN_KEY = requestOf('/ping', 'X-Api-Key: no such key\r\n')

describe('connections at MAX_CONNECTIONS', () => {
  const world = shopsGateway({ MAX_CONNECTIONS: '5' })
  let opened: RawConnection[] = []
  afterEach(async () => {
    for (const connection of opened) connection.destroy()
    opened = []
    // why: the gateway notices a little later that they are closed
    await new Promise(resolve => setTimeout(resolve, 100))
  })

  async function open(count: number): Promise<RawConnection[]> {
    const fresh: RawConnection[] = []
    for (let n = 0; n < count; n += 1) fresh.push(await openConnection(world.gateway.url))
    opened.push(...fresh)
    return fresh
  }

  const closedAtLimit = (): number =>
    world.gateway.observations.filter(
      fact => fact.kind === 'connection-closed' && fact.reason === 'limit',
    ).length

  it('make room for a new one: the longest without a valid key first', async () => {
    const before = closedAtLimit()
    const [first, second, third, fourth, fifth] = (await open(5)) as [
      RawConnection,
      ...RawConnection[],
    ]
    await second!.ask(VALID)
    await fifth!.ask(WITHOUT_KEY)
    for (const closed of [first, third, fourth, fifth]) {
      const [fresh] = await open(1)
      await closed!.closed
      expect(await fresh!.ask(VALID)).to.match(/^HTTP\/1\.1 200 /)
    }
    expect(second!.isClosed()).to.equal(false)
    expect(closedAtLimit() - before).to.equal(4)
  })

  it('make room for a new one: of those with a valid key the longest idle', async () => {
    const all = await open(5)
    for (const connection of all) await connection.ask(VALID)
    await all[0]!.ask(VALID)
    const [fresh] = await open(1)
    await all[1]!.closed
    expect(await fresh!.ask(VALID)).to.match(/^HTTP\/1\.1 200 /)
    expect(await all[0]!.ask(VALID)).to.match(/^HTTP\/1\.1 200 /)
  })

  it('refuse the new one if all have requests in flight', async () => {
    const all = await open(5)
    for (const connection of all) await connection.ask(VALID)
    const responses = all.map((connection, n) =>
      connection.ask(requestOf(`/reports/sleeps_two?to=2026-12-${10 + n}`, KEY)),
    )
    await until(async () => {
      const text = await (await fetch(`${world.gateway.opsUrl}/metrics`)).text()
      return /^svodka_http_requests_in_flight 5$/m.test(text)
    })
    const [refused] = await open(1)
    await refused!.closed
    for (const response of await Promise.all(responses)) {
      expect(response).to.match(/^HTTP\/1\.1 200 /)
    }
  })

  it('are open to a key while strangers take all that there are, again and again', async () => {
    const over = new AbortController()
    const strangers = (async () => {
      while (!over.signal.aborted) {
        const [stranger] = await open(1)
        stranger!.send('GET /')
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    })()
    const [own] = await open(1)
    for (let n = 0; n < 50; n += 1) expect(await own!.ask(VALID)).to.match(/^HTTP\/1\.1 200 /)
    over.abort()
    await strangers
  })
})

describe('a connection with too many pipelined requests', () => {
  const world = shopsGateway()

  it('is closed and counted once', async () => {
    const slow = requestOf('/reports/sleeps_two?to=2026-11-10', KEY)
    const allowed = await openConnection(world.gateway.url)
    expect(await allowed.ask(`${slow}${VALID.repeat(20)}`)).to.match(/^HTTP\/1\.1 200 /)
    allowed.destroy()
    const before = world.gateway.observations.length
    const connection = await openConnection(world.gateway.url)
    connection.send(`${slow}${VALID.repeat(100)}`)
    await connection.closed
    const closed = world.gateway.observations
      .slice(before)
      .filter(({ kind }) => kind === 'connection-closed')
    expect(closed).to.deep.equal([{ kind: 'connection-closed', reason: 'pipelined' }])
  })
})

describe('a connection without a valid key', () => {
  const world = shopsGateway({ KEEP_ALIVE_WITHOUT_KEY: '2s', MAX_UNAUTHORIZED_IN_A_ROW: '6' })
  const open = (): Promise<RawConnection> => openConnection(world.gateway.url)

  it('is kept for a short time, which is announced, and one with a key for longer', async () => {
    const [stranger, holder] = [await open(), await open()]
    expect(await stranger.ask(WITHOUT_KEY)).to.match(/\r\nKeep-Alive: timeout=2\r\n/)
    expect(await stranger.ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).to.match(
      /^HTTP\/1\.1 404 [^]*\r\nKeep-Alive: timeout=2\r\n/,
    )
    const startedAt = performance.now()
    expect(await holder.ask(WITHOUT_KEY)).to.match(/\r\nKeep-Alive: timeout=2\r\n/)
    expect(await holder.ask(VALID)).to.match(/\r\nKeep-Alive: timeout=75\r\n/)
    expect(await holder.ask(WITHOUT_KEY)).to.match(/\r\nKeep-Alive: timeout=75\r\n/)
    await stranger.closed
    expect(performance.now() - startedAt).to.be.greaterThan(1900)
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(await holder.ask(VALID)).to.match(/^HTTP\/1\.1 200 /)
    holder.destroy()
  })

  it('is kept as long with a key that no database knows', async () => {
    const stranger = await open()
    const startedAt = performance.now()
    expect(await stranger.ask(UNKNOWN_KEY)).to.match(/\r\nKeep-Alive: timeout=2\r\n/)
    await stranger.closed
    expect(performance.now() - startedAt).to.be.within(1900, 10_000)
  })

  it('is in time as long as it asks', async () => {
    const stranger = await open()
    for (let n = 0; n < 5; n += 1) {
      const request = n % 2 === 0 ? WITHOUT_KEY : UNKNOWN_KEY
      expect(await stranger.ask(request)).to.match(/^HTTP\/1\.1 401 /)
      await new Promise(resolve => setTimeout(resolve, 500))
    }
    expect(stranger.isClosed()).to.equal(false)
    stranger.destroy()
  })

  it('is closed with the last of so many responses 401 in a row', async () => {
    await expectClosedAfter(await open(), 6)
    const holder = await open()
    for (let n = 0; n < 5; n += 1) await holder.ask(WITHOUT_KEY)
    await holder.ask(VALID)
    await expectClosedAfter(holder, 6)
  })

  async function expectClosedAfter(connection: RawConnection, count: number): Promise<void> {
    for (let n = 1; n < count; n += 1) {
      const response = await connection.ask(requestOf('/ping', 'X-Api-Key: unknown\r\n'))
      expect(response, `${n}`).to.match(/^HTTP\/1\.1 401 [^]*\r\nConnection: keep-alive\r\n/)
    }
    expect(await connection.ask(WITHOUT_KEY)).to.match(
      /^HTTP\/1\.1 401 [^]*\r\nConnection: close\r\n/,
    )
    await connection.closed
  }
})

describe('a connection of a proxy', () => {
  const world: World = shopsGateway({ MAX_UNAUTHORIZED_IN_A_ROW: '0' })

  it('is never closed for its responses 401, where the setting says so', async () => {
    const proxy = await openConnection(world.gateway.url)
    for (let n = 0; n < 50; n += 1) {
      expect(await proxy.ask(WITHOUT_KEY)).to.match(/\r\nConnection: keep-alive\r\n/)
    }
    proxy.destroy()
  })
})
