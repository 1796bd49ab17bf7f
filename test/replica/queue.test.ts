import { expect } from 'chai'
import type { Observation } from '../../src/observation.ts'
import { createReplica } from '../../src/replica/replica.ts'
import { keepingSink } from './rows.ts'

describe('a run that gives up waiting for a place', () => {
  it('has its wait told as a wait, and no time of its own', async () => {
    let nowMs = 0
    const facts: Observation[] = []
    const replica = createReplica({
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
      poolSize: 1,
      places: () => 0,
      connectTimeoutMs: 1,
      queueTimeoutMs: 1,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: fact => void facts.push(fact),
      now: () => nowMs,
    })
    const open = () => ({ sink: keepingSink(), finish: () => {}, isOut: () => false })
    const run = { name: 'x', alike: '1', text: 'select 1', preparedName: 'x', values: [] }
    const { signal } = new AbortController()
    const waiting = replica.run({ ...run, timeoutMs: 1, open, signal }).catch(String)
    nowMs = 3000
    expect(await waiting).to.contain('overloaded')
    expect(facts).to.have.length(1)
    expect(facts[0]).to.include({ outcome: 'unavailable', queueMs: 3000, durationMs: undefined })
    await replica.close()
  })
})
