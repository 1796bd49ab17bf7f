// What our sentences of deals count beside the columns, and rows that the demo's data do not have.
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { madeForIt, MAY } from './made-for-it.ts'

const LARGEST = '9223372036854775807'

describe('deals of an organization made for it', () => {
  const { run } = madeForIt(MAY)

  const stages = [
    { id: 1, name: 'Заявка', position: 1, kind: 'open' },
    { id: 2, name: 'Договор', position: 2, kind: 'open' },
    { id: 3, name: 'Успех', position: 3, kind: 'won' },
    { id: 4, name: 'Отказ', position: 4, kind: 'lost' },
    { id: 5, name: 'Спам', position: 5, kind: 'lost' },
  ]
  const deal = {
    title: 'Сделка',
    amount_kopecks: '100',
    stage_id: 1,
    created_at: '2026-05-10T09:00:00Z',
    updated_at: '2026-05-10T09:00:00Z',
  }
  const won = { ...deal, stage_id: 3, won_at: '2026-05-12T09:00:00Z' }
  const lost = { ...deal, stage_id: 4, lost_at: '2026-05-12T09:00:00Z' }

  it('deals_by_source names the source that brought most, but not where none is given', async () => {
    const deal_sources = [
      { id: 1, name: 'Сайт' },
      { id: 2, name: 'Выставка' },
    ]
    const deals = [
      { ...won, id: 1, source_id: 1 },
      { ...won, id: 2, source_id: 2 },
      { ...deal, id: 3, source_id: 1, amount_kopecks: '900' },
    ]
    const { rows, totals } = await run('deals_by_source', {
      deal_stages: stages,
      deal_sources,
      deals,
    })
    expect(rows.map(row => row['source'])).to.deep.equal(['Выставка', 'Сайт'])
    expect(totals['best']).to.equal('Выставка')
  })

  it('deals_by_source names no source where most came from none', async () => {
    const { rows, totals } = await run('deals_by_source', {
      deal_stages: stages,
      deal_sources: [{ id: 1, name: 'Сайт' }],
      deals: [
        { ...won, id: 1, source_id: 1 },
        { ...won, id: 2, source_id: null, amount_kopecks: '90000' },
      ],
    })
    expect(rows[0]?.['source']).to.equal('Не указан')
    expect(totals['best']).to.equal(null)
  })

  it('deals_by_source names no source where none has won anything', async () => {
    const { totals } = await run('deals_by_source', {
      deal_stages: stages,
      deal_sources: [{ id: 1, name: 'Сайт' }],
      deals: [{ ...won, id: 1, source_id: 1, amount_kopecks: '0' }],
    })
    expect(totals['won']).to.equal('1')
    expect(totals['best']).to.equal(null)
  })

  it('deals_by_manager adds amounts beyond 2^63 and averages them to the kopeck', async () => {
    const { rows, totals } = await run('deals_by_manager', {
      deal_stages: stages,
      employees: [1, 2].map(id => ({ id, full_name: 'Иванов Иван' })),
      deals: [
        { ...won, id: 1, manager_id: 1, amount_kopecks: LARGEST },
        { ...won, id: 2, manager_id: 1, amount_kopecks: LARGEST },
        { ...won, id: 3, manager_id: 2, amount_kopecks: '1' },
      ],
    })
    expect(rows.map(row => row['manager'])).to.deep.equal(['Иванов Иван', 'Иванов Иван'])
    expect(rows[0]?.['average_deal']).to.equal(LARGEST)
    expect(totals['won_amount']).to.equal('18446744073709551615')
    expect(totals['average_deal']).to.equal('6148914691236517205')
  })

  it('deals counts what has become of the deals of the period by now', async () => {
    const { rows, totals } = await run('deals', {
      deal_stages: stages,
      deals: [
        { ...won, id: 1, won_at: '2026-08-01T09:00:00Z' },
        { ...lost, id: 2 },
        { ...deal, id: 3 },
        { ...won, id: 4, created_at: '2026-04-30T20:59:59Z' },
      ],
    })
    expect(rows.map(row => [row['deal_id'], row['status']])).to.deep.equal([
      ['1', 'Выиграна'],
      ['2', 'Проиграна'],
      ['3', 'В работе'],
    ])
    expect([totals['won'], totals['lost'], totals['open']]).to.deep.equal(['1', '1', '1'])
  })

  it('deals_lost places a deal by its last way to a lost stage, in the order of reasons', async () => {
    const visit = {
      stage_id: 1,
      entered_at: '2026-05-10T09:00:00Z',
      left_at: '2026-05-11T09:00:00Z',
    }
    const { rows, totals } = await run('deals_lost', {
      deal_stages: stages,
      deals: [
        { ...lost, id: 1, lost_reason: 'Дорого' },
        { ...lost, id: 2, lost_reason: '  ', amount_kopecks: '50' },
        { ...lost, id: 3, lost_reason: null, amount_kopecks: '50' },
        { ...lost, id: 4, lost_reason: 'Дорого', amount_kopecks: '60' },
        {
          ...lost,
          id: 5,
          lost_reason: ' Дорого',
          lost_at: '2026-05-13T21:00:00Z',
          amount_kopecks: '150',
        },
      ],
      deal_stage_visits: [
        { ...visit, id: 1, deal_id: 1, to_stage_id: 4 },
        { ...visit, id: 2, deal_id: 1, stage_id: 2, to_stage_id: 5 },
        { ...visit, id: 3, deal_id: 1, to_stage_id: 2, left_at: '2026-05-12T09:00:00Z' },
        { ...visit, id: 4, deal_id: 2, stage_id: 2, to_stage_id: 4 },
      ],
    })
    const told = rows.map(row => [row['reason'], row['stage'], row['amount'], row['share']])
    expect(told).to.deep.equal([
      ['Дорого', 'Договор', '100', '24.4'],
      ['Дорого', 'Не указан', '60', '14.6'],
      [' Дорого', 'Не указан', '150', '36.6'],
      ['Не указана', 'Договор', '50', '12.2'],
      ['Не указана', 'Не указан', '50', '12.2'],
    ])
    expect(totals['median_days']).to.equal('2.0')
  })

  it('deals_lost has a reason that is too long for any index, and the recommended ones take it', async () => {
    const reason = Array.from({ length: 400 }, (_, at) =>
      createHash('md5').update(`${at}`).digest('hex'),
    ).join('')
    const { rows } = await run('deals_lost', {
      deal_stages: stages,
      deals: [`${reason}!`, `${reason}?`, `${reason}!`, 'Дорого'].map((lost_reason, at) => ({
        ...lost,
        id: at + 1,
        lost_reason,
      })),
    })
    expect(rows.map(row => [row['reason'], row['deals']])).to.deep.equal([
      [`${reason}!`, '2'],
      [`${reason}?`, '1'],
      ['Дорого', '1'],
    ])
  })

  const reasons = [
    { given: ['Дорого', 'Дорого', 'Долго'], main: ['Дорого', '2'] },
    { given: ['Дорого', '', null], main: [null, '2'] },
    { given: ['Дорого', 'Дорого', null, 'Долго', ' '], main: [null, '0'] },
    { given: ['Дорого', 'Долго'], main: [null, '0'] },
    { given: ['Дорого'], main: ['Дорого', '1'] },
    { given: [null], main: [null, '1'] },
  ]
  for (const { given, main } of reasons) {
    it(`deals_lost names the one most frequent reason, if any, of ${JSON.stringify(given)}`, async () => {
      const reasonOf = (lost_reason: string | null, at: number) => ({
        ...lost,
        id: at + 1,
        lost_reason,
      })
      const deals = given.map(reasonOf)
      const { totals } = await run('deals_lost', { deal_stages: stages, deals })
      expect([totals['main_reason'], totals['main_deals']]).to.deep.equal(main)
    })
  }
})
