import { expect } from 'chai'
import { expectProblem } from '../harness/ask.ts'
import { metricOf } from '../harness/exposition.ts'
import { fixture, fixtures } from '../harness/fixtures.ts'
import { sharedShops } from '../harness/shops.ts'
import { gatewaysOfTests, NOON, processesOfTests, shopsGateway } from '../harness/shops-gateway.ts'
import { peakMemoryBytes } from '../harness/process-figures.ts'
import { until } from '../harness/until.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import { coldPath, PREFIX, shopsFolder } from './gateways.ts'
import { longRows } from './register.ts'

const withMatter = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`found no ${from}`)
  return text.replace(from, to)
}

/** Sales by quarter and kind: `gloves` are sold in 2025 only, `hats` in 2026 only. */
const KINDS = fixture('reports/sales/kinds')
const FOLDER = {
  ...fixtures('reports/sales/values', 'reports/sales/kinds', 'reports/sales/by_month'),
  'reports/sales/large.sql': withMatter(KINDS, 'key: [kind]', 'key: [kind]\nmaxRows: 10001'),
  'reports/sales/state.sql': withMatter(
    KINDS,
    'key: [kind]',
    'key: [kind]\ndateBasis: state',
  ).replaceAll(', periods: sum', ''),
  'reports/sales/small.sql': withMatter(KINDS, 'key: [kind]', 'key: [kind]\nmaxRows: 2'),
  'reports/sales/of_today.sql': withMatter(KINDS, 'day < :period_end', 'day < :today'),
  'reports/sales/without_key.sql': withMatter(KINDS, 'key: [kind]\n', ''),
  'reports/sales/clash.sql': withMatter(KINDS, '  average:', '  amount_change:').replaceAll(
    'as average',
    'as amount_change',
  ),
  'reports/sales/clash_of_months.sql': withMatter(
    fixture('reports/sales/by_month'),
    '  name:',
    '  month_compared:',
  ).replace('as name', 'as month_compared'),
  'reports/sales/repeated.sql': withMatter(KINDS, 'key: [kind]', 'key: [name]').replace(
    'max(name) as name',
    "'одно' as name",
  ),
  'reports/sales/texts.sql': withMatter(
    KINDS,
    /  amount:[^\n]*\n  share:[^\n]*\n  average:[^\n]*\n/.exec(KINDS)![0],
    '',
  ).replace(' на {amount}', ''),
}

const QUARTER = 'from=2026-01-01&to=2026-03-31'

describe('?compare=', () => {
  const world = shopsGateway({ SQL_DIR: shopsFolder(FOLDER) })
  const { ask } = world
  const executions = (definition: string): number =>
    world.gateway.observations.filter(
      fact => fact.kind === 'execution' && fact.definition === definition,
    ).length

  it('adds the figures of the comparison period and their changes to JSON', async () => {
    const { status, json, headers } = await ask(`/reports/kinds?${QUARTER}&compare=year`)
    expect(status).to.equal(200)
    const { compare, ...plain } = json
    expect(plain).to.deep.equal((await ask(`/reports/kinds?${QUARTER}`)).json)
    expect(compare.period).to.deep.equal({ from: '2025-01-01', to: '2025-03-31' })
    expect(compare.columns).to.deep.equal([
      { key: 'kind', title: 'Вид', type: 'text' },
      { key: 'name', title: 'Название', type: 'text' },
      { key: 'amount_compared', title: 'Сумма, прошлый год', type: 'money' },
      { key: 'amount_change', title: 'Сумма, изменение', type: 'money' },
      { key: 'amount_change_percent', title: 'Сумма, изменение, %', type: 'percent' },
      { key: 'share_compared', title: 'Доля, прошлый год', type: 'percent' },
      { key: 'share_change', title: 'Доля, изменение, п. п.', type: 'number' },
      { key: 'average_compared', title: 'Среднее, прошлый год', type: 'number' },
      { key: 'average_change', title: 'Среднее, изменение', type: 'number' },
      { key: 'average_change_percent', title: 'Среднее, изменение, %', type: 'percent' },
    ])
    const rows = compare.rows.map((row: object) => Object.values(row))
    expect(rows).to.deep.equal([
      ['socks', 'Носки', 400, -100, -25, 80, -19.5, 2, -0.5, -25],
      ['hats', 'Шапки', null, 200, null, null, null, null, null, null],
      ['gloves', 'Перчатки', -100, 100, 100, 20, null, 0, null, null],
    ])
    expect(Object.values(compare.totals).slice(0, 5)).to.deep.equal(['Итого', null, 300, 200, 66.7])
    expect(json.summary).to.match(/ 2 вида на /)
    expect(headers.get('Content-Location')).to.equal(
      `/api/public/v1/reports/kinds?${QUARTER}&compare=year`,
    )
  })

  it('adds columns and rows to the other formats', async () => {
    const path = `/reports/kinds.csv?${QUARTER}&compare=previous`
    const [keys, socks] = (await ask(path)).text.split('\r\n')
    expect(keys).to.match(/^kind,name,amount,share,average,amount_compared,amount_change,/)
    expect(socks).to.equal('socks,Носки,300,60.5,1.5,,300,,,,,,')
    const year = await ask(`/reports/kinds.ndjson?${QUARTER}&compare=year&end=true`)
    const lines = year.text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ kind, amount }) => [kind, amount])).to.deep.equal([
      ['socks', 300],
      ['hats', 200],
      ['gloves', null],
      [undefined, undefined],
    ])
    expect(lines.at(-1)).to.include({ _end: true, rows: 3 })
    expect(lines.at(-1).totals).to.include({ amount: 500, amount_compared: 300 })
    expect(lines.at(-1).compare).to.deep.equal({
      period: { from: '2025-01-01', to: '2025-03-31' },
    })
  })

  it('says in a workbook what was compared', async () => {
    const read = async (path: string) => readWorkbook((await ask(`/reports/${path}`)).bytes)
    const { lines, about, rows } = await read(`kinds.xlsx?${QUARTER}&compare=year`)
    const period = 'с 1 января по 31 марта 2026 года; сравнение: с 1 января по 31 марта 2025 года'
    expect(lines).to.include(`Период: ${period}`)
    expect(about).to.deep.include(['Период', period])
    expect(rows[0]!.get('F')?.text).to.equal('Сумма, прошлый год')
    expect(rows[1]!.get('F')).to.include({ text: '4' })
    for (const [query, day] of [
      ['', 'На 21 ноября 2026 года'],
      [QUARTER, 'На 31 марта 2026 года'],
      [`${QUARTER}&compare=year`, 'На 31 марта 2026 года; сравнение: на 31 марта 2025 года'],
    ]) {
      const state = await read(`state.xlsx?${query}`)
      expect(state.lines, query).to.include(day)
      expect(state.about, query).to.deep.include(['Состояние', day])
      expect([...state.lines, ...state.about.flat()].join(), query).to.not.contain('Период')
    }
  })

  it('compares the days until today of an unfinished period', async () => {
    const { json, headers } = await ask('/reports/by_month?compare=previous')
    expect(json.period).to.deep.equal({ from: '2026-01-01', to: '2026-11-21' })
    expect(json.compare.period).to.deep.equal({ from: '2025-01-01', to: '2025-11-21' })
    const location = headers.get('Content-Location')!
    expect(location).to.contain('?from=2026-01-01&to=2026-12-31&compare=previous')
    const again = await ask(location.replace('/api/public/v1', ''))
    expect(again.headers.get('ETag')).to.equal(headers.get('ETag'))
    expect(headers.get('Content-Disposition')).to.contain('2026-11-21')
    const shorter = (await ask('/reports/by_month?to=2026-11-30&compare=previous')).json
    expect(shorter.period, 'the same days').to.deep.equal(json.period)
    expect(shorter.compare.period).to.deep.equal({ from: '2025-02-01', to: '2025-12-21' })
  })

  it('names the months of each pair, and subtracts months of the same days only', async () => {
    const pairs = async (query: string) => {
      const { columns, rows, totals } = (await ask(`/reports/by_month?${query}`)).json.compare
      const added = { key: 'month_compared', title: columns.at(-1).title, type: 'month' }
      expect(columns.at(-1)).to.deep.equal(added)
      const figures = ['month', 'amount_compared', 'amount_change', 'amount_change_percent']
      return [...rows, totals].map(row => ['month_compared', ...figures].map(key => row[key]))
    }
    expect(await pairs('from=2026-01-01&to=2026-03-05&compare=previous')).to.deep.equal([
      // as many months before, of which the last has five days, too
      ['2025-10', '2026-01', null, 10, null],
      ['2025-12', '2026-03', 12, 18, 150],
      [null, null, 12, 28, 233.3],
    ])
    expect(await pairs('from=2026-01-25&to=2026-03-05&compare=previous')).to.deep.equal([
      // five days of March are beside none, and 24 days of January beside the whole February
      [null, '2026-03', null, null, null],
      ['2026-01', '2026-01', 10, null, null],
      [null, null, 10, 20, 200],
    ])
    expect(await pairs('from=2026-01-01&to=2026-01-31&compare=previous')).to.deep.equal([
      ['2025-12', '2026-01', 12, -2, -16.7],
      [null, null, 12, -2, -16.7],
    ])
    expect(await pairs('from=2026-02-01&to=2026-02-28&compare=previous')).to.deep.equal([
      ['2026-01', '2026-01', 10, -10, -100],
      [null, null, 10, -10, -100],
    ])
    // a month that both periods have, and one that only the later has
    expect(await pairs('from=2026-03-01&to=2026-04-30&compare=year')).to.deep.equal([
      ['2025-03', '2026-03', null, 30, null],
      ['2025-04', '2026-04', null, 40, null],
      [null, null, 0, 70, null],
    ])
  })

  it('is cached apart from the report and from the other comparison', async () => {
    const period = 'from=2026-01-01&to=2026-02-28'
    const before = executions('kinds')
    const etags = new Set<string | null>()
    for (const query of ['', '&compare=year', '&compare=previous']) {
      const path = `/reports/kinds?${period}${query}`
      const first = await ask(path)
      expect(first.headers.get('Cache-Status')).to.contain('fwd=miss; stored')
      const second = await ask(path)
      expect(second.headers.get('Cache-Status')).to.contain('hit')
      expect(second.text).to.equal(first.text)
      const etag = first.headers.get('ETag')!
      etags.add(etag)
      const head = await ask(path, { method: 'HEAD' })
      expect([head.status, head.headers.get('ETag'), head.text]).to.deep.equal([200, etag, ''])
      // why: fetch adds no-cache to conditional requests
      const conditional = { 'If-None-Match': etag, 'Cache-Control': 'max-age=60' }
      const unchanged = await ask(path, { headers: conditional })
      expect(unchanged.status).to.equal(304)
    }
    expect(etags.size).to.equal(3)
    await ask(`/reports/kinds.csv?${period}&compare=year`)
    await ask('/reports/kinds?from=2025-01-01&to=2025-02-28')
    expect(executions('kinds') - before, 'one for each of three periods').to.equal(3)
  })

  it('subtracts and divides exactly', async () => {
    const { text } = await ask('/reports/values.ndjson?from=2026-01-01&to=2026-12-31&compare=year')
    const figures = text.split('\n').map(line => line.slice(line.indexOf('"amount_compared"')))
    expect(figures).to.deep.equal([
      '"amount_compared":2000,"amount_change":-1,"amount_change_percent":-0.1,"weight_compared":1.5,"weight_change":-0.250,"weight_change_percent":-16.7}',
      '"amount_compared":-9007199254740993,"amount_change":18014398509481986,"amount_change_percent":200.0,"weight_compared":0.00,"weight_change":0.05,"weight_change_percent":null}',
      '"amount_compared":null,"amount_change":7,"amount_change_percent":null,"weight_compared":null,"weight_change":null,"weight_change_percent":null}',
      '"amount_compared":5,"amount_change":-5,"amount_change_percent":-100.0,"weight_compared":-0.5,"weight_change":null,"weight_change_percent":null}',
      '',
    ])
  })

  it('compares with a period before all facts', async () => {
    const { json } = await ask('/reports/kinds?from=1900-01-01&to=2026-03-31&compare=year')
    expect(json.compare.period).to.deep.equal({ from: '1899-01-01', to: '2025-03-31' })
    const empty = await ask('/reports/kinds?from=1990-01-01&to=1990-12-31&compare=previous')
    expect(empty.json.compare).to.deep.include({ rows: [] })
    expect(empty.json.compare.totals).to.include({ amount_compared: 0, amount_change: 0 })
  })

  it('adds the figures to each metric', async () => {
    const codes = 'codes=receipts,revenue,share_of_returns,days_since'
    const path = `/metrics?${codes}&from=2026-03-01&to=2026-03-31&compare=previous`
    const { json, text, headers } = await ask(path)
    expect(text).to.contain('"compared":9007199254740993,"change":-9007199254741043,')
    const { headers: second } = await ask(path)
    expect(second.get('Cache-Status')).to.contain('hit')
    expect(headers.get('Content-Location')).to.match(/&to=2026-03-31&compare=previous$/)
    expect(json.period).to.deep.equal({ from: '2026-03-01', to: '2026-03-31' })
    expect(json.compare).to.deep.equal({ period: { from: '2026-02-01', to: '2026-02-28' } })
    const unfinished = await ask('/metrics?codes=receipts&compare=year')
    expect(unfinished.json.period).to.deep.equal({ from: '2026-01-01', to: '2026-11-21' })
    expect(unfinished.json.metrics[0]).to.include({ value: 3, compared: 0 })
    expect(Object.keys(json.metrics[0])).to.deep.equal([
      'code',
      'title',
      'value',
      'format',
      'compared',
      'change',
      'changePercent',
    ])
    expect(json.metrics.map(Object.values)).to.deep.equal([
      ['receipts', 'Чеков', 1, 'integer', 1, 0, 0],
      ['revenue', 'Выручка', -50, 'money', 9007199254740992, -9007199254741044, -100],
      ['share_of_returns', 'Доля возвратов', 100, 'percent', 0, 100, null],
      ['days_since', 'Дней', 30, 'days', 0, 30, null],
    ])
    const plain = await ask(`/metrics?${codes}&from=2026-03-01&to=2026-03-31`)
    expect(Object.keys(plain.json)).to.deep.equal(['metrics', 'period'])
    expect(plain.json.period).to.deep.equal({ from: '2026-03-01', to: '2026-03-31' })
    expect(Object.keys(plain.json.metrics[0])).to.have.length(4)
  })

  async function expectRefusal(path: string, ...words: readonly string[]): Promise<void> {
    const { status, json } = await ask(path, { headers: { 'Accept-Language': 'en' } })
    expect([status, json.code], path).to.deep.equal([400, 'bad_request'])
    for (const word of words) expect(json.detail, path).to.contain(word)
  }

  it('rejects other values, repetitions, and misspelt names', async () => {
    for (const path of ['/reports/kinds', '/reports/kinds.csv', '/metrics']) {
      await expectRefusal(`${path}?compare=month`, 'is "month"', 'previous, year')
      await expectRefusal(`${path}?compare=Year`, 'is "Year"')
      await expectRefusal(`${path}?compare=`, 'is empty', 'previous, year')
      await expectRefusal(`${path}?compare=year&compare=year`, 'more than once')
      await expectRefusal(
        `${path}?COMPARE=year`,
        'no parameter COMPARE; expected from, to, compare',
      )
    }
  })

  it('is rejected for reports that cannot be compared, which their schema tells', async () => {
    for (const code of ['large', 'of_today', 'without_key', 'clash', 'clash_of_months', 'texts']) {
      await expectRefusal(`/reports/${code}?compare=year`, code, 'at most 10000 rows')
      await expectRefusal(`/reports/${code}.xlsx?compare=previous`, code)
      expect((await ask(`/reports/${code}/schema`)).json.compare, code).to.deep.equal([])
    }
    expect((await ask('/reports/kinds/schema')).json.compare).to.deep.equal(['previous', 'year'])
    const { paths } = (await ask('/openapi.json')).json
    const hasCompare = (code: string): boolean =>
      JSON.stringify(paths[`/reports/${code}.csv`].get.parameters).includes('/compare"')
    expect([hasCompare('kinds'), hasCompare('large')]).to.deep.equal([true, false])
  })

  it('has at most as many rows as the report', async () => {
    expect((await ask(`/reports/small?${QUARTER}`)).json.rows).to.have.length(2)
    expectProblem(await ask(`/reports/small?${QUARTER}&compare=year`), 400, 'result_too_large')
  })

  it('is an error, not multiplied figures, if a key is not unique', async () => {
    expect((await ask(`/reports/repeated?${QUARTER}`)).status).to.equal(200)
    expectProblem(await ask(`/reports/repeated?${QUARTER}&compare=year`), 500, 'internal_error')
  })
})

describe('metrics that depend on today', () => {
  const start = gatewaysOfTests()

  it('are rejected by ?compare=', async () => {
    const { ask } = await start({ SQL_DIR: shopsFolder(fixtures('metrics/age')) })
    for (const query of ['', '&codes=age']) {
      const { status, json } = await ask(`/metrics?compare=year${query}`)
      expect([status, json.code]).to.deep.equal([400, 'bad_request'])
      expect(json.detail).to.contain('age')
    }
    expect((await ask('/metrics?compare=year&codes=receipts')).status).to.equal(200)
  })
})

describe('the two periods of a comparison', () => {
  const start = gatewaysOfTests()
  const JANUARY = '/reports/amounts?from=2026-01-01&to=2026-01-31'
  const FEBRUARY = '/reports/amounts?from=2026-02-01&to=2026-02-28'
  const COMPARED = `${FEBRUARY}&compare=previous`
  const NEW = { headers: { 'Cache-Control': 'no-cache' } }

  it('are reports of the cache: the older of the two says how old the response is', async () => {
    const shops = await sharedShops()
    const { ask } = await start({ SQL_DIR: shopsFolder(fixtures('reports/sales/amounts')) })
    const january = await ask(JANUARY)
    const asOf = january.headers.get('Data-As-Of')!
    const add = (kopecks: number): Promise<void> =>
      shops.change(
        `update receipts set amount_kopecks = amount_kopecks + ${kopecks} where id = 101`,
      )
    await add(700)
    try {
      let february = january
      await until(async () => {
        february = await ask(FEBRUARY, NEW)
        return february.headers.get('Data-As-Of')! > asOf
      })
      const ageOf = ({ headers }: typeof january): number => Number(headers.get('Age'))
      const least = ageOf(await ask(JANUARY))
      const both = await ask(COMPARED)
      expect(both.json.totals).to.deep.equal(february.json.totals)
      expect(both.json.compare.totals.amount_compared).to.equal(january.json.totals.amount)
      expect(both.headers.get('Data-As-Of')).to.equal(asOf)
      expect(ageOf(both)).to.be.within(least, ageOf(await ask(JANUARY)))
      expect(both.headers.get('Cache-Status')).to.match(/^svodka; hit/)
      const edited = await ask(COMPARED, NEW)
      expect(edited.headers.get('Cache-Status')).to.equal('svodka; fwd=request; stored')
      expect(edited.headers.get('Data-As-Of')! > asOf).to.equal(true)
      expect(edited.json.compare.totals.amount_compared).to.equal(january.json.totals.amount + 700)
    } finally {
      await add(-700)
    }
  })

  it('are both too large to be compared if one does not fit into the cache', async () => {
    const SQL_DIR = shopsFolder(FOLDER)
    const { ask } = await start({ SQL_DIR }, { now: () => NOON, limits: { maxCachedBytes: 512 } })
    expect((await ask(`/reports/kinds?${QUARTER}`)).json.rows).to.have.length(2)
    expectProblem(await ask(`/reports/kinds?${QUARTER}&compare=year`), 400, 'result_too_large')
  })
})

describe('many comparisons at a time', () => {
  const start = processesOfTests()
  const FORMATS = ['', '.ndjson', '.csv', '.xlsx', '.parquet']
  /** All at once use 600 MiB. */
  const MAX_GROWTH_MIB = 300

  it('are merged one after the other, unless their clients have disconnected', async () => {
    const gateway = await start({ SQL_DIR: shopsFolder({ 'reports/sales/many.sql': longRows() }) })
    const headers = { 'X-Api-Key': 'key of shop 1', 'Accept-Encoding': 'identity' }
    /** Repeats the request while too many reports wait for their comparison. */
    const head = async (path: string, signal: AbortSignal | null = null): Promise<number> => {
      for (;;) {
        const request = { method: 'HEAD', headers, signal }
        const { status } = await fetch(gateway.url + PREFIX + path, request)
        if (status !== 503) return status
        await new Promise(resolve => setTimeout(resolve, 200))
      }
    }
    const compare = (day: number, signal?: AbortSignal) =>
      FORMATS.map(format => head(`${coldPath(`many${format}`, day)}&compare=previous`, signal))
    for (const day of [0, 1, 2]) expect(await head(coldPath('many', day))).to.equal(200)
    const pid = gateway.child.pid!
    const before = peakMemoryBytes(pid)

    const left = new AbortController()
    const aborted = Promise.allSettled(compare(1, left.signal))
    await until(async () => (await metricOf(gateway, 'svodka_http_unread_bytes')) !== 0)
    left.abort()
    await aborted
    const statuses = await Promise.all([1, 2].flatMap(day => compare(day)))
    expect(statuses).to.deep.equal(Array.from({ length: 10 }, () => 200))
    const growth = (peakMemoryBytes(pid) - before) / 2 ** 20
    expect(growth).to.be.lessThan(MAX_GROWTH_MIB)
    await gateway.expectNothingLeft()
  })
})
