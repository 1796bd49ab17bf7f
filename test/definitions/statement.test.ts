import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PLACEHOLDERS, type Bindings, type Statement } from '../../src/definitions/definition.ts'
import { cutAtPlaceholders } from '../../src/definitions/sql/sql-pieces.ts'
import { compileStatement, startOfDay } from '../../src/definitions/statement.ts'
import { parseSql } from '../harness/parse-sql.ts'

const bindings: Bindings = {
  organizationId: '42',
  period: { start: '2026-03-01', end: '2026-04-01' },
  today: '2026-11-21',
  now: '2026-11-21T10:00:00.000Z',
  timeZone: 'Europe/Moscow',
}

async function compiled(sql: string): Promise<Statement> {
  const parsed = await parseSql({ text: sql, placeholders: PLACEHOLDERS })
  if (parsed.error !== undefined) throw new Error(`${parsed.error.message} in ${sql}`)
  return compileStatement(cutAtPlaceholders(parsed, { start: 0, end: sql.length }))
}

describe('statement', () => {
  const STATEMENTS = `
select :today, :period_start, :today where x = :time_zone
  select ($1::date), ($2::date), ($1::date) where x = ($3::text)
  2026-11-21, 2026-03-01, Europe/Moscow
select 1 where id = :organization_id or :organization_id = 0
  select 1 where id = ($1::uuid) or ($1::uuid) = 0
  42
select :period_end_at, :period_end, :period_start_at
  select ${startOfDay('($1::date)', '($2::text)')}, ($1::date), ${startOfDay('($3::date)', '($2::text)')}
  2026-04-01, Europe/Moscow, 2026-03-01
select :as_of, :now
  select ($1::date), ($2::timestamptz)
  2026-03-31, 2026-11-21T10:00:00.000Z
`
  for (const [, sql = '', text, values] of STATEMENTS.matchAll(/^(\S.*)\n {2}(.*)\n {2}(.*)$/gm)) {
    it(`binds each name once, with its type: ${sql}`, async () => {
      const statement = await compiled(sql)
      expect(statement.text('uuid')).to.equal(text)
      expect(statement.values(bindings).join(', ')).to.equal(values)
    })
  }

  it('binds :as_of to today in a current period', async () => {
    const year = { ...bindings, period: { start: '2026-01-01', end: '2027-01-01' } }
    expect((await compiled('select :as_of')).values(year)).to.deep.equal(['2026-11-21'])
  })

  it('accepts only the name of a type, which may be quoted and have a schema', async () => {
    const statement = await compiled('select :organization_id')
    for (const idType of ['bpchar', '"bit"', 'product."Org""; drop"', '"a b".c', 'uuid[]']) {
      expect(statement.text(idType)).to.equal(`select ($1::${idType})`)
    }
    const others = ["uuid); drop table x --'", 'uuid) or (true', 'a"b', '"a"b"', '"', 'a.b.c', '']
    for (const idType of others) {
      expect(() => statement.text(idType), idType).to.throw('not a type name')
    }
    for (const idType of ['character', 'char', 'bit']) {
      expect(() => statement.text(idType)).to.throw('truncates text to a length of 1')
    }
  })

  it('knows whether the result depends on today', async () => {
    const statements = await Promise.all(PLACEHOLDERS.map(name => compiled(`select :${name}`)))
    const usesToday = PLACEHOLDERS.filter((_, at) => statements[at]!.usesToday)
    expect(usesToday).to.deep.equal(['today', 'as_of', 'now'])
    expect((await compiled(`select ':today' -- :now`)).usesToday).to.equal(false)
  })

  it('is made in one place, and all other SQL that the gateway sends is its own', () => {
    const filesWith = (pattern: RegExp) =>
      readdirSync('src', { recursive: true, encoding: 'utf8' })
        .filter(
          path => path.endsWith('.ts') && pattern.test(readFileSync(join('src', path), 'utf8')),
        )
        .toSorted()
    expect(filesWith(/(as|<) ?StatementText\b/)).to.deep.equal(['definitions/statement.ts'])
    const senders = filesWith(/readOnlyRows\(|createRowQuery\(|\.query\(|\bread\(\{/)
    const inReplica = 'session-execution key-databases connection database-client report-pool'
    expect(senders.filter(path => path.startsWith('serve/'))).to.deep.equal([
      'serve/access/access-rows.ts',
      ...`${inReplica} probe`
        .split(' ')
        .map(name => `serve/database/${name}.ts`)
        .toSorted(),
      'serve/start/access-check.ts',
      // why: it plans what compiles, as session-execution.ts executes it
      'serve/start/dry-run.ts',
      'serve/start/replica-faults.ts',
    ])
  })
})
