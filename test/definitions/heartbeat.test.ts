import { expect } from 'chai'
import { parseHeartbeat } from '../../src/definitions/heartbeat.ts'

function parse(text: string) {
  return parseHeartbeat({ file: 'sql/replica/heartbeat.sql', code: 'heartbeat', text, version: '' })
}

describe('the heartbeat', () => {
  it('is asked as milliseconds since the epoch', () => {
    expect(
      parse('-- written by the product\nselect written_at from heartbeat;').value?.text,
    ).to.equal(
      `select (extract(epoch from written_at) * 1000)::bigint::text as written_ms
from (
select written_at from heartbeat
) as heartbeat`,
    )
  })

  it('is refused where it tells the time of the replica, or is no select', () => {
    for (const text of ['select now() as written_at', 'update heartbeat set written_at = null']) {
      expect(parse(text).findings, text).to.have.lengthOf.above(0)
    }
  })
})
