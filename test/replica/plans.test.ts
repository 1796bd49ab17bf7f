import { expect } from 'chai'
import { createPlans } from '../../src/replica/plans.ts'

describe('createPlans', () => {
  it('shares the plan of whoever ran shortly, and of nobody else', () => {
    const plans = createPlans()
    expect(plans.planFor('debts', 'small')).to.equal('own')
    plans.ran('debts', 'small', 'own', 2)
    plans.ran('debts', 'large', 'own', 80)
    expect(plans.planFor('debts', 'small')).to.equal('shared')
    expect(plans.planFor('debts', 'large')).to.equal('own')
    expect(plans.planFor('deals', 'small')).to.equal('own')
    expect(plans.planFor('debts', 'small debts')).to.equal('own')
  })

  it('goes on while it is faster, and tries again after twenty runs where it was not', () => {
    const plans = createPlans()
    plans.ran('debts', 'small', 'own', 2)
    plans.ran('debts', 'small', 'shared', 1)
    plans.ran('debts', 'small', 'shared', 4)
    expect(plans.planFor('debts', 'small'), 'after one that was held up').to.equal('shared')
    plans.ran('debts', 'small', 'shared', 9)
    for (let run = 0; run < 20; run++) {
      expect(plans.planFor('debts', 'small')).to.equal('own')
      plans.ran('debts', 'small', 'own', 2)
    }
    expect(plans.planFor('debts', 'small')).to.equal('shared')
  })

  it('never tries again what was slow, or did not come to its end', () => {
    const plans = createPlans()
    for (const alike of ['slow', 'failing']) plans.ran('debts', alike, 'own', 2)
    plans.ran('debts', 'slow', 'shared', 400)
    plans.failed('debts', 'failing', 'shared')
    for (let run = 0; run < 100; run++) {
      for (const alike of ['slow', 'failing']) {
        expect(plans.planFor('debts', alike), alike).to.equal('own')
        plans.ran('debts', alike, 'own', 2)
      }
    }
  })

  it('learns nothing from a clock that was set back', () => {
    const plans = createPlans()
    plans.ran('debts', 'large', 'own', -3_600_000)
    expect(plans.planFor('debts', 'large')).to.equal('own')
  })

  it('takes its time again once runs with plans of their own do', () => {
    const plans = createPlans()
    plans.ran('debts', 'small', 'own', 2)
    plans.ran('debts', 'small', 'own', 20)
    plans.ran('debts', 'small', 'shared', 1)
    expect(plans.planFor('debts', 'small')).to.equal('own')
  })
})
