import { expect } from 'chai'
import { createSystemClock } from '../src/model/clock.ts'

function setUp() {
  let wallMs = 1_000_000
  let monotonicMs = 500
  const clock = createSystemClock(
    () => wallMs,
    () => monotonicMs,
  )
  return {
    clock,
    wall: () => wallMs,
    set: (toMs: number) => void (wallMs = toMs),
    pass: (ms: number) => {
      wallMs += ms
      monotonicMs += ms
    },
  }
}

describe('the system clock', () => {
  it('returns wall-clock time, with fractions of a millisecond', () => {
    const { clock, pass } = setUp()
    expect(clock()).to.equal(1_000_000)
    pass(0.25)
    expect(clock()).to.equal(1_000_000.25)
  })

  for (const byMs of [60_000, -60_000]) {
    it(`follows a clock step of ${byMs} ms gradually, so that durations stay correct`, () => {
      const { clock, set, pass, wall } = setUp()
      const before = clock()
      set(wall() + byMs)
      pass(1000)
      expect(clock() - before).to.be.within(900, 1100)
      for (let second = 0; second < 600; second += 1) {
        pass(1000)
        clock()
      }
      expect(Math.abs(clock() - wall())).to.be.at.most(20)
    })
  }

  it('never goes back when the clock is set back', () => {
    const { clock, set, pass, wall } = setUp()
    set(wall() - 1000)
    let last = clock()
    for (let reading = 0; reading < 5000; reading += 1) {
      pass([4.9, 0.25, 60, 0][reading % 4]!)
      const next = clock()
      expect(next).to.be.at.least(last)
      last = next
    }
    expect(Math.abs(last - wall())).to.be.at.most(21)
  })

  it('follows a clock that is set back at a rate independent of reads', () => {
    const { clock, set, pass, wall } = setUp()
    set(wall() - 1000)
    for (let reading = 0; reading < 120_000; reading += 1) {
      pass(0.1)
      clock()
    }
    expect(Math.abs(clock() - wall())).to.be.at.most(21)
  })

  it('is correct after hours of sleep, when two checks have confirmed it', () => {
    const { clock, set, pass, wall } = setUp()
    clock()
    set(wall() + 3_600_000)
    pass(10)
    clock()
    pass(10)
    expect(clock()).to.equal(wall())
  })

  it('ignores a single check that is far off or not a time, also if it happens again', () => {
    for (const wrong of [Number.NaN, 9e15, -9e15, 600_000]) {
      const { clock, set, pass, wall } = setUp()
      const before = clock()
      for (const passed of [20, 40]) {
        pass(10)
        const right = wall()
        set(right + wrong)
        expect(clock() - before).to.equal(passed - 10)
        set(right)
        pass(10)
        expect([clock() - before, clock()]).to.deep.equal([passed, wall()])
      }
    }
  })
})
