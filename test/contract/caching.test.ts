import { expect } from 'chai'
import { expectProblem } from '../harness/ask.ts'
import { fixtures } from '../harness/fixtures.ts'
import { untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { NOON, shopsGateway } from '../harness/shops-gateway.ts'
import { folderWithHeldReport, holdReports, PREFIX } from './gateways.ts'

describe('caching', () => {
  let nowMs = NOON
  let wallStepMs = 0
  const SQL_DIR = folderWithHeldReport(fixtures('reports/sales/since_ever'))
  const world = shopsGateway({ SQL_DIR }, { now: () => nowMs, wall: () => nowMs + wallStepMs })
  const { ask } = world
  let day = 0
  /** A path that was not requested before. */
  const coldPath = () =>
    `/reports/receipts?from=2026-01-01&to=2027-01-${String((day += 1)).padStart(2, '0')}`

  it('distinguishes a miss from a hit, with age and TTL', async () => {
    const path = coldPath()
    const miss = await ask(path)
    expect(miss.headers.get('Cache-Status')).to.equal('svodka; fwd=miss; stored')
    expect(miss.headers.get('Age')).to.equal('0')
    nowMs += 1000
    const hit = await ask(path)
    expect(hit.headers.get('Cache-Status')).to.equal('svodka; hit; ttl=1')
    expect(hit.headers.get('Age')).to.equal('1')
    expect(hit.text).to.equal(miss.text)
    nowMs += 1000
    expect((await ask(path)).headers.get('Cache-Status')).to.equal('svodka; fwd=stale; stored')
  })

  it('measures age and TTL by the monotonic clock, whatever the wall clock does', async () => {
    const path = coldPath()
    wallStepMs = 7_200_000
    await ask(path)
    for (const step of [0, 7_200_000, 0]) {
      wallStepMs = step
      const { headers } = await ask(path)
      expect(headers.get('Cache-Status')).to.equal('svodka; hit; ttl=2')
      expect(headers.get('Age')).to.equal('0')
    }
  })

  it('keeps a closed period fresh for longer', async () => {
    const path = '/reports/receipts?from=2026-01-01&to=2026-11-20'
    await ask(path)
    nowMs += 1_800_000
    expect((await ask(path)).headers.get('Cache-Status')).to.equal('svodka; hit; ttl=1800')
  })

  it('never serves a summary that names the date of another day', async () => {
    const path = '/reports/since_ever'
    expect((await ask(path)).json.summary).to.contain('21 ноября')
    expect((await ask(path)).headers.get('Cache-Status')).to.contain('hit')
    nowMs += 86_400_000
    expect((await ask(path)).json.summary).to.contain('22 ноября')
  })

  it('never serves a response of another organization', async () => {
    const path = coldPath()
    const one = await ask(path)
    expect(one.text).to.not.contain('mark of shop 2')
    // shop 2 is in another time zone, shop 3 in the same
    for (const shop of [2, 3]) {
      const other = await ask(path, { key: `key of shop ${shop}` })
      expect(other.headers.get('Cache-Status')).to.match(/fwd=miss/)
      expect(other.text.includes('mark of shop 2')).to.equal(shop === 2)
      expect(other.text).to.not.equal(one.text)
    }
  })

  const executionsOfHeld = () =>
    world.gateway.observations.filter(
      fact => fact.kind === 'execution' && fact.definition === 'held',
    )
  /** Number of requests whose key was checked. */
  const keyCount = (): number =>
    world.gateway.observations.filter(({ kind }) => kind === 'key-checked').length

  it('shares one execution among identical requests, and starts a later one for no-cache', async () => {
    const before = executionsOfHeld().length
    const release = await holdReports(world.shops)
    const keys = keyCount()
    const first = Array.from({ length: 5 }, () => ask('/reports/held'))
    await untilExecuting(world.shops, 1)
    const headers = { 'Cache-Control': 'no-cache' }
    const second = Array.from({ length: 5 }, () => ask('/reports/held', { headers }))
    await until(() => keyCount() === keys + 10)
    await release()
    const statusesOf = async (responses: typeof first): Promise<string[]> =>
      (await Promise.all(responses))
        .map(response => String(response.headers.get('Cache-Status')))
        .toSorted((a, b) => a.length - b.length)
    const one = 'svodka; fwd=miss; stored'
    expect(await statusesOf(first)).to.deep.equal([one, ...Array(4).fill(`${one}; collapsed`)])
    const later = 'svodka; fwd=request; stored'
    expect(await statusesOf(second)).to.deep.equal([later, ...Array(4).fill(`${later}; collapsed`)])
    expect(executionsOfHeld().length - before).to.equal(2)
  })

  it('sends each of two clients its format, although the first one disconnects', async () => {
    const release = await holdReports(world.shops)
    try {
      const controller = new AbortController()
      const headers = { 'X-Api-Key': 'key of shop 1' }
      const url = `${world.gateway.url}${PREFIX}/reports/held`
      const keys = keyCount()
      const csv = fetch(`${url}.csv?from=2026-01-01&to=2026-12-02`, {
        headers,
        signal: controller.signal,
      })
      const left = csv.catch(() => 'aborted')
      await until(() => keyCount() === keys + 1)
      const json = fetch(`${url}?from=2026-01-01&to=2026-12-02`, { headers })
      await until(() => keyCount() === keys + 2)
      controller.abort()
      expect(await left).to.equal('aborted')
      await release()
      const response = await json
      expect(response.headers.get('Content-Type')).to.equal('application/json; charset=utf-8')
      expect(await response.json()).to.have.property('code', 'held')
    } finally {
      await release()
    }
  })

  it('cancels an execution when its last client disconnects, not before', async () => {
    const path = '/reports/held?from=2026-01-01&to=2026-12-01'
    const release = await holdReports(world.shops)
    try {
      const open = (): AbortController => {
        const client = new AbortController()
        const headers = { 'X-Api-Key': 'key of shop 1' }
        void fetch(`${world.gateway.url}${PREFIX}${path}`, {
          headers,
          signal: client.signal,
        }).catch(() => undefined)
        return client
      }
      const keys = keyCount()
      const [one, two] = [open(), open()]
      await until(() => keyCount() === keys + 2)
      await untilExecuting(world.shops, 1)
      const before = executionsOfHeld().length
      const left = world.gateway.observations.length
      one.abort()
      await until(() =>
        world.gateway.observations.slice(left).some(({ kind }) => kind === 'request'),
      )
      await untilExecuting(world.shops, 1)
      two.abort()
      await untilExecuting(world.shops, 0)
      await until(() => executionsOfHeld().length === before + 1)
      expect(executionsOfHeld().at(-1)).to.include({ outcome: 'cancelled' })
    } finally {
      await release()
    }
    expect((await ask(path)).status, 'the next request').to.equal(200)
  })

  it('executes a report for no-cache and caches the result', async () => {
    const path = coldPath()
    await ask(path)
    await world.shops.change(
      "insert into receipts values (199, 1, '2026-06-01 12:00:00+00', 199, 1, 'just now')",
    )
    expect((await ask(path)).text).to.not.contain('just now')
    const forced = await ask(path, { headers: { 'Cache-Control': 'max-age=0, no-cache' } })
    expect(forced.headers.get('Cache-Status')).to.equal('svodka; fwd=request; stored')
    expect(forced.text).to.contain('just now')
    expect((await ask(path)).text).to.contain('just now')
    await world.shops.change('delete from receipts where id = 199')
  })

  const cacheStatusOf = async (path: string, headers = {}, key = 'key of shop 1') =>
    (await ask(path, { headers, key })).headers.get('Cache-Status')
  const MAY = 'from=2026-05-01&to=2026-05-31'
  const insertInMay = (count: number) =>
    world.shops.change(
      `insert into receipts select n, 1, '2026-05-05', n, 1, 'in May' from generate_series(1000, ${999 + count}) as n`,
    )
  const deleteInMay = () =>
    world.shops.change('delete from receipts where id between 1000 and 1999')

  it('makes older bodies of the report stale when one is refreshed, whatever their format', async () => {
    const paths = ['?', '.ndjson?', '.ndjson?end=true&', '.csv?', '.csv?preset=excel&', '.xlsx?']
    const others = paths.slice(1).map(suffix => `/reports/receipts${suffix}${MAY}`)
    const path = `/reports/receipts?${MAY}`
    const kept = [path.replace('05-31', '05-30'), path] as const
    for (const one of [...others, path, kept[0]]) await ask(one)
    await ask(kept[1], { key: 'key of shop 3' })
    await insertInMay(1)
    const refreshed = await ask(path, { headers: { 'Cache-Control': 'no-cache' } })
    expect(refreshed.json.rows).to.have.length(1)
    for (const one of others) {
      expect(await cacheStatusOf(one), one).to.equal('svodka; fwd=stale; stored')
      expect((await ask(one)).headers.get('Cache-Status')).to.match(/hit/)
    }
    expect((await ask(others[2]!)).text).to.contain('in May')
    expect(await cacheStatusOf(kept[0]), 'another period').to.match(/hit; ttl/)
    expect(await cacheStatusOf(kept[1], {}, 'key of shop 3'), 'of another').to.match(/hit; ttl/)
    await deleteInMay()
  })

  it('serves no older body as fresh after a refresh has failed', async () => {
    const paths = [`/reports/receipts?${MAY}`, `/reports/receipts.csv?${MAY}`]
    for (const path of paths) await ask(path, { headers: { 'Cache-Control': 'no-cache' } })
    await insertInMay(101)
    for (const headers of [{ 'Cache-Control': 'no-cache' }, {}]) {
      expectProblem(await ask(paths[0]!, { headers }), 400, 'result_too_large')
    }
    expect((await ask(paths[1]!)).status).to.equal(400)
    await deleteInMay()
  })

  for (const [cacheControl, status] of [
    ['max-age=10', 'svodka; hit; ttl=3590'],
    ['no-transform, max-age="10"', 'svodka; hit; ttl=3590'],
    ['max-age=9', 'svodka; fwd=request; stored'],
    ['Max-Age=9, max-stale', 'svodka; fwd=request; stored'],
    ['max-age=0', 'svodka; fwd=request; stored'],
    ['s-maxage=0', 'svodka; hit; ttl=3590'],
    ['max-age', 'svodka; hit; ttl=3590'],
    ['no-store', 'svodka; hit; ttl=3590'],
  ] as const) {
    it(`serves a body of 10 s for ${cacheControl}: ${status}`, async () => {
      const path = `/reports/receipts?from=2026-01-01&to=2026-11-${String((day += 1)).padStart(2, '0')}`
      await ask(path)
      nowMs += 10_000
      const headers = { 'Cache-Control': cacheControl, Pragma: 'no-cache' }
      expect(await cacheStatusOf(path, headers)).to.equal(status)
      const age = status.includes('hit') ? '10' : '0'
      expect((await ask(path)).headers.get('Age')).to.equal(age)
    })
  }

  it('responds 304 with the headers of the 200 and without a body', async () => {
    const path = coldPath()
    const { headers } = await ask(path)
    const etag = headers.get('ETag')!
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, `"x",W/${etag} , "y"`, '*']) {
      const response = await ask(path, { headers: { 'If-None-Match': tag } })
      expect(response.status, tag).to.equal(304)
      expect(response.text).to.equal('')
      for (const name of ['ETag', 'Cache-Control', 'Content-Location', 'Vary']) {
        expect(response.headers.get(name), name).to.equal(headers.get(name))
      }
    }
    const since = { 'If-None-Match': etag, 'If-Modified-Since': new Date(0).toUTCString() }
    expect((await ask(path, { headers: since })).status).to.equal(304)
    const later = { 'If-Modified-Since': new Date('2030-01-01').toUTCString() }
    expect((await ask(path, { headers: later })).status).to.equal(200)
    const others = ['', '"other"', etag.replace('"', '"x'), etag.slice(1, -1), etag.slice(0, -1)]
    for (const tag of [...others, `"b, ${etag.slice(1)}`]) {
      expect((await ask(path, { headers: { 'If-None-Match': tag } })).status, tag).to.equal(200)
    }
  })

  it('has another ETag for other figures of the same length', async () => {
    const path = coldPath()
    const before = await ask(path)
    const etag = before.headers.get('ETag') ?? ''
    await world.shops.change('update receipts set amount_kopecks = 2 where id = 104')
    const headers = { 'Cache-Control': 'no-cache', 'If-None-Match': etag }
    const after = await ask(path, { headers })
    await world.shops.change('update receipts set amount_kopecks = 1 where id = 104')
    expect([after.status, after.text.length]).to.deep.equal([200, before.text.length])
    expect(after.headers.get('ETag')).to.not.equal(etag)
  })

  it('has the time of the data', async () => {
    const { headers } = await ask('/reports/receipts')
    const dataAsOf = headers.get('Data-As-Of')!
    expect(dataAsOf).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(dataAsOf)).to.be.at.most(Date.now())
    expect(headers.get('Last-Modified')).to.equal(null)
  })

  it('names the headers that a response depends on', async () => {
    const { headers } = await ask('/reports/receipts')
    expect(headers.get('Vary')).to.equal('Authorization, X-Api-Key, Accept, Accept-Encoding')
    expect(headers.get('Cache-Control')).to.equal('private, no-cache')
    expect((await ask('/ping')).headers.get('Cache-Control')).to.equal('no-store')
  })

  it('uses the new time zone of an organization at once', async () => {
    const before = await ask('/reports/receipts', { key: 'key of shop 2' })
    await world.shops.change("update shops set zone = 'Europe/Moscow' where id = 2")
    const after = await ask('/reports/receipts', { key: 'key of shop 2' })
    await world.shops.change("update shops set zone = 'Asia/Vladivostok' where id = 2")
    expect(before.json.rows).to.have.length(2)
    expect(after.json.rows).to.have.length(1)
    expect(after.headers.get('Cache-Status')).to.match(/fwd=miss/)
  })
})
