import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { command } from '../commands/in-process.ts'
import type { Answer, Ask } from '../harness/ask.ts'
import { startProxy } from '../harness/proxy.ts'
import { gatewaysOfTests, NOON, shopsGateway } from '../harness/shops-gateway.ts'
import { shopsEnvironment, untilExecuting } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { folderWithHeldReport, holdReports } from './gateways.ts'
import { askerWithin, SCOPED, setScope } from './scopes.ts'

const english = { headers: { 'Accept-Language': 'en' } }
const codesIn = (list: ReadonlyArray<{ readonly code: string }>): string =>
  list.map(({ code }) => code).join(' ')
const idsOf = ({ json }: Answer): string =>
  json.rows.map(({ receipt }: { receipt: string }) => receipt).join(' ')
const codeOf = ({ status, json }: Answer): string => `${status} ${json?.code}`

describe('a key that may read less', () => {
  let laterMs = 0
  const settings = { SQL_DIR: folderWithHeldReport(SCOPED) }
  const start = gatewaysOfTests()
  const world = shopsGateway(settings, { now: () => NOON + laterMs })
  let whole: Ask
  /** May read the report `one` and the metric `sums` of receipt 102. */
  let partner: Ask
  before(async () => {
    whole = (path, options) => world.ask(path, options)
    partner = await askerWithin(world, "array['report:one', 'metric:sums', 'report:none', 'all']", {
      receipt: 102,
    })
  })

  it('has the same rows by the command line', async () => {
    const file = join(temporaryFolder(), 'key')
    const environment = { ...shopsEnvironment(world.shops), ...settings }
    const run = (name: string) =>
      command(
        `run ${name} --json --key-file ${file} --from 2026-01-01 --to 2026-12-31`,
        environment,
      )
    const scope = "array['report:one', 'metric:sums']"
    await setScope(world.shops, 'partner', scope, { receipt: 102 })
    writeFileSync(file, 'partner')
    for (const [name, path] of [
      ['one', '/reports/one'],
      ['metrics/sums', '/metrics'],
    ] as const) {
      const { text } = await partner(`${path}?from=2026-01-01&to=2026-12-31`)
      expect(await run(name)).to.deep.include({ code: 0, stdout: text })
    }
    for (const [name, stderr] of [
      ['two', 'The key may not read two: the API responds 403.\n'],
      ['metrics/others', 'The key may not read metrics/others: the API responds 403.\n'],
      [
        'one --set receipt=101',
        'Parameter receipt ("Чек") is "101"; expected 102, as set for the key.\n',
      ],
    ] as const)
      expect(await run(name)).to.deep.include({ code: 2, stdout: '', stderr })
  })

  const FORMS = [
    '/reports/two',
    '/reports/two?receipt=102',
    '/reports/two?format=csv',
    '/reports/two?compare=year',
    '/reports/two?from=x&page=2',
    '/reports/two/schema',
    '/reports/two/parameters',
    ...['json', 'ndjson', 'csv', 'xlsx', 'parquet'].map(format => `/reports/two.${format}`),
    '/metrics?codes=others',
    '/metrics?codes=sums,others_count&receipt=102',
    '/metrics?codes=revenue&compare=year',
  ]
  for (const path of FORMS)
    it(`gets 403 for ${path}, also once it is cached`, async () => {
      for (let count = 0; count < 3; count += 1) await whole(path)
      const { headers } = await whole(path)
      const etag = headers.get('ETag') ?? '"x"'
      for (const conditions of [
        {},
        { 'If-None-Match': etag },
        { 'If-None-Match': '*' },
        { 'If-Match': etag, Range: 'bytes=0-9' },
        { 'Cache-Control': 'no-cache' },
        { 'Accept-Encoding': 'gzip' },
      ])
        expect(codeOf(await partner(path, { headers: conditions }))).to.equal(
          '403 report_not_allowed',
        )
      const head = await partner(path, { method: 'HEAD' })
      expect([head.status, head.text]).to.deep.equal([403, ''])
    })

  it('gets the problem that comes first', async () => {
    const post = { method: 'POST' }
    expect(codeOf(await partner('/reports/none'))).to.equal('404 report_not_found')
    expect(codeOf(await partner('/reports/two', post))).to.equal('405 method_not_allowed')
    expect(codeOf(await partner('/reports/two/schema', post))).to.equal('405 method_not_allowed')
    expect(codeOf(await partner('/metrics?codes=others&from=x'))).to.equal('400 bad_range')
    expect(codeOf(await partner('/metrics?codes=others,none'))).to.equal('404 metric_not_found')
    const { json, headers } = await partner('/reports/two', english)
    expect(json.detail).to.equal(
      'This key may not read two. /api/public/v1/reports and /api/public/v1/metrics/schema list what it may read; another key is needed for the rest.',
    )
    expect(headers.get('Cache-Control')).to.equal('no-store')
  })

  it('finds only what it may read in lists, metrics and descriptions', async () => {
    expect(codesIn((await partner('/reports')).json.reports)).to.equal('one')
    expect(codesIn((await partner('/metrics')).json.metrics)).to.equal('sums')
    expect(codesIn((await partner('/metrics/schema')).json.metrics)).to.equal('sums')
    const openApi = await partner('/openapi.json')
    expect(Object.keys(openApi.json.paths).filter(path => path.startsWith('/reports/'))).to.satisfy(
      (paths: string[]) =>
        paths.length === 8 && paths.every(path => /^\/reports\/one\b/.test(path)),
    )
    const schema = await partner('/reports/one/schema')
    expect(schema.text + openApi.text).to.not.contain('two')
    expect((await whole('/reports/one/schema')).json.columns[0].link).to.contain('/reports/two?')
    const unknown = await partner('/metrics?codes=sums&other=1', english)
    expect(unknown.json.detail).to.equal(
      'There is no parameter other; expected from, to, compare, codes, receipt.',
    )
  })

  const LISTS = `
    null              | null | {"receipt":102} | one two waiting | others others_count sums sums_count
    nothing           | '{}' | null            |                 |
    a report          | array['report:two']             | null | two | 
    a group           | array['group:sales']            | null | flood one receipts receipts_by_month register waiting |
    a metric          | array['metric:revenue']         | null | | revenue
    unknown entries   | array['report:no', 'two', 'group:', 'Report:two', ' report:two', '*'] | null | |
    what declares all | array['group:faults', 'group:sales'] | {"receipt":"102","sign":"plus"} | one two waiting |
    the empty object  | array['report:two'] | {} | two |
  `
  for (const line of LISTS.trim().split('\n')) {
    const [title = '', reports = '', parameters = '', codes = '', metrics = ''] = line
      .split('|')
      .map(part => part.trim())
    it(`may read ${title}`, async () => {
      const ask = await askerWithin(world, reports, JSON.parse(parameters))
      const listed = codesIn((await ask('/reports')).json.reports)
        .split(' ')
        .toSorted()
        .join(' ')
      expect(listed).to.equal(codes)
      const { status, json } = await ask('/metrics')
      expect([status, codesIn(json.metrics)]).to.deep.equal([200, metrics])
      expect(codesIn((await ask('/metrics/schema')).json.metrics)).to.equal(metrics)
      expect((await ask('/ping')).status).to.equal(200)
      for (const code of ['one', 'two', 'receipts'])
        expect((await ask(`/reports/${code}`)).status, code).to.equal(
          codes.split(' ').includes(code) ? 200 : 403,
        )
    })
  }

  it('has its values with every request, as if it sent them', async () => {
    const path = '/reports/one?from=2026-01-01&to=2026-12-31'
    const sent = await whole(`${path}&receipt=102`)
    expect(idsOf(sent)).to.equal('102')
    for (const own of ['', '&receipt=102', '&receipt=102&sign=plus', '&compare=year']) {
      const theirs = await whole(`${path}${own.replace('&receipt=102', '')}&receipt=102`)
      const ours = await partner(path + own)
      expect([ours.status, ours.text]).to.deep.equal([200, theirs.text])
      for (const name of ['ETag', 'Content-Location'])
        expect(ours.headers.get(name)).to.equal(theirs.headers.get(name))
      expect(ours.json.parameters.receipt).to.equal(102)
      expect(ours.headers.get('Cache-Status')).to.contain('svodka; hit')
    }
    const csv = await partner('/reports/one.csv')
    expect(csv.text.trim().split('\n')).to.have.length(2)
    for (const own of ['receipt=101', 'receipt=', 'receipt=102&receipt=102', 'receipt=null'])
      expect(codeOf(await partner(`/reports/one?${own}`))).to.equal('400 bad_request')
    const { json } = await partner('/reports/one?receipt=101', english)
    expect(json.detail).to.equal(
      'Parameter receipt ("Чек") is "101"; expected 102, as set for the key.',
    )
  })

  it('has its values in metrics', async () => {
    const sent = await whole('/metrics?codes=sums&receipt=102')
    const ours = await partner('/metrics')
    expect(ours.text).to.equal(sent.text)
    expect(ours.json.parameters).to.deep.equal({ receipt: 102 })
    expect(ours.headers.get('Content-Location')).to.equal(sent.headers.get('Content-Location'))
    expect((await partner('/metrics?receipt=102')).text).to.equal(sent.text)
    expect(codeOf(await partner('/metrics?receipt=103'))).to.equal('400 bad_request')
    const compared = await partner('/metrics?compare=year')
    expect(compared.json.metrics[0].compared).to.equal(0)
  })

  it('finds only its values in lists of values', async () => {
    const values = [{ value: 102, label: 'Чек 102' }]
    const { json, text } = await partner('/reports/one/parameters')
    const [receipt, sign] = json.parameters
    expect(receipt).to.deep.include({ required: false, default: 102, values })
    expect(sign.values).to.have.length(2)
    expect(text).to.not.contain('Чек 101')
    const all = (await whole('/reports/one/parameters')).json.parameters[0]
    expect([all.default, all.values.length]).to.deep.equal([null, 5])
    const negative = await askerWithin(world, 'null', { sign: 'minus', receipt: 7 })
    const own = (await negative('/reports/one/parameters')).json.parameters
    expect(own.map(({ values: listed }: { values: object[] }) => listed)).to.deep.equal([
      [],
      [{ value: 'minus', label: 'Возврат' }],
    ])
    const { parameters } = (await negative('/reports/one/schema')).json
    expect(parameters[1]).to.deep.include({ default: 'minus', values: own[1].values })
    expect(idsOf(await negative('/reports/one'))).to.equal('')
  })

  it('shares no response with another key of its organization and address', async () => {
    const others = await Promise.all(
      [101, 102, 103, 104].map(receipt => askerWithin(world, "array['report:one']", { receipt })),
    )
    for (let count = 0; count < 4; count += 1) {
      const answers = await Promise.all(others.map(ask => ask('/reports/one')))
      expect(answers.map(idsOf)).to.deep.equal(['101', '102', '103', '104'])
      expect(idsOf(await whole('/reports/one'))).to.equal('101 102 103 104')
      const totals = await Promise.all([whole('/metrics'), partner('/metrics')])
      expect(totals.map(({ json }) => json.metrics.length)).to.deep.equal([11, 1])
    }
    const [first, second] = await Promise.all(others.map(ask => ask('/reports/one')))
    const headers = { 'If-None-Match': first!.headers.get('ETag')! }
    expect((await others[0]!('/reports/one', { headers })).status).to.equal(304)
    const other = await others[1]!('/reports/one', { headers })
    expect([other.status, other.text]).to.deep.equal([200, second!.text])
    const csv = await others[0]!('/reports/one.csv')
    const range = { headers: { Range: 'bytes=5-', 'If-Match': csv.headers.get('ETag')! } }
    const statuses = others.map(async ask => (await ask('/reports/one.csv', range)).status)
    expect(await Promise.all(statuses)).to.deep.equal([206, 412, 412, 412])
  })

  it('gets neither a stale nor an owed response that it may not read', async () => {
    const proxy = await startProxy(world.shops.replicaUrl)
    let nowMs = NOON
    const { ask } = await start(
      {
        ...settings,
        DATABASE_URL: proxy.url,
        KEYS_DATABASE_URL: world.shops.primaryUrl,
        PROBE_DATABASE_URL: world.shops.replicaUrl,
      },
      { now: () => nowMs, limits: { longestWaitMs: 500 } },
    )
    const within: Ask = async (path, options) => {
      const key = 'stale and owed'
      await setScope(world.shops, key, 'null', { receipt: 102 })
      return ask(path, { key, ...options })
    }
    const release = await holdReports(world.shops)
    const [waits, receipts] = ['/reports/waiting', '/reports/one']
    for (const path of [receipts, '/reports/receipts', `${receipts}.csv?receipt=102`])
      expect((await ask(path)).status).to.equal(200)
    const sentAway = ask(waits)
    await untilExecuting(world.shops, 1)
    nowMs += 1000
    expect(codeOf(await sentAway)).to.equal('503 overloaded')
    await release()
    await untilExecuting(world.shops, 0)
    nowMs += 10_000
    await proxy.cut()
    expect(codeOf(await within(waits))).to.equal('503 replica_unavailable')
    expect(codeOf(await within(receipts))).to.equal('503 replica_unavailable')
    expect(codeOf(await within('/reports/receipts'))).to.equal('403 report_not_allowed')
    const shared = await within(`${receipts}.csv`)
    expect(shared.text.trim().split('\n')).to.have.length(2)
    expect(shared.headers.get('Cache-Status')).to.contain('detail=stale')
    expect(idsOf(await ask(waits))).to.equal('101 102 103 104')
  })

  const INVALID = `
    a null in the list         | array['report:one', null] | null | reports is no list of texts
    a list in the list         | array[array['report:one']] | null | reports is no list of texts
    a name that nothing has    | null | {"warehouse":1}     | parameters: nothing that declares "warehouse" takes
    another case               | null | {"Receipt":102}     | parameters: nothing that declares "Receipt" takes
    a null                     | null | {"receipt":null}    | parameters: nothing that declares "receipt" takes
    a list                     | null | {"receipt":[102]}   | parameters: nothing that declares "receipt" takes
    an object                  | null | {"receipt":{"a":1}} | parameters: nothing that declares "receipt" takes
    the JSON null              | null | "null"              | parameters is no object
    no object                  | null | [102]               | parameters is no object
    a text                     | null | "receipt"           | parameters is no object
    a number with a fraction   | null | {"receipt":102.5}   | parameters: nothing that declares "receipt" takes
    a text that is no number   | null | {"receipt":"x"}     | parameters: nothing that declares "receipt" takes
    a truth value              | null | {"receipt":true}    | parameters: nothing that declares "receipt" takes
    the empty text             | null | {"receipt":""}      | parameters: nothing that declares "receipt" takes
    a value of no list         | null | {"sign":"both"}     | parameters: nothing that declares "sign" takes
    a second one that is wrong | '{}' | {"receipt":1,"sign":""} | parameters: nothing that declares "sign" takes
    the prototype              | null | {"__proto__":1}     | parameters: nothing that declares "__proto__" takes
  `
  for (const line of INVALID.trim().split('\n')) {
    const [title = '', reports = '', parameters = '', fault = ''] = line
      .split('|')
      .map(part => part.trim())
    it(`is invalid with ${title}`, async () => {
      const ask = await askerWithin(world, reports, JSON.parse(parameters))
      if (title === 'the JSON null')
        await world.shops.change(
          `update shop_keys set parameters = 'null'::jsonb where parameters = '"null"'::jsonb`,
        )
      const before = world.gateway.observations.length
      for (const path of ['/reports/receipts', '/reports', '/ping', '/metrics', '/reports/one'])
        expect(codeOf(await ask(path)), path).to.equal('503 access_unavailable')
      const noted = world.gateway.observations.slice(before)
      const causes = noted.flatMap(fact => (fact.kind === 'request' ? [String(fact.cause)] : []))
      expect(causes[0]).to.contain(fault)
      const outcomes = noted.flatMap(fact => (fact.kind === 'key-checked' ? [fact.outcome] : []))
      expect(new Set(outcomes)).to.deep.equal(new Set(['invalid_row']))
    })
  }

  it('may read ids that a float has no digits for', async () => {
    const receipt = '9007199254740993'
    await world.shops.change(
      `insert into receipts values (${receipt}, 1, '2026-05-05', 5), (9007199254740992, 1, '2026-05-05', 6)`,
    )
    const ask = await askerWithin(world, 'null', { receipt })
    await world.shops.change(
      `update shop_keys set parameters = '{"receipt": ${receipt}}'::jsonb where parameters = '{"receipt": "${receipt}"}'::jsonb`,
    )
    expect(idsOf(await ask('/reports/one'))).to.equal(receipt)
    await world.shops.change(`delete from receipts where id > 1000000`)
  })

  describe('whose scope changes', () => {
    const ask: Ask = (path, options) => world.ask(path, { key: 'changing', ...options })

    it('has the new one with its next request', async () => {
      const [own, other] = ["array['report:one']", "array['report:two']"]
      const found = async () => [
        idsOf(await ask('/reports/one')),
        (await ask('/reports/two')).status,
      ]
      await setScope(world.shops, 'changing', own, { receipt: 101 })
      for (let count = 0; count < 3; count += 1) expect(await found()).to.deep.equal(['101', 403])
      await setScope(world.shops, 'changing', own, { receipt: 103 })
      expect(await found()).to.deep.equal(['103', 403])
      await setScope(world.shops, 'changing', 'null')
      expect(await found()).to.deep.equal(['101 102 103 104', 200])
      await setScope(world.shops, 'changing', other)
      expect(codeOf(await ask('/reports/one'))).to.equal('403 report_not_allowed')
    })

    const CHANGES: ReadonlyArray<readonly [string, string, unknown, string]> = [
      ['it may no longer read', "array['report:one']", { receipt: 101 }, '403 report_not_allowed'],
      ['it may read of another value', 'null', { receipt: 103 }, '200 103'],
      ['it may read as a whole', 'null', null, '200 101 102 103 104'],
      ['of a scope that is invalid', 'null', { receipt: null }, '503 access_unavailable'],
    ]
    for (const [title, reports, parameters, expected] of CHANGES)
      it(`while it waits for a response that ${title}`, async () => {
        await setScope(world.shops, 'changing', 'null', { receipt: 102 })
        const release = await holdReports(world.shops)
        const response = ask('/reports/waiting', { headers: { 'Cache-Control': 'no-cache' } })
        await untilExecuting(world.shops, 1)
        await setScope(world.shops, 'changing', reports, parameters)
        laterMs += 1000
        await release()
        const answer = await response
        expect(answer.status === 200 ? `200 ${idsOf(answer)}` : codeOf(answer)).to.equal(expected)
      })
  })
})
