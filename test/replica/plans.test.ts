import { expect } from 'chai'
import { createPlans } from '../../src/serve/replica/plans.ts'

describe('createPlans', () => {
  it('shares the plan only for executions that were short before', () => {
    const plans = createPlans()
    expect(plans.planFor('debts', 'small')).to.equal('own')
    plans.completed('debts', 'small', 'own', 2)
    plans.completed('debts', 'large', 'own', 80)
    // The clock was set back.
    plans.completed('debts', 'unknown', 'own', -3_600_000)
    expect(plans.planFor('debts', 'small')).to.equal('shared')
    for (const [statement, similarityKey] of [
      ['debts', 'large'],
      ['deals', 'small'],
      ['debts', 'small debts'],
      ['debts', 'unknown'],
    ] as const) {
      expect(plans.planFor(statement, similarityKey), `${statement} ${similarityKey}`).to.equal(
        'own',
      )
    }
  })

  it('shares it while that is faster, and tries again after twenty executions', () => {
    const plans = createPlans()
    plans.completed('debts', 'small', 'own', 2)
    plans.completed('debts', 'small', 'shared', 1)
    plans.completed('debts', 'small', 'shared', 4)
    expect(plans.planFor('debts', 'small'), 'after one slow execution').to.equal('shared')
    plans.completed('debts', 'small', 'shared', 9)
    for (let time = 0; time < 20; time++) {
      expect(plans.planFor('debts', 'small')).to.equal('own')
      plans.completed('debts', 'small', 'own', 2)
    }
    expect(plans.planFor('debts', 'small')).to.equal('shared')
    plans.completed('debts', 'small', 'own', 30)
    expect(plans.planFor('debts', 'small'), 'once per-execution plans take longer').to.equal('own')
  })

  it('never retries a shared plan that was slow or failed', () => {
    const plans = createPlans()
    for (const similarityKey of ['slow', 'failing'])
      plans.completed('debts', similarityKey, 'own', 2)
    plans.completed('debts', 'slow', 'shared', 400)
    plans.failed('debts', 'failing', 'shared')
    for (let time = 0; time < 100; time++) {
      for (const similarityKey of ['slow', 'failing']) {
        expect(plans.planFor('debts', similarityKey), similarityKey).to.equal('own')
        plans.completed('debts', similarityKey, 'own', 2)
      }
    }
  })
})
