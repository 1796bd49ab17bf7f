// That another organization's rows change an answer is seen by taking them away, however the statement got at them.
import { expect } from 'chai'
import type { Client } from 'pg'
import { alone } from '../../src/check/alone.ts'
import { readProduct } from '../../src/check/product.ts'
import { questionOf } from '../../src/check/questions.ts'
import { withSnapshot } from '../../src/check/session.ts'
import type { Prepared } from '../../src/check/subject.ts'
import { answerOf, tablesOf } from '../../src/check/varied.ts'
import { readWritten } from '../../src/check/written.ts'
import { connectAsReports, DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { planted } from './planted.ts'

const [{ id, timeZone }] = DEMO_ORGANIZATIONS
const BUSINESS = { id, timeZone, idType: 'uuid', entitled: true, nickname: 'business' }

describe('an answer with no other organization there', () => {
  let client: Client

  before(async function () {
    this.timeout(30_000)
    client = await connectAsReports()
  })
  after(() => client?.end())

  /** What is found for the middling organization over this year. */
  function found(sql: string) {
    const definition = planted({ sql })
    return withSnapshot(client, async session => {
      const subject: Prepared = {
        definition,
        written: readWritten(definition.source),
        session,
        idType: 'uuid',
        product: await readProduct(session, 'organization_id'),
        fields: [],
        statement: definition.statement,
        mistyped: new Set(),
      }
      const varied = { ...subject, tables: tablesOf(subject), dropped: () => {} }
      const question = questionOf(BUSINESS, 'this year', Date.now)
      const plain = await answerOf(varied, question)
      if (plain === undefined) throw new Error('no answer')
      return alone(varied, question, plain)
    })
  }

  it('differs where a subquery counts everybody, and the table is named with its line', async () => {
    const finding = await found(`
select accounts.id::text as name, (select count(*) from projects) as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id`)
    expect(finding?.line).to.equal(12)
    expect(finding?.message).to.include("rows of projects that are another organization's")
  })

  it('differs where the table is written with its schema', async () => {
    const finding = await found(`
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from public.accounts
where accounts.organization_id = coalesce(nullif(:organization_id, :organization_id), accounts.organization_id)
  and :period_end > :period_start
order by accounts.id`)
    expect(finding).to.include({ line: 13 })
  })

  it('is the same where each table has its condition', async () => {
    const finding = await found(`
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id`)
    expect(finding).to.equal(undefined)
  })
})
