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

const DATE = '($1::date)'

describe('statement', () => {
  const STATEMENTS = `
select :today, :period_start, :today where x = :time_zone
  select ($1::date), ($2::date), ($1::date) where x = ($3::text)
  2026-11-21, 2026-03-01, Europe/Moscow
select 1 where id = :organization_id or :organization_id = 0
  select 1 where id = ($1::uuid) or ($1::uuid) = 0
  42
select :period_end_at, :period_end, :period_start_at
  select (($1::date)::timestamp at time zone ($2::text)), ($1::date), (($3::date)::timestamp at time zone ($2::text))
  2026-04-01, Europe/Moscow, 2026-03-01
select :as_of, :now
  select ($1::date), ($2::timestamptz)
  2026-03-31, 2026-11-21T10:00:00.000Z
`
  for (const [, sql = '', text, values] of STATEMENTS.matchAll(/^(\S.*)\n {2}(.*)\n {2}(.*)$/gm)) {
    it(`binds each name once, with its type: ${sql}`, () => {
      const statement = compileStatement(sql)
      expect(statement.text('uuid')).to.equal(text)
      expect(statement.values(bindings).join(', ')).to.equal(values)
    })
  }

  it('takes today for the day of ages in a period that goes on', () => {
    const year = { ...bindings, period: { start: '2026-01-01', end: '2027-01-01' } }
    expect(compileStatement('select :as_of').values(year)).to.deep.equal(['2026-11-21'])
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

  it('knows whether the answer depends on today', () => {
    const usesToday = PLACEHOLDERS.filter(name => compileStatement(`select :${name}`).usesToday)
    expect(usesToday).to.deep.equal(['today', 'as_of', 'now'])
    expect(compileStatement(`select ':today' -- :now`).usesToday).to.equal(false)
  })

  const bound = (sql: string): string => compileStatement(sql).text('uuid')

  it('finds placeholders where a value may stand', () => {
    const sql = `b>=:today and (:today) and f(1,:today) and -:today and :today::date
      and case when x then :today end ||:today and array[[:today], [1, :today]] and a[(:today):2] /* x */:today`
    expect(bound(sql)).to.equal(sql.replaceAll(':today', DATE))
  })

  it('leaves SQL without placeholders as it is', () => {
    const parts = `x::date|x::numeric(14,2)[]|a[1:2]|a[:now]|a[now:]|a[ :now ]|(f(x))[lower:now]|f(now := 1, b:=2)|x : y
data ? 'key' and data @? '$.a'|limit:now|(x):now|'a :now'|--:now\n|$$:now$$|$&|\n|?`
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts.split('|'))), parts => {
        expect(bound(parts.join(' '))).to.equal(parts.join(' '))
      }),
    )
  })

  it('finds no placeholder in quotes and comments, whatever they hold', () => {
    const content = fc
      .array(fc.constantFrom(':now', "'", '"', '$', '\\', '*', '/', '\n', '-', ' ', 'x'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(content, text => {
        const escaped = text.replaceAll(/['\\]/g, '\\$&')
        const comment = text.replaceAll(/[*/]/g, '')
        const hiding = [
          `'${text.replaceAll("'", "''")}'`,
          `E'${escaped}'`,
          `e'a' -- b\n '${escaped}'`,
          `U&"${text.replaceAll('"', '""')}"`,
          `$q$${text}$q$`,
          `$тег$${text} $$ $tag$ $тег$`,
          `/*${comment}/*${comment}*/${comment}*/`,
          `--${text.replaceAll('\n', '')}\n`,
        ]
        for (const hidden of hiding) {
          expect(bound(`:today ${hidden} :today`)).to.equal(`${DATE} ${hidden} ${DATE}`)
        }
      }),
    )
  })
})
