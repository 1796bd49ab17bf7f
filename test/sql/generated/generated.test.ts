// Every definition of ours against its oracle, and every identity, over small organizations that are made of edges.
import { expect } from 'chai'
import type { Client } from 'pg'
import { Examination, metricsOf } from './examination.ts'
import { ASKED_SEEDS } from './seeds.ts'
import { IDENTITIES } from '../identities/all.ts'
import { oraclesOf } from '../oracles/all.ts'
import { productDatabase } from '../product-database.ts'
import { connected, ourCatalog } from '../subject.ts'

/** The database computes for one while the oracles do for another. */
const IDS = ['ffffffff-0000-4000-8000-000000000001', 'ffffffff-0000-4000-8000-000000000003']

const catalog = ourCatalog()
const examination = new Examination(catalog, await oraclesOf(catalog))

function showProgress(done: number): void {
  if (!process.stderr.isTTY) return
  const end = done === ASKED_SEEDS.length ? '\n' : ''
  process.stderr.write(`\r${done} of ${ASKED_SEEDS.length} generated organizations${end}`)
}

describe(`the catalogue, over ${ASKED_SEEDS.length} generated organizations`, function () {
  this.timeout(60_000 + ASKED_SEEDS.length * 1000)

  before(async () => {
    const seeds = [...ASKED_SEEDS]
    const examineSome = async (client: Client, id: string) => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        await examination.examine(client, id, seed)
        showProgress(ASKED_SEEDS.length - seeds.length)
      }
    }
    const url = await productDatabase('svodka_generated')
    const clients = await Promise.all(IDS.map(() => connected(url)))
    try {
      await Promise.all(clients.map((client, at) => examineSome(client, IDS[at]!)))
    } finally {
      await Promise.all(clients.map(client => client.end()))
    }
  })

  function expectNoFailures(name: string): void {
    const { failures, checked } = examination.of(name)
    expect(failures.join('\n'), `over ${checked} organizations`).to.equal('')
  }

  for (const code of catalog.reports.keys()) {
    it(`${code} agrees with its oracle`, () => expectNoFailures(code))
  }
  for (const area of catalog.metricsFiles.keys()) {
    it(`${metricsOf(area)} agrees with its oracle`, () => expectNoFailures(metricsOf(area)))
  }

  for (const { name } of IDENTITIES) it(name, () => expectNoFailures(name))

  it('every identity is checked', () => {
    const least = Math.floor(ASKED_SEEDS.length / 40)
    const rare = IDENTITIES.filter(({ name }) => examination.of(name).checked < least)
    expect(rare.map(({ name }) => name)).to.deep.equal([])
  })
})
