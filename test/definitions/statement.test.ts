import { expect } from 'chai'
import * as fc from 'fast-check'
import { PLACEHOLDERS, type Bindings } from '../../src/definitions/definition.ts'
import { compileStatement } from '../../src/definitions/statement.ts'

const bindings: Bindings = {
  organizationId: '42',
  period: { start: '2026-03-01', end: '2026-04-01' },
  today: '2026-11-21',
  now: '2026-11-21T10:00:00.000Z',
  timeZone: 'Europe/Moscow',
}

describe('statement', () => {
  it('gives each name one typed number, however often it occurs', () => {
    const statement = compileStatement('select :today, :period_start, :today where x = :time_zone')
    expect(statement.text('uuid')).to.equal(
      'select ($1::date), ($2::date), ($1::date) where x = ($3::text)',
    )
    expect(statement.values(bindings)).to.deep.equal(['2026-11-21', '2026-03-01', 'Europe/Moscow'])
  })

  it('casts the organization to the type that the product has', () => {
    const statement = compileStatement(
      'select 1 where id = :organization_id or :organization_id = 0',
    )
    expect(statement.text('integer')).to.equal(
      'select 1 where id = ($1::integer) or ($1::integer) = 0',
    )
    expect(statement.text('character varying')).to.contain('($1::character varying)')
    expect(statement.values(bindings)).to.deep.equal(['42'])
  })

  it('takes for a type nothing but the name of one, which may be quoted and have a schema', () => {
    const statement = compileStatement('select :organization_id')
    for (const idType of ['bpchar', '"bit"', 'product."Org""; drop"', '"a b".c', 'uuid[]']) {
      expect(statement.text(idType)).to.equal(`select ($1::${idType})`)
    }
    const others = ["uuid); drop table x --'", 'uuid) or (true', 'a"b', '"a"b"', '"', 'a.b.c', '']
    for (const idType of others) {
      expect(() => statement.text(idType), idType).to.throw('no type')
    }
    for (const idType of ['character', 'char', 'bit']) {
      expect(() => statement.text(idType)).to.throw('cuts text to a length of 1')
    }
  })

  it("leaves the instants of a period to PostgreSQL's time zones", () => {
    const statement = compileStatement('select :period_end_at, :period_end, :period_start_at')
    expect(statement.text('uuid')).to.equal(
      'select (($1::date)::timestamp at time zone ($2::text)), ($1::date), ' +
        '(($3::date)::timestamp at time zone ($2::text))',
    )
    expect(statement.values(bindings)).to.deep.equal(['2026-04-01', 'Europe/Moscow', '2026-03-01'])
  })

  it('binds the day of ages: the last of the period, or today in a period that goes on', () => {
    const statement = compileStatement('select :as_of, :now')
    expect(statement.text('uuid')).to.equal('select ($1::date), ($2::timestamptz)')
    expect(statement.values(bindings)).to.deep.equal(['2026-03-31', '2026-11-21T10:00:00.000Z'])
    const year = { ...bindings, period: { start: '2026-01-01', end: '2027-01-01' } }
    expect(statement.values(year)[0]).to.equal('2026-11-21')
  })

  it('knows whether the answer depends on today', () => {
    const usesToday = PLACEHOLDERS.filter(name => compileStatement(`select :${name}`).usesToday)
    expect(usesToday).to.deep.equal(['today', 'as_of', 'now'])
    expect(compileStatement(`select ':today' -- :now`).usesToday).to.equal(false)
  })

  it('has a type and a value for every placeholder', () => {
    for (const name of PLACEHOLDERS) {
      const statement = compileStatement(`select :${name}`)
      expect(statement.text('uuid')).to.match(/^select \(+\$1::/)
      expect(statement.values(bindings)).to.not.include(undefined)
    }
  })

  it('leaves SQL without placeholders as it is', () => {
    const sql = fc.array(
      fc.constantFrom("'a :now'", '--:now\n', 'x::date', '$$:now$$', 'a[:n]', '$&', '\n', '?'),
    )
    fc.assert(
      fc.property(sql, parts => {
        const text = parts.join(' ')
        expect(compileStatement(text).text('uuid')).to.equal(text)
      }),
    )
  })
})
