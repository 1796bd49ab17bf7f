import { expect } from 'chai'
import { createPace } from '../../src/replica/pace.ts'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
const MUCH = 1024 * 1024

describe('the pace of a run', () => {
  function paced() {
    let flows = true
    let nowMs = 0
    const stream = {
      pause: () => void (flows = false),
      resume: () => void (flows = true),
    } as unknown as NodeJS.ReadableStream
    const pace = createPace(stream, () => nowMs)
    return { pace, flows: () => flows, pass: (ms: number) => void (nowMs += ms) }
  }

  it('lets others have their turn after much, and reads on', async () => {
    const { pace, flows } = paced()
    pace.took(1000)
    expect(flows()).to.equal(true)
    pace.took(MUCH)
    expect(flows()).to.equal(false)
    await turn()
    expect(flows()).to.equal(true)
  })

  it('does so after less that took long, and begins anew', async () => {
    const { pace, flows, pass } = paced()
    pace.took(20_000)
    pass(8)
    pace.took(10_000)
    expect(flows()).to.equal(true)
    pace.took(10_000)
    expect(flows()).to.equal(false)
    await turn()
    pace.took(20_000)
    expect(flows()).to.equal(true)
  })

  it('waits for its reader, whoever else has had a turn', async () => {
    const { pace, flows } = paced()
    pace.took(MUCH)
    pace.pause()
    await turn()
    expect(flows()).to.equal(false)
    pace.resume()
    expect(flows()).to.equal(true)
  })

  it('waits for the turn of others, though its reader wants more', async () => {
    const { pace, flows } = paced()
    pace.pause()
    pace.took(MUCH)
    pace.resume()
    expect(flows()).to.equal(false)
    await turn()
    expect(flows()).to.equal(true)
  })

  it('flows at its end, and stays so', async () => {
    const { pace, flows } = paced()
    pace.pause()
    pace.took(MUCH)
    pace.end()
    await turn()
    expect(flows()).to.equal(true)
  })
})
