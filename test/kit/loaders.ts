// What each loader of the kit has to do: resume, obey Retry-After, and request only months that have changed.
import { expect } from 'chai'
import type { Running } from '../clients/clients.ts'
import { killAt, reportsProblem, sorted, succeeds } from './kits.ts'
import type { Kits, Row } from './kits.ts'

export interface Loader {
  /** The program and its options. */
  readonly command: () => readonly [string, string[]]
  /** Where the table is. */
  readonly env?: () => NodeJS.ProcessEnv
  /** The table as JSON objects, with `_organization` and `_month`. */
  readonly read: () => Promise<Row[]>
  /** The path of a month's rows, without the parameters. */
  readonly path: string
}

/** Last days of months. */
const lastDay = (month: number): string =>
  new Date(Date.UTC(2026, month, 0)).toISOString().slice(0, 10)
/** Without parameters that a tool adds. */
const startOf = (path: string): string => path.split('&')[0]!
const monthPath = (path: string, month: number): string =>
  `${path}?from=${lastDay(month).slice(0, 8)}01&to=${lastDay(month)}`

export function loadsChanges(kits: Kits, loader: Loader): void {
  const start = (): Running => kits.run(...loader.command(), loader.env?.())
  const requestedMonths = (): string[] =>
    kits.front.requests.filter(path => path.startsWith(`${loader.path}?`))
  const matches = (path: string): RegExp => new RegExp(path.replaceAll(/[.?]/g, '\\$&'))

  async function tableIsReport(): Promise<void> {
    const table = await loader.read()
    const plain = table.map(({ _organization, _month, ...row }) => {
      expect([_organization, _month]).to.deep.equal(['1', `${row['month']}-01`])
      return row
    })
    expect(sorted(plain)).to.deep.equal(await kits.rows('receipts'))
  }

  it('keeps complete months if it is killed', async () => {
    await killAt(kits, matches(monthPath(loader.path, 3)), start)
    const table = await loader.read()
    const months = new Set(table.map(row => row['_month']))
    expect([...months]).to.have.members(['2026-01-01', '2026-02-01'])
  })

  it('resumes with the next month, and obeys Retry-After', async () => {
    kits.front.requests.length = 0
    kits.front.refuse(/^\/reports\/receipts\/schema/, 503)
    kits.front.refuse(matches(monthPath(loader.path, 4)), 429)
    await succeeds(start())
    const expected = [3, 4].map(month => monthPath(loader.path, month))
    expect(requestedMonths()).to.deep.equal(expected)
    const refused = ['503 /reports/receipts/schema', `429 ${monthPath(loader.path, 4)}`].map(
      startOf,
    )
    expect(kits.front.requests.map(startOf)).to.include.members(refused)
    for (const wait of kits.front.waits.splice(0)) expect(wait).to.be.at.least(0.95)
    await tableIsReport()
  })

  it('requests only months that have changed, and lists until two lists agree', async () => {
    await kits.world.shops
      .change(`update receipts set amount_kopecks = amount_kopecks - 7 where id = 103;
      insert into receipts values (190, 1, '2026-04-05 12:00+00', 5, 1, 'апрель'); delete from receipts where id = 102`)
    await kits.refresh()
    kits.front.requests.length = 0
    try {
      await succeeds(start())
      expect(requestedMonths()).to.deep.equal([2, 3, 4].map(month => monthPath(loader.path, month)))
      const lists = kits.front.requests.filter(path => /^\/.*\/periods\?/.test(path))
      expect(lists.length).to.equal(2)
      await tableIsReport()
    } finally {
      await kits.world.shops
        .change(`update receipts set amount_kopecks = amount_kopecks + 7 where id = 103;
        delete from receipts where id = 190;
        insert into receipts values (102, 1, '2026-02-28 12:00:00.25+00', 9007199254740993, 2, E'line\\nbreak, "quotes" 🙂')`)
      await kits.refresh()
    }
  })

  // why: the rows of this report depend on the clock
  it('requests months without a fingerprint once at each start', async () => {
    const [program, options] = loader.command()
    const path = loader.path.replace('receipts', 'receipts_by_month')
    for (const start of ['first', 'second']) {
      kits.front.requests.length = 0
      await succeeds(kits.run(program, [...options, 'receipts_by_month'], loader.env?.()))
      const requested = kits.front.requests.filter(each => each.startsWith(`${path}?`))
      expect(requested, start).to.deep.equal([1, 2, 3, 4].map(month => monthPath(path, month)))
    }
  })

  it('creates the table again if the shape of the report has changed', async () => {
    kits.front.reshape()
    kits.front.requests.length = 0
    await succeeds(start())
    expect(requestedMonths().length).to.equal(4)
    await tableIsReport()
  })

  it('reports problems, and does not print the key', () =>
    reportsProblem(kits, ...loader.command(), loader.env?.()))

  it('sends the key in a header only', () => {
    expect(kits.front.requests.filter(path => path.includes('key'))).to.deep.equal([])
  })
}
