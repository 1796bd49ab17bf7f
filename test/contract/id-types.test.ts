// Tenant isolation for each type of organization ids, and the rejection of other types.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestDatabase } from '../harness/test-database.ts'
import { asker } from '../harness/ask.ts'
import { startGateway, type TestGateway } from '../harness/in-process-gateway.ts'
import { writeSqlFolder } from '../harness/sql-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

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
  text: { type: 'text', ids: [...TEXTS, 'acme', 'ACME ', `A'"\\`] },
  varchar: { type: 'varchar(8)', ids: [...TEXTS, 'ACME '] },
}

/** SQL of ids of other types, and how PostgreSQL names them. */
const REJECTED: Record<string, string> = {
  'id::char(5)': 'character',
  'id::id_types.short_id': 'id_types.short_id',
  'id::id_types.letter': 'id_types.letter',
  'length(id)::numeric': 'numeric',
  'row(id, 1)': 'record',
}

const TYPES = `
create schema id_types;
create domain id_types.short_id as varchar(5);
create type id_types.letter as enum ('A', 'B');`

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

describe('the type of an organization id', () => {
  const folder = temporaryFolder()
  let replicaUrl: string
  let gateway: TestGateway | undefined

  before(async () => {
    const database = await createTestDatabase('id_types')
    replicaUrl = database.replicaUrl
    const tables = Object.entries(ID_TYPES).map(
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
    await database.change(TYPES + tables.join(''))
  })
  afterEach(async () => {
    await gateway?.stop()
    gateway = undefined
  })

  /** Status and shops of the report for each key. */
  async function reportFor(count: number, environment: NodeJS.ProcessEnv): Promise<unknown[]> {
    const started = (gateway = await startGateway(environment))
    await started.ready()
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

  for (const [name, { ids }] of Object.entries(ID_TYPES)) {
    it(`shows each organization its own rows only: ${name}`, async () => {
      const SQL_DIR = writeSqlFolder(folder, `of_${name}`)
      const reports = await reportFor(ids.length, { DATABASE_URL: replicaUrl, SQL_DIR })
      expect(reports).to.deep.equal(ids.map(id => [200, [`of ${id}`]]))
    })
  }

  for (const [sql, type] of Object.entries(REJECTED)) {
    it(`is rejected at the start if it is another one; its keys are unavailable: ${type}`, async () => {
      const sqlDir = writeSqlFolder(join(folder, type), 'of_text')
      const file = join(sqlDir, 'access', 'organization_by_key.sql')
      writeFileSync(file, readFileSync(file, 'utf8').replace('id as', `${sql} as`))
      const started = await startGateway({ DATABASE_URL: replicaUrl, SQL_DIR: sqlDir })
      gateway = started
      await until(() => started.observations.some(({ kind }) => kind === 'definition-refused'))
      const rejected = started.observations.find(({ kind }) => kind === 'definition-refused')
      expect(rejected).to.include({ definition: 'access' })
      expect(rejected && 'error' in rejected && String(rejected.error)).to.match(
        new RegExp(
          String.raw`organization_by_key\.sql:\d: organization_id is of the type ${type}, expected smallint, integer, .* cast it in the query, such as organization_id::uuid$`,
        ),
      )
      expect((await fetch(`${gateway.opsUrl}/readyz`)).status).to.equal(503)
      const { status, json } = await asker(gateway.url, 'key 0')('/ping')
      expect([status, json.code]).to.deep.equal([503, 'access_unavailable'])
    })
  }
})
