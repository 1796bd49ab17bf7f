import { expect } from 'chai'
import { load, problemsOf, REPORT, reportWith } from './sql-folder.ts'

const SHARED_REPORT = reportWith('key: [shop]', 'key: [shop]\nshared: true').replace(
  /from sales[^]*(?=order)/,
  'from (select 1) as units ',
)

/** Findings in a `tenancy.yaml` of which no definition needs a line. */
async function faultsIn(text: string): Promise<string[]> {
  const files = { 'tenancy.yaml': text, 'reports/shop/a.sql': SHARED_REPORT }
  return (await problemsOf(files)).map(problem => problem.replace('sql/tenancy.yaml:', ''))
}

/** `tenancy.yaml`, and how the findings in it begin. */
const FILES = String.raw`
a: shop_id\nb: via a (x = y)\nc: via b (x = y, z = w)\nd: via c (x = y)\ne: shared\nf(): shared
'"A ""b"""': '"Shop Id"'\n'"B.c"."D"': via "A ""b""" ("x y" = "z=")\nвитрина: магазин
a: { tenancy: shared, because: units are the same for all, columns: [id] }
a: { tenancy: shop_id, table: archive.a }\nb: { tenancy: via a (x = y), table: archive.b }\nx.c: d
# none yet
- a => 1: found a list, expected a line for each table, such as "orders: shop_id"
a => 1: found "a", expected a line for each table, such as "orders: shop_id"
a: b\na: c => 2: key "a" again, expected each key once
a: b: c => 1: YAML:
a: b\nc via a (x = y)\nd: b => 2: a line without a colon, expected "key: value"
a: b\nc d => 2: a line without a colon
a: b\n---\nc: d => 1: found ---, expected one YAML document
a: *x => 1: YAML: unidentified alias
a:\n\tb: c => 2: a tab in YAML, expected spaces as indentation
a: {\n  tenancy: b\n} => 3: a value that is still open, expected it indented, or closed above
a: "b\nc: d => 2: a value that is still open
a: b\nc: => 2: c: found nothing, expected a column, "via <table> (<column> = <key>)" or "shared"
a: 1 => 1: a: found 1, expected a column
a: { table: b } => 1: a: no key "tenancy", expected a column
a:\n  tenancy: b\n  colums: [c] => 3: a: unknown key "colums", did you mean "columns"?
a: { tenancy: b, columns: [] } => 1: a.columns: found a list, expected a list of columns, such as [id, amount]
a: { tenancy: b, columns: [1] } => 1: a.columns.0: found 1, expected a column's name
a: { tenancy: shared, because: 1 } => 1: a.because: found 1, expected a sentence
a: { tenancy: b, because: c } => 1: a: because: found for "b", expected for "shared" only
a: b c => 1: a: found "b c", expected a column, "via <table> (<column> = <key>)" or "shared"
a: via => 1: a: found "via", expected
a: via b => 1: a: found "via b", expected
a: via b () => 1: a: found "via b ()", expected
a: via b (x) => 1: a: found "via b (x)", expected
a: via x.b (x = y) => 1: a: found "via x.b (x = y)", expected
a: via b (x = y) and c => 1: a: found "via b (x = y) and c", expected
a: b or true => 1: a: found "b or true", expected
a: b) or (true => 1: a: found "b) or (true", expected
a.b.c: d => 1: a.b.c: found the table "a.b.c", expected a name, or a schema and a name
a: { tenancy: b, table: c..d } => 1: a: found the table "c..d", expected a name
x.a: { tenancy: b, table: c } => 1: x.a: found a schema, expected it in "table" alone
pg_a: b => 1: pg_a: names of PostgreSQL itself, as those that begin with pg_, expected a table of the product
a: b\nc: { tenancy: shared, table: public.a } => 2: c: line 1 has this table, expected each
pg_catalog.a: shared => 1: pg_catalog.a: names of PostgreSQL itself
information_schema.a: shared => 1: information_schema.a: names of PostgreSQL itself
a: { tenancy: shared, table: pg_stats } => 1: a: names of PostgreSQL itself
pg_a: { tenancy: shared, table: b } => 1: pg_a: names of PostgreSQL itself
a: b\nx.a: c => 2: x.a: line 1 has a table of that name, expected another name and "table: x.a"
a: via c (x = y) => 1: a: there is no line of its parent "c", expected one of a
orders: b\na: via order (x = y) => 2: a: there is no line of its parent "order", did you mean "orders"?
a: via b (x = y)\nb: via a (x = y) => 1: a: is its own parent, via a, expected a table of organizations => 2: b: is its own parent, via b
a: shared\nb: via a (x = y) => 2: b: has the parent a, which is shared, expected a table of organizations
a: b\nc: via a (x = y)\nd: via c (x = y)\ne: via d (x = y)\nf: via e (x = y) => 5: f: is more than 3 levels below a table of organizations, expected its own column
f(): b => 1: f(): expected "shared", for a function that reads no rows of tenants
extension e: b => 1: extension e: expected "shared", for an extension whose functions read no
f(): { tenancy: shared } => 1: f(): expected "shared"
a.b.f(): shared => 1: a.b.f(): found the function "a.b.f()", expected a name, or a schema
f(): shared\nx.f(): shared => 2: x.f(): line 1 has a function of that name, expected each`

describe('tenancy.yaml', () => {
  for (const line of FILES.split('\n').slice(1)) {
    const [text = '', ...findings] = line.split(' => ')
    it(`${findings.length === 0 ? 'accepts' : 'rejects'} ${text}`, async () => {
      const found = await faultsIn(text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'))
      expect(found.length, found.join('\n')).to.equal(findings.length)
      for (const [at, start] of findings.entries())
        expect(found[at]?.slice(0, start.length)).to.equal(start)
    })
  }

  it('is required', async () => {
    expect(await problemsOf({ 'tenancy.yaml': '', 'reports/shop/a.sql': REPORT })).to.deep.equal([
      'sql/tenancy.yaml: no such file, expected a line for each table that definitions read: svodka tenancy proposes it',
    ])
  })

  it('has the only finding of a broken line, not the definitions and children that name it', async () => {
    const files = {
      'tenancy.yaml': 'sales: via b\nlines: via sales (a = b)\nparts: via lines (a = b)\nx.f(): b',
      'reports/shop/a.sql': REPORT,
      'reports/shop/b.sql': reportWith('from sales', 'from parts'),
      'reports/shop/c.sql': SHARED_REPORT.replace('select shop', 'select f(shop) as shop'),
      'reports/shop/d.sql': reportWith('from sales', 'from sales, sale'),
    }
    expect((await problemsOf(files)).map(problem => problem.slice(0, 36))).to.deep.equal([
      'sql/tenancy.yaml:1: sales: found "vi',
      'sql/tenancy.yaml:4: x.f(): expected ',
      'sql/reports/shop/d.sql:10: sale is n',
    ])
  })

  it('changes the versions of definitions that read the table of a line, and of no other', async () => {
    const versions = async (tenancy: string) => {
      const files = {
        'tenancy.yaml': tenancy,
        'reports/shop/a.sql': REPORT,
        'reports/shop/b.sql': SHARED_REPORT,
      }
      const { reports } = await load(files)
      return [...reports.values()].flatMap(({ version, statementHash }) => [version, statementHash])
    }
    const [sales, hash, ...others] = await versions('sales: shop_id')
    for (const same of [
      '# a comment\nsales:   "shop_id"',
      'x: y\nsales: shop_id\nf(): shared',
      'sales: { tenancy: shop_id, table: public.sales }',
    ])
      expect(await versions(same), same).to.deep.equal([sales, hash, ...others])
    for (const other of [
      'sales: other_id',
      'x.sales: shop_id',
      'sales: { tenancy: shop_id, columns: [shop] }',
      'x: shop_id\nsales: via x (id = id)',
    ]) {
      const [version, statement, ...more] = await versions(other)
      expect(version, other).to.not.equal(sales)
      expect(statement, other).to.not.equal(hash)
      expect(more, other).to.deep.equal(others)
    }
    const parents = ['x: shop_id', 'x: other_id'].map(
      async parent => (await versions(`${parent}\nsales: via x (id = id)`))[0],
    )
    expect(new Set(await Promise.all(parents)).size).to.equal(2)
  })
})
