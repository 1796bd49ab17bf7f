// Tenant isolation for types of organization ids; in the proof for all.
import { expect } from 'chai'
import { productSql } from '../harness/fixtures.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { asker } from '../harness/ask.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { writeSqlFolder } from '../harness/sql-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

/** Ids of each type. If the type has prefixes, the first ids are prefixes of the others. */
const TEXTS = ['A', 'AC', 'ACM', 'ACME', 'ACME2']
const NUMBERS = ['1', '11', '111', '1111']
const ID_TYPES: Record<string, { readonly type: string; readonly ids: readonly string[] }> = {
  uuid: {
    type: 'uuid',
    ids: ['1', '11', '111'].map(end => `00000000-0000-4000-8000-${end.padEnd(12, '0')}`),
  },
  int2: { type: 'int2', ids: NUMBERS },
  int4: { type: 'int4', ids: NUMBERS },
  int8: { type: 'int8', ids: [...NUMBERS, '9007199254740993', '9007199254740992'] },
  numeric: { type: 'numeric(20, 0)', ids: NUMBERS },
  text: { type: 'text', ids: [...TEXTS, 'acme', 'ACME ', `A'"\\`] },
  varchar: { type: 'varchar(8)', ids: [...TEXTS, 'ACME '] },
  char: { type: 'char(5)', ids: TEXTS },
  internal_char: { type: '"char"', ids: ['A', 'B'] },
  bit: { type: 'bit(4)', ids: ['1000', '1010', '1011', '1111'] },
  varbit: { type: 'varbit', ids: ['1', '10', '101', '1011'] },
  domain: { type: 'id_types.organization_id', ids: TEXTS },
  domain_of_char: { type: 'id_types.short_id', ids: TEXTS },
  quoted_domain: { type: '"Id ""types"")".":Org; -- Id"', ids: TEXTS },
  domain_of_bit: { type: 'id_types.short_bits', ids: ['1000', '1010', '1111'] },
  decimals: { type: 'numeric(6, 2)', ids: ['1', '11', '1.1'] },
  name: { type: 'name', ids: TEXTS },
  bytea: { type: 'bytea', ids: ['\\x41', '\\x4143', '\\x414344'] },
  date: { type: 'date', ids: ['2026-01-02', '2026-02-01'] },
  float8: { type: 'float8', ids: ['0.1', '0.11', '1e300'] },
  inet: { type: 'inet', ids: ['10.0.0.1', '10.0.0.11', '10.0.0.0/8'] },
  enum: { type: 'id_types.organization_name', ids: TEXTS },
  // Not ASCII, as the name of a prepared statement must be.
  quoted_enum: { type: '"Id ""types"")"."$1::Имя"', ids: TEXTS },
}

/** Types with other comparisons, casts or names than each other. */
const FEW = new Set([
  'uuid',
  'int8',
  'text',
  'char',
  'bit',
  'quoted_domain',
  'decimals',
  'quoted_enum',
])
const TESTED = Object.entries(ID_TYPES).filter(([name]) => IS_PROOF || FEW.has(name))

/** Ids of a domain; in the search_path of reports, another domain of this name truncates them. */
const PATH_IDS = ['A', 'AC', 'ACME']

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

describe('the type of an organization id', () => {
  const folder = temporaryFolder()
  let replicaUrl: string
  let gateway: TestGateway | undefined

  before(async () => {
    const database = await createTestDatabase('id_types')
    replicaUrl = database.replicaUrl
    const inPath = ['path', { type: 'keys_path.same_name', ids: PATH_IDS }] as const
    const tables = [...TESTED, inPath].map(
      ([name, { type, ids }]) => `
create schema of_${name};
create table of_${name}.keys (hash bytea, id ${type} primary key, zone text);
create table of_${name}.sales (organization_id ${type}, day date, shop text, amount bigint);
${ids
  .map(
    (id, at) => `
insert into of_${name}.keys values (sha256(convert_to(${quoted(`key ${at}`)}, 'utf8')), ${quoted(id)}, 'Europe/Moscow');
insert into of_${name}.sales values (${quoted(id)}, '2026-02-01', ${quoted(`of ${id}`)}, 100);`,
  )
  .join('')}`,
    )
    await database.change(productSql('id-types') + tables.join(''))
  })
  afterEach(async () => {
    await gateway?.stop()
    gateway = undefined
  })

  /** Status and shops of the report for each key. */
  async function reportFor(count: number, environment: NodeJS.ProcessEnv): Promise<unknown[]> {
    const started = (gateway = await startGateway(environment))
    const keys = Array.from({ length: count }, (_, at) => `key ${at}`)
    return Promise.all(
      keys.map(async key => {
        const { status, json } = await asker(
          started.url,
          key,
        )('/reports/sales?from=2026-01-01&to=2026-12-31')
        return [status, json.rows?.map(({ shop }: { shop: string }) => shop)]
      }),
    )
  }

  for (const [name, { ids }] of TESTED) {
    it(`shows each organization its own rows only: ${name}`, async () => {
      const SQL_DIR = writeSqlFolder(folder, `of_${name}`)
      const reports = await reportFor(ids.length, { DATABASE_URL: replicaUrl, SQL_DIR })
      expect(reports).to.deep.equal(ids.map(id => [200, [`of ${id}`]]))
    })
  }

  it('is not resolved by the search_path of the reports role', async () => {
    const inPath = (path: string): string =>
      Object.assign(new URL(replicaUrl), { search: `?options=-c%20search_path%3D${path}` }).href
    const reports = await reportFor(PATH_IDS.length, {
      DATABASE_URL: inPath('reports_path'),
      KEYS_DATABASE_URL: inPath('keys_path'),
      SQL_DIR: writeSqlFolder(folder, 'of_path'),
    })
    expect(reports).to.deep.equal(PATH_IDS.map(id => [200, [`of ${id}`]]))
  })
})
