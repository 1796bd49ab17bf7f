// A database of another encoding, in which PostgreSQL truncates names later than the parser does.
import { expect } from 'chai'
import {
  questionFor,
  SERVER_OBJECTS,
  serverFindings,
} from '../../src/definitions/server-objects.ts'
import { load } from '../definitions/sql-folder.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'

const DATABASE = 'isolation_win1251'
/** The parser, for which a letter has two bytes, takes both for one name. */
const CTE = 'сведения_о_пациентах_клиники_на_дату'
const TABLE = `${CTE}_и_время`

describe('a database of another encoding', function () {
  this.timeout(60_000)

  it('is refused for each definition, since a CTE and a table may seem to be one', async () => {
    const { primaryUrl } = await createTestDatabase('isolation_encoding')
    const client = await connectTo(primaryUrl)
    await client.query(`drop database if exists ${DATABASE} with (force)`)
    await client.query(
      `create database ${DATABASE} template template0 encoding 'WIN1251' locale 'C'`,
    )
    await client.end()
    const { metricsFiles } = await load({
      'metrics/m.sql': `/*---\nmetrics: { x: { title: Икс, format: integer } }\n---*/\nwith ${CTE} as (select 1 as x) select x from sales, ${TABLE}`,
    })
    const { source } = metricsFiles.get('m')!
    const url = new URL(primaryUrl)
    url.pathname = DATABASE
    const other = await connectTo(url.href)
    const { rows } = await other.query(SERVER_OBJECTS, [questionFor([source])])
    await other.end()
    expect(serverFindings(source, JSON.parse(rows[0].objects))).to.deep.equal([
      {
        line: 4,
        message:
          'the encoding of the database is WIN1251, expected UTF8: others read names differently',
      },
    ])
  })
})
