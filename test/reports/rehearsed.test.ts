import { expect } from 'chai'
import type { Refusal } from '../../src/replica/rehearse.ts'
import { createRehearsed } from '../../src/reports/rehearsed.ts'
import { load, METRICS, REPORT } from '../definitions/sql-folder.ts'

const TWO = { 'reports/shop/sales.sql': REPORT, 'metrics/shop.sql': METRICS }

/** A replica that refuses the definitions named, and remembers what it was asked. */
function replica() {
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
  return { world, rehearsed }
}

describe('rehearsed', () => {
  it('plans what runs once, and what is refused each time', async () => {
    const { world, rehearsed } = replica()
    const catalog = load(TWO)
    expect(rehearsed.stateOf(catalog)).to.equal('not yet')
    world.refuses = ['sales']
    const [refusal] = (await rehearsed.rehearse(catalog)) ?? []
    expect(refusal?.definition).to.equal('sales')
    expect(refusal?.finding.file).to.equal('sql/reports/shop/sales.sql')
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 1 })
    world.refuses = []
    expect(await rehearsed.rehearse(catalog)).to.deep.equal([])
    expect(await rehearsed.rehearse(catalog)).to.deep.equal([])
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 0 })
    expect(world.asked).to.deep.equal([['sales', 'metrics/shop'], ['sales']])
  })

  it('waits for the first time that the replica could be asked', async () => {
    const { world, rehearsed } = replica()
    const catalog = load(TWO)
    world.away = true
    await rehearsed.rehearse(catalog)
    expect(rehearsed.stateOf(catalog)).to.equal('not yet')
    world.away = false
    await rehearsed.rehearse(catalog)
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 0 })
  })

  it('puts a catalog off whose definitions the replica has not seen', async () => {
    const { world, rehearsed } = replica()
    const catalog = load(TWO)
    await rehearsed.rehearse(catalog)
    world.away = true
    const other = load(TWO)
    expect(await rehearsed.rehearse(other)).to.equal(undefined)
    expect(rehearsed.stateOf(other)).to.equal('put off')
    expect(rehearsed.stateOf(catalog)).to.deep.equal({ refused: 0 })
  })

  it('plans all again where ids are of another type', async () => {
    const { world, rehearsed } = replica()
    const catalog = load(TWO)
    await rehearsed.rehearse(catalog)
    world.idType = async () => 'uuid'
    await rehearsed.rehearse(catalog)
    expect(world.asked).to.have.lengthOf(2)
    expect(world.asked[1]).to.have.lengthOf(2)
  })

  it('refuses a key look-up for its SQL, and for nothing else', async () => {
    const { world, rehearsed } = replica()
    const catalog = load(TWO)
    world.idType = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
    expect(await rehearsed.rehearse(catalog)).to.equal(undefined)
    world.idType = () => Promise.reject(Object.assign(new Error('no column'), { code: '42703' }))
    const [refusal] = (await rehearsed.rehearse(catalog)) ?? []
    expect(refusal?.finding.file).to.equal('sql/access/organization_by_key.sql')
    expect(rehearsed.stateOf(catalog)).to.equal('put off')
  })
})
