import { expect } from 'chai'
import type { Observation } from '../../src/observation.ts'
import { fanOut } from '../../src/observability/fan-out.ts'

const fact: Observation = { kind: 'stopped', durationMs: 1 }

describe('fanOut', () => {
  it('hands a fact to every observer, in turn', () => {
    const seen: string[] = []
    fanOut(
      ({ kind }) => seen.push(`first ${kind}`),
      ({ kind }) => seen.push(`second ${kind}`),
    )(fact)
    expect(seen).to.deep.equal(['first stopped', 'second stopped'])
  })

  it('tells the others of an observer that throws, and never throws itself', () => {
    const seen: Observation[] = []
    const error = new Error('broken')
    const broken = (): never => {
      throw error
    }
    fanOut(broken, each => seen.push(each))(fact)
    expect(seen).to.deep.equal([{ kind: 'process-error', error }, fact])
    expect(() => fanOut(broken, broken)(fact)).not.to.throw()
  })
})
