// What all servers are asked.
import { expect } from 'chai'
import type { BenchOrganization, ProductDatabase } from '../product.ts'
import { smallQuestions } from './questions.ts'

const ordinary = Array.from({ length: 195 }, (_, n): BenchOrganization => {
  return { id: `o${n}`, name: `${n}`, timeZone: 'UTC', postedThisYear: n, keys: [`k${n}`, `l${n}`] }
})

describe('the questions of rivals', () => {
  const questions = smallQuestions({ ordinary } as unknown as ProductDatabase, '2026-06-15')

  it('are all different, so that no two requests share a run', () => {
    const asked = questions.map(({ organization, to }) => `${organization.id} ${to}`)
    expect(new Set(asked).size).to.equal(questions.length)
    expect(questions.length).to.be.greaterThan(4 * 64)
  })

  it('are of organizations of the middle, and of periods with the whole year in them', () => {
    for (const { organization, from, to } of questions) {
      expect(organization.postedThisYear).to.be.within(70, 125)
      expect(from).to.equal('2026-01-01')
      expect(to >= '2026-12-31', to).to.equal(true)
    }
  })
})
