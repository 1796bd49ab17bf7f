// The sentences that profit_by_project says, read as a person would read them.
import { expect } from 'chai'
import { MARCH, said, YEAR } from './said.ts'

describe('the sentence of', () => {
  const fields = {
    profit: '714738755',
    margin: '14.8',
    best: 'Опт',
    best_profit: '300000000',
    losing: '0',
  }

  it('profit_by_project names the project that earns most, and counts those that lose', () => {
    const began =
      'За 2026 год прибыль составила 7 147 387,55 ₽, рентабельность — 14,8 %, самый прибыльный проект — «Опт»: 3 000 000,00 ₽'
    const of = (losing: string) => said('profit_by_project', YEAR, 30, { ...fields, losing })
    expect(of('0')).to.equal(`${began}.`)
    expect(of('1')).to.equal(`${began}, убыточен 1 проект.`)
    expect(of('2')).to.equal(`${began}, убыточны 2 проекта.`)
    expect(of('5')).to.equal(`${began}, убыточно 5 проектов.`)
    expect(of('21')).to.equal(`${began}, убыточен 21 проект.`)
  })

  it('profit_by_project tells a loss without a minus, and names no project that earns nothing', () => {
    const loss = {
      ...fields,
      profit: '-31248010',
      margin: '-34.3',
      best_profit: '-100',
      losing: '3',
    }
    expect(said('profit_by_project', MARCH, 4, loss)).to.equal(
      'За март 2026 года убыток составил 312 480,10 ₽, убыточны 3 проекта.',
    )
    expect(said('profit_by_project', MARCH, 4, { ...loss, best_profit: '0' })).to.equal(
      'За март 2026 года убыток составил 312 480,10 ₽, убыточны 3 проекта.',
    )
  })

  it('profit_by_project tells that nothing is of a project, and passes over an undefined margin', () => {
    const none = { profit: '500', margin: null, best: null, best_profit: null, losing: '0' }
    expect(said('profit_by_project', MARCH, 1, none)).to.equal(
      'За март 2026 года прибыль составила 5,00 ₽, на проекты ничего не отнесено.',
    )
  })
})
