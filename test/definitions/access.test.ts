import { expect } from 'chai'
import { parseHeartbeat } from '../../src/definitions/access.ts'
import { parseSql } from '../harness/parse-sql.ts'

const sourceOf = (text: string) => ({ file: 'sql/access/x.sql', code: 'x', text, version: '' })

describe('the heartbeat', () => {
  it('is rejected if it reads the clock or is not a select', async () => {
    for (const text of ['select now() as written_at', 'update heartbeat set written_at = null']) {
      const { findings } = await parseHeartbeat(sourceOf(text), parseSql)
      expect(findings, text).to.have.lengthOf.above(0)
    }
  })
})
