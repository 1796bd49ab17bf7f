import { expect } from 'chai'
import { RESERVED_WORDS } from '../../src/definitions/reserved-words.ts'
import { connectAsReports } from '../sql/subject.ts'

describe('reserved words', () => {
  it('are those of PostgreSQL', async () => {
    const client = await connectAsReports()
    try {
      const { rows } = await client.query<{ word: string }>(
        'select word from pg_get_keywords() where catcode = \'R\' order by word collate "C"',
      )
      expect(rows.map(({ word }) => word)).to.deep.equal([...RESERVED_WORDS])
    } finally {
      await client.end()
    }
  })
})
