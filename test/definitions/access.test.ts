import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parseAccess } from '../../src/definitions/access.ts'
import { parseHeartbeat } from '../../src/definitions/access.ts'
import { parseSql } from '../harness/parse-sql.ts'

const sourceOf = (text: string) => ({ file: 'sql/access/x.sql', code: 'x', text, version: '' })

describe('the key look-up', () => {
  it('loads as it is shipped', async () => {
    const text = readFileSync('sql/access/organization_by_key.sql', 'utf8')
    expect((await parseAccess(sourceOf(text), parseSql)).findings).to.deep.equal([])
  })

  it('binds the hashes as one array and selects the type of the id', async () => {
    const source = '-- :key_hashes\nselect * from keys where hash = any (:key_hashes); -- done'
    const { text = '', idTypeText = '' } =
      (await parseAccess(sourceOf(source), parseSql)).value ?? {}
    for (const made of [text, idTypeText]) {
      expect(made).to.contain(
        'select * from keys where hash = any (($1::bytea[]))\n) as organization',
      )
      expect(made).to.contain('format_type(pg_typeof(organization_id), -1)')
    }
    const columns = text.matchAll(/^ {4}(?:.* as )?(\w+),?$/gm)
    const needed = ['key_hash', 'organization_id', 'time_zone', 'entitled']
    expect(Array.from(columns, ([, name]) => name)).to.include.members(needed)
  })
})

describe('the heartbeat', () => {
  it('is selected as milliseconds since the epoch', async () => {
    const source = '-- written by the product\nselect written_at from heartbeat;'
    expect((await parseHeartbeat(sourceOf(source), parseSql)).value?.text).to.equal(
      `select (extract(epoch from written_at) * 1000)::bigint::text as written_ms
from (
select written_at from heartbeat
) as heartbeat`,
    )
  })

  it('is rejected if it reads the clock or is not a select', async () => {
    for (const text of ['select now() as written_at', 'update heartbeat set written_at = null']) {
      const { findings } = await parseHeartbeat(sourceOf(text), parseSql)
      expect(findings, text).to.have.lengthOf.above(0)
    }
  })
})
