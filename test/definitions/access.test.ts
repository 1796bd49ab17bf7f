import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parseAccess } from '../../src/definitions/access.ts'

function parse(text: string) {
  return parseAccess({ file: 'sql/access/x.sql', code: 'x', text, version: '' })
}

describe('access', () => {
  it('accepts the key look-up that is shipped', () => {
    const text = readFileSync('sql/access/organization_by_key.sql', 'utf8')
    expect(parse(text).findings).to.deep.equal([])
  })

  it('binds the hashes as one array and asks for the type of the id', () => {
    const text = '-- :key_hashes\nselect * from keys where hash = any (:key_hashes); -- done'
    const { text: sql = '', idTypeText = '' } = parse(text).value ?? {}
    for (const made of [sql, idTypeText]) {
      expect(made).to.contain(
        'select * from keys where hash = any (($1::bytea[]))\n) as organization',
      )
      expect(made).to.contain('format_type(pg_typeof(organization_id), -1)')
    }
    const columns = /^ {4}(?:.* as )?(\w+),?$/gm
    expect(Array.from(sql.matchAll(columns), ([, name]) => name)).to.include.members([
      'key_hash',
      'organization_id',
      'time_zone',
      'entitled',
    ])
  })
})
