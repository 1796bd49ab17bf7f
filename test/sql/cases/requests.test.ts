// What the sentence of requests_by_assignee counts beside the columns.
import { expect } from 'chai'
import { madeForIt, NOVEMBER_21 } from './made-for-it.ts'

const SPRING = {
  ...NOVEMBER_21,
  period: { start: '2026-03-10', end: '2026-06-05' },
}

describe('requests of an organization made for it', () => {
  const { run } = madeForIt(SPRING)

  it('requests_by_assignee counts received requests that nobody has', async () => {
    const request = { received_at: '2026-05-10T09:00:00Z' }
    const { rows, totals } = await run('requests_by_assignee', {
      employees: [{ id: 1, full_name: 'Иванов Иван' }],
      requests: [
        { ...request, id: 1, assignee_id: 1 },
        { ...request, id: 2, assignee_id: null },
        { id: 3, assignee_id: null, received_at: '2026-03-09T20:59:59Z' },
      ],
    })
    expect(rows.map(row => [row['assignee'], row['at_start'], row['received']])).to.deep.equal([
      ['Иванов Иван', '0', '1'],
      ['Не назначен', '1', '1'],
    ])
    expect(totals['unassigned']).to.equal('1')
  })
})
