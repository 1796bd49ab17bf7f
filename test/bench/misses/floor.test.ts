import { expect } from 'chai'
import { allDefinitions } from '../../../src/definitions/any-definition.ts'
import { scriptOf } from './floor.ts'
import { ID_TYPE, shippedCatalog } from './subject.ts'

describe('a script of pgbench', () => {
  it('names a parameter where it comes first and numbers it from then on', () => {
    const script = scriptOf('select ($1::uuid), ($2::date), ($1::uuid)')
    expect(script).to.equal('select (:v1::uuid), (:v2::date), ($1::uuid)\n;\n')
  })

  it('is refused where pgbench would see a variable that is none', () => {
    expect(() => scriptOf("select to_char(now(), 'HH24:MI')")).to.throw(':MI')
  })

  it('is refused where parameters do not begin in the order of their numbers', () => {
    expect(() => scriptOf('select $2, $1')).to.throw('$2 comes before $1')
  })

  it('can be written of every shipped statement', () => {
    for (const { statement } of allDefinitions(shippedCatalog())) {
      const text = statement.text(ID_TYPE)
      let n = 0
      const prepared = scriptOf(text).replaceAll(/(?<!:):v\d+/g, () => `$${++n}`)
      expect(prepared).to.equal(`${text}\n;\n`)
    }
  })
})
