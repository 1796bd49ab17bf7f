// A replica that says nothing ends the wait with a reason of its own.
import { expect } from 'chai'
import type { Client } from 'pg'
import { inTime, thenBack } from '../../src/check/in-time.ts'
import { Problem } from '../../src/errors.ts'
import { connectAsReports } from '../sql/subject.ts'

describe('a question in time', () => {
  let client: Client

  before(async function () {
    this.timeout(30_000)
    client = await connectAsReports()
    client.on('error', () => {})
  })
  after(() => client?.end())

  it('fails as a replica that is away, once its time is over', async () => {
    const error = await inTime(client, 50, () => client.query('select pg_sleep(20)')).catch(
      (error: unknown) => error,
    )
    expect(error).to.be.instanceOf(Problem).and.include({ code: 'replica_unavailable' })
    expect((error as Problem).cause).to.include({ message: 'no answer within 0.05 s' })
  })

  it('tells the error of the work, and not that of the way back', async () => {
    const lost = new Error('lost')
    const error = await thenBack(
      () => Promise.reject(lost),
      () => Promise.reject(new Error('no way back')),
    ).catch((error: unknown) => error)
    expect(error).to.equal(lost)
  })
})
