import { expect } from 'chai'
import type { Refusal } from '../../src/serve/replica/rehearse.ts'
import { createRehearsed } from '../../src/serve/rehearsal/rehearsed.ts'
import { load, METRICS, REPORT } from '../definitions/sql-folder.ts'

const TWO = { 'reports/shop/sales.sql': REPORT, 'metrics/shop.sql': METRICS }

/** A replica that refuses the definitions named, and remembers what it was asked. */
function setUp() {
  const world = {
    idType: async (): Promise<string> => 'integer',
    away: false,
    refuses: [] as string[],
    asked: [] as string[][],
  }
  const rehearsed = createRehearsed({
    idType: () => world.idType(),
    rehearse: async rehearsals => {
      world.asked.push(rehearsals.map(({ name }) => name))
      if (world.away) return undefined
      const refused = rehearsals.filter(({ name }) => world.refuses.includes(name))
      return refused.map(({ name, faultOf }): Refusal => {
        const error = new Error('no')
        return { definition: name, finding: faultOf(error), error }
      })
    },
  })
  const catalog = load(TWO)
  return { world, rehearsed, catalog, plan: () => rehearsed.rehearse(catalog) }
}

describe('rehearsed', () => {
  it('plans what runs once, what is refused each time, and all again for ids of another type', async () => {
    const { world, rehearsed, catalog, plan } = setUp()
    expect(rehearsed.stateOf(catalog)).to.equal('not yet')
    world.refuses = ['sales']
    const [refusal] = (await plan()) ?? []
    expect(refusal).to.deep.include({ definition: 'sales' })
    expect(refusal?.finding.file).to.equal('sql/reports/shop/sales.sql')
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 1 })
    world.refuses = []
    expect([await plan(), await plan()]).to.deep.equal([[], []])
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 0 })
    world.idType = async () => 'uuid'
    await plan()
    const all = ['sales', 'metrics/shop']
    expect(world.asked).to.deep.equal([all, ['sales'], all])
  })

  it('waits for the first time that the replica can be asked, and puts off a later catalog', async () => {
    const { world, rehearsed, catalog, plan } = setUp()
    world.away = true
    await plan()
    expect(rehearsed.stateOf(catalog)).to.equal('not yet')
    world.away = false
    await plan()
    world.away = true
    const other = load(TWO)
    expect(await rehearsed.rehearse(other)).to.equal(undefined)
    expect(rehearsed.stateOf(other)).to.equal('put off')
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 0 })
  })

  it('refuses a key look-up for its SQL, and for nothing else', async () => {
    const { world, rehearsed, catalog, plan } = setUp()
    world.idType = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
    expect(await plan()).to.equal(undefined)
    world.idType = () => Promise.reject(Object.assign(new Error('no column'), { code: '42703' }))
    const [refusal] = (await plan()) ?? []
    expect(refusal?.finding.file).to.equal('sql/access/organization_by_key.sql')
    expect(rehearsed.stateOf(catalog)).to.equal('put off')
  })
})
