import { expect } from 'chai'
import { PLACEHOLDERS } from '../../src/definitions/definition.ts'
import { lex, significant } from '../../src/definitions/lexer.ts'
import { CLOCK_WORDS, REFUSED_FUNCTIONS, SESSION_WORDS } from '../../src/definitions/refused.ts'
import { checkStatement } from '../../src/definitions/rules.ts'

const rules = {
  placeholders: PLACEHOLDERS,
  required: 'organization_id',
  ordered: true,
  clock: false,
}

function problems(sql: string): string[] {
  const findings = checkStatement(significant(lex(sql)), rules)
  return findings.map(({ line, message }) => `${line}: ${message}`)
}

/** A report around something on its second line. */
function around(sql: string): string {
  return `select name from sales\n${sql}\nwhere organization_id = :organization_id order by name`
}

describe('rules', () => {
  const refused: Array<[string, string]> = [
    ['select 1 order by 1', '1: no :organization_id, expected a condition on it'],
    [
      'select :organization_id',
      '1: no order by around the whole, expected one that ends in a unique key',
    ],
    [
      'select * from (select :organization_id order by 1) as x',
      '1: no order by around the whole, expected one that ends in a unique key',
    ],
    [
      'select array_agg(x order by x), rank() over (order by y) from z where a = :organization_id',
      '1: no order by around the whole, expected one that ends in a unique key',
    ],
    [
      around(':organisation_id'),
      '2: unknown placeholder :organisation_id, did you mean ":organization_id"?',
    ],
    [
      around(':shop'),
      '2: unknown placeholder :shop, expected one of :organization_id, :period_start, :period_end, :period_start_at, :period_end_at, :today, :as_of, :now, :time_zone',
    ],
    [around('$1'), '2: parameter $1, expected a placeholder by name, such as :organization_id'],
    [
      around("join x on day < date:'today'"),
      '2: a ":" that begins no placeholder, expected a blank before it and a name right behind it',
    ],
    [
      around('join x on y[:as_of] = 1'),
      '2: ":" here is a slice of an array, expected the placeholder in parentheses: (:as_of)',
    ],
    [`${around('')};\nselect 2`, '4: a second statement, expected one in a file'],
    ['', '1: no SQL, expected one select'],
    ['-- nothing', '1: no SQL, expected one select'],
    [`explain ${around('')}`, '1: begins with explain, expected select or with'],
    [around("join x on y = 'its"), "2: 'its ... is never closed, expected its end"],
    [around('join x on (y'), '2: "(" is never closed, expected its end'],
    [around('join x on y)'), '2: ")" closes nothing, expected its opening'],
    [around('join x on (y]'), '2: "]" closes nothing, expected its opening'],
    [
      `with gone as (\ndelete from sales returning *) ${around('')}`,
      '2: delete writes, expected a statement that only reads',
    ],
    [
      `with new as (\ninsert into sales values (1) returning *) ${around('')}`,
      '2: insert writes, expected a statement that only reads',
    ],
    [
      `with changed as materialized (\nUPDATE sales set x = 1 returning *) ${around('')}`,
      '2: update writes, expected a statement that only reads',
    ],
    [
      `with merged as (\nmerge into sales using x on true when matched then do nothing) ${around('')}`,
      '2: merge writes, expected a statement that only reads',
    ],
    [
      `select *\ninto copy from sales where id = :organization_id order by 1`,
      '2: select ... into makes a table, expected a statement that only reads',
    ],
    [`${around('')}\nfor update`, '4: for update locks rows, expected a statement that only reads'],
    [
      `${around('')}\nfor no key update of sales`,
      '4: for no key update locks rows, expected a statement that only reads',
    ],
    [`${around('')}\nfor share`, '4: for share locks rows, expected a statement that only reads'],
    [
      around('tablesample system (5)'),
      '2: tablesample gives other rows every time, expected all rows',
    ],
    [around('join x on y < now()'), '2: now() reads the clock, expected :today, :as_of or :now'],
    [
      around('join x on y < Pg_Catalog."now"()'),
      '2: now() reads the clock, expected :today, :as_of or :now',
    ],
    [
      around('join x on y < CURRENT_DATE'),
      '2: current_date reads the clock, expected :today, :as_of or :now',
    ],
    [
      around("join x on y < 'today'::date"),
      "2: 'today' as a date reads the clock, expected :today, :as_of or :now",
    ],
    [
      around("join x on y < timestamp 'NOW'"),
      "2: 'NOW' as a date reads the clock, expected :today, :as_of or :now",
    ],
    [
      around('join x on age(f(a, b)) < y'),
      '2: age() of one argument reads the clock, expected age(:today, ...)',
    ],
    [
      around("join x on set_config('a', 'b', true) = 'b'"),
      '2: set_config() changes the session or waits for others, expected a plain read',
    ],
    [
      around('join x on y between :period_start and :period_end'),
      '2: between takes in the day after the period, expected >= :period_start and < :period_end',
    ],
    [
      around('join x on y::date between (:period_start - 1) and z'),
      '2: between takes in the day after the period, expected >= :period_start and < :period_end',
    ],
    [
      around('join x on :period_start::date between y and z'),
      '2: between takes in the day after the period, expected >= :period_start and < :period_end',
    ],
    [
      around('join x on y::float8 = 1'),
      '2: a cast to float8 loses kopecks, expected numeric or bigint',
    ],
    [
      around('join x on cast(y as double precision) = 1'),
      '2: a cast to double precision loses kopecks, expected numeric or bigint',
    ],
  ]
  for (const [sql, problem] of refused) {
    it(`finds ${problem}`, () => {
      expect(problems(sql)).to.include(problem)
      expect(problems(sql).length).to.be.at.most(3)
    })
  }

  it('refuses every function and word of its lists, and what begins like a starred one', () => {
    for (const name of REFUSED_FUNCTIONS.flatMap(({ names }) => names)) {
      const call = `${name.replaceAll('*', 'x')}(1, 2)`
      expect(problems(around(`cross join ${call}`)), call).to.have.lengthOf(1)
    }
    for (const word of [...CLOCK_WORDS, ...SESSION_WORDS]) {
      expect(problems(around(`join x on y < ${word}`)), word).to.have.lengthOf(1)
    }
  })

  const accepted = [
    around(''),
    `${around('')};`,
    `${around('')}; -- done`,
    `(${around('')}) union all (${around('')}) order by 1`,
    `with x as (select :organization_id) select * from x ORDER BY 1`,
    around('join x on y between a and b and z >= :period_start'),
    around('join x on case when a between 1 and 2 then :period_start end = z'),
    around('join x on pg_sleep(1) is null or x.user is null'),
    around('join (select 1 as user, 2 as version) as z on z.user = version'),
    around('join x on t.now = x.random and updates.update > x.delete and t."into" is null'),
    around("join x on x.name in ('now', 'today') and x.note = ':today'"),
    around('join x on age(:today, y) > interval $$1 day$$ and shop.random(1) = shop.now()'),
    around('join x on substring(y from 1 for 3) = z[1:2]::text and y[:n] is null'),
    around('join x on round(x.real::numeric, 2) = x.float and "double" = 1'),
    around("join x on data ? 'a' and data ?| array['b'] and data::jsonb @? '$.a'"),
    around('join x on extract(year from day) = 2026 and last_value(day) over w is null'),
    around('join x on day < :period_end + 1 and at < :period_start_at and z = :time_zone'),
    around("join x on y = E'it\\'s; :x' /* ; :x /* insert into */ */ -- ; :x"),
  ]
  for (const sql of accepted) {
    it(`accepts ${sql.replaceAll('\n', ' ').slice(0, 100)}`, () => {
      expect(problems(sql)).to.deep.equal([])
    })
  }
})
