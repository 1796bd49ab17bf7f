// What each loader of the kit has to do: resume, obey Retry-After, and transfer only months that have changed.
import { expect } from 'chai'
import type { Running } from '../clients/clients.ts'
import { setScope } from '../contract/scopes.ts'
import {
  exactJson,
  killAt,
  MONTHS,
  pathOf,
  PERIOD,
  reportsProblem,
  sorted,
  succeeds,
} from './kits.ts'
import type { Kits, Row } from './kits.ts'

export interface Loader {
  readonly tool: 'python' | 'r' | 'psql'
  /** The program and its options. */
  readonly command: (file?: string) => readonly [string, string[]]
  /** Where the table is. */
  readonly env?: () => NodeJS.ProcessEnv
  /** A table as JSON objects, with `_organization` and `_month`; by default that of `receipts`. */
  readonly read: (table?: string) => Promise<Row[]>
  /** Executes a statement where the table is. */
  readonly execute: (sql: string) => Promise<unknown>
}

export function loadsChanges(kits: Kits, loader: Loader): void {
  const start = (): Running => kits.run(...loader.command(), loader.env?.())
  const exactly = (month: number): RegExp => new RegExp(pathOf(month).replaceAll(/[.?]/g, '\\$&'))

  async function tableIsReport(): Promise<void> {
    const table = await loader.read()
    const plain = table.map(({ _organization, _month, ...row }) => {
      expect([_organization, _month]).to.deep.equal(['1', `${row['month']}-01`])
      return row
    })
    expect(sorted(plain)).to.deep.equal(await kits.rows('receipts'))
  }

  const loadedMonths = async () => [...new Set((await loader.read()).map(row => row['_month']))]

  /** Loads, and expects requests for all months, of which these have a body. */
  async function transfers(...changed: number[]): Promise<void> {
    kits.front.requests.length = 0
    await succeeds(start())
    const expected = MONTHS.map(month => (changed.includes(month) ? '' : '304 ') + pathOf(month))
    const requested = kits.front.requests.filter(path => path.includes('.ndjson'))
    expect(requested).to.deep.equal(expected)
    await tableIsReport()
  }

  it('keeps complete months if it is killed', async () => {
    await killAt(kits, exactly(3), start)
    expect(await loadedMonths()).to.have.members(['2026-01-01', '2026-02-01'])
  })

  it('keeps complete months if a row cannot be inserted', async () => {
    // why: a month has one row, so February's and March's collide
    await loader.execute(
      `create unique index one_row on receipts (_organization) where _month > '2026-01-31'`,
    )
    const { exitCode } = await start().ended
    await loader.execute('drop index one_row')
    expect(exitCode).to.be.greaterThan(0)
    expect(await loadedMonths()).to.have.members(['2026-01-01', '2026-02-01'])
  })

  it('resumes with the next month', () => transfers(3, 4))

  it('transfers no body if nothing has changed', () => transfers())

  it('replaces months that have changed', async () => {
    await kits.world.shops
      .change(`update receipts set amount_kopecks = amount_kopecks - 7 where id = 103;
      insert into receipts values (190, 1, '2026-04-05 12:00+00', 5, 1, 'апрель'); delete from receipts where id = 102`)
    await kits.refresh()
    try {
      await transfers(2, 3, 4)
    } finally {
      await kits.world.shops
        .change(`update receipts set amount_kopecks = amount_kopecks + 7 where id = 103;
        delete from receipts where id = 190;
        insert into receipts values (102, 1, '2026-02-28 12:00:00.25+00', 9007199254740993, 2, E'line\\nbreak, "quotes" 🙂')`)
      await kits.refresh()
    }
  })

  it('obeys Retry-After', async () => {
    kits.front.requests.length = 0
    kits.front.refuse(/^\/reports\/receipts\/schema/, 503)
    kits.front.refuse(exactly(4), 429)
    await succeeds(start())
    const refused = ['503 /reports/receipts/schema', `429 ${pathOf(4)}`]
    expect(kits.front.requests).to.include.members(refused)
    for (const wait of kits.front.waits.splice(0)) expect(wait).to.be.at.least(0.95)
    await tableIsReport()
  })

  const ofValues = 'of_values'
  /** The amounts of a table are those of `signed` with this value. */
  async function expectSigned(table: string, sign: string): Promise<void> {
    const path = `/reports/signed?${PERIOD}&sign=${encodeURIComponent(sign)}`
    const rows: readonly Row[] = exactJson((await kits.world.ask(path)).text).rows
    const loaded = await loader.read(table)
    expect(loaded.map(row => String(row['amount']))).to.have.members(rows.map(row => row['amount']))
  }

  it('loads rows of other values into another table', async () => {
    for (const [sign, table] of [
      ['с плюсом & 0', 'signed_sign_с_плюсом_0'],
      ['minus', 'signed_sign_minus'],
      ['minus', 'signed_sign_minus'],
    ] as const) {
      kits.front.requests.length = 0
      await kits.write(loader.tool, 'signed', ofValues, { values: { sign } })
      await succeeds(kits.run(...loader.command(ofValues), loader.env?.()))
      await expectSigned(table, sign)
    }
    const repeated = kits.front.requests.filter(path => path.includes('.ndjson'))
    expect(repeated.map(path => path.split(' ')[0])).to.deep.equal(MONTHS.map(() => '304'))
  })

  if (loader.tool !== 'psql') {
    it('leaves out reports that need a value, unless the key fixes it', async () => {
      const all = { reports: [] }
      await kits.write(loader.tool, 'signed', ofValues, all)
      const run = (key: string) =>
        succeeds(kits.run(...loader.command(ofValues), { ...loader.env?.(), SVODKA_KEY: key }))
      const scoped = 'key of receipts'
      await setScope(kits.world.shops, scoped, `array['report:signed', 'report:receipts']`)
      expect(await run(scoped)).to.include('signed: пропущен: ему нужно значение sign')
      await tableIsReport()
      await setScope(kits.world.shops, scoped, 'null', { sign: 'minus' })
      expect(await run(scoped)).to.include('signed 2026-03')
      await expectSigned('signed', 'minus')
    })
  }

  it('creates the table again if the shape of the report has changed', () => {
    kits.front.dropEtags()
    kits.front.reshape()
    return transfers(...MONTHS)
  })

  it('loads months without an ETag each time', () => transfers(...MONTHS))

  it('reports problems, and does not print the key', () =>
    reportsProblem(kits, ...loader.command(), loader.env?.()))

  it('sends the key in a header only', () => {
    expect(kits.front.requests.filter(path => path.includes('key'))).to.deep.equal([])
  })
}
