/** Identities of customer requests. */
import { expect } from 'chai'
import { exact, expectSame, previous, total } from './identity.ts'
import type { Identity } from './identity.ts'

const COUNTS = ['at_start', 'received', 'closed', 'open', 'answered', 'due', 'in_time']
const COLUMNS = [...COUNTS, 'first_answer_median', 'first_answer_p90', 'within_promise']

function comeCloseAndStay(report: string): Identity {
  return {
    name: `requests come, close and stay in ${report}`,
    async check(ask, question) {
      const { rows, totals } = await ask.report(report, question)
      for (const row of [...rows, totals]) {
        const stay = exact(row, 'at_start') + exact(row, 'received') - exact(row, 'closed')
        expect(stay).to.equal(exact(row, 'open'))
      }
      for (const key of COUNTS) expect(total(rows, key), key).to.equal(exact(totals, key))
      const before = await ask.report(report, previous(question))
      expect(before.totals['open']).to.equal(totals['at_start'])
    },
  }
}

export const REQUESTS: readonly Identity[] = [
  comeCloseAndStay('requests_by_channel'),
  comeCloseAndStay('requests_by_assignee'),
  {
    name: 'requests by channel are those of the metrics',
    async check(ask, question) {
      const { totals } = await ask.report('requests_by_channel', question)
      expectSame('the metrics', totals, {
        of: await ask.metrics('requests', question),
        by: {
          requests_open: 'open',
          requests_received: 'received',
          requests_first_answer_hours: 'first_answer_median',
          requests_within_promise: 'within_promise',
        },
      })
    },
  },
  {
    name: 'requests by assignee are requests by channel',
    async check(ask, question) {
      const channels = await ask.report('requests_by_channel', question)
      const { totals } = await ask.report('requests_by_assignee', question)
      const by = Object.fromEntries(COLUMNS.map(column => [column, column]))
      expectSame('by assignee', channels.totals, { of: totals, by })
    },
  },
]
