import { expect } from 'chai'
import { createPace } from '../../src/serve/replica/pace.ts'

const MUCH = 1024 * 1024

describe('the pace of an execution', () => {
  let nowMs: number
  let pace: ReturnType<typeof createPace>
  let flows: boolean
  beforeEach(() => {
    nowMs = 0
    flows = true
    const stream = { pause: () => void (flows = false), resume: () => void (flows = true) }
    pace = createPace(stream as unknown as NodeJS.ReadableStream, () => nowMs)
  })

  async function expectFlows(now: boolean, afterTurn: boolean): Promise<void> {
    expect(flows).to.equal(now)
    await new Promise(setImmediate)
    expect(flows, 'after the turn of others').to.equal(afterTurn)
  }

  it('gives others their turn after much, or after less that took long, and reads on', async () => {
    pace.took(1000)
    await expectFlows(true, true)
    pace.took(MUCH)
    await expectFlows(false, true)
    pace.took(20_000)
    nowMs += 8
    pace.took(10_000)
    expect(flows).to.equal(true)
    pace.took(10_000)
    await expectFlows(false, true)
    pace.took(20_000)
    expect(flows, 'it begins anew').to.equal(true)
  })

  it('waits for its reader, and for the turn of others though its reader wants more', async () => {
    pace.took(MUCH)
    pace.pause()
    await expectFlows(false, false)
    pace.took(MUCH)
    pace.resume()
    await expectFlows(false, true)
  })
})
