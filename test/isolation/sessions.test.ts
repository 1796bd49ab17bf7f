// Sessions in which names are not those that the parser and the gateway mean.
import { expect } from 'chai'
import type { DefinitionSource } from '../../src/definitions/definition.ts'
import { SERVER_OBJECTS } from '../../src/definitions/server-objects-query.ts'
import { questionFor, serverFindings } from '../../src/definitions/server-objects.ts'
import { load } from '../definitions/sql-folder.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'

const DATABASE = 'isolation_win1251'
/** The parser, for which a letter has two bytes, takes both for one name. */
const CTE = 'сведения_о_пациентах_клиники_на_дату'
const TABLE = `${CTE}_и_время`

describe('a session in which names mean something else', () => {
  let primaryUrl: string
  let source: DefinitionSource

  before(async () => {
    ;({ primaryUrl } = await createTestDatabase('isolation_sessions', 'create schema own'))
    const { metricsFiles } = await load({
      'metrics/m.sql': `/*---\nmetrics: { x: { title: Икс, format: integer } }\n---*/\nwith ${CTE} as (select 1 as x) select x from sales, ${TABLE}`,
    })
    ;({ source } = metricsFiles.get('m')!)
  })

  async function findings(url: string, options?: string) {
    const client = await connectTo(url, options)
    const { rows } = await client.query(SERVER_OBJECTS, [questionFor([source])])
    await client.end()
    return serverFindings(source, JSON.parse(rows[0].objects))
  }

  it('is refused if the encoding of the database is another', async () => {
    const client = await connectTo(primaryUrl)
    await client.query(`drop database if exists ${DATABASE} with (force)`)
    await client.query(
      `create database ${DATABASE} template template0 encoding 'WIN1251' locale 'C'`,
    )
    await client.end()
    const url = new URL(primaryUrl)
    url.pathname = DATABASE
    const message =
      'the encoding of the database is WIN1251, expected UTF8: others read names differently'
    expect(await findings(url.href)).to.deep.equal([{ line: 4, message }])
  })

  it('is refused if a schema comes before pg_catalog', async () => {
    const message =
      'the search_path of the role postgres has own before pg_catalog, expected pg_catalog first or none: operators and types would be those of own'
    expect(await findings(primaryUrl, '-c search_path=own,pg_catalog')).to.deep.equal([
      { line: 4, message },
    ])
    for (const path of ['own', 'pg_catalog,own', 'absent,pg_catalog', "''"])
      expect(await findings(primaryUrl, `-c search_path=${path}`), path).to.deep.equal([])
  })
})
