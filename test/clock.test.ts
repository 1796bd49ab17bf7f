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
  it('is the wall clock, to fractions of a millisecond', () => {
    const { clock, pass } = setUp()
    expect(clock()).to.equal(1_000_000)
    pass(0.25)
    expect(clock()).to.equal(1_000_000.25)
  })

  for (const byMs of [60_000, -60_000]) {
    it(`follows one that is set by ${byMs} ms little by little, so that durations stay right`, () => {
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

  it('never goes back while it follows one that was set back', () => {
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

  it('follows one that was set back as fast, however often it is read', () => {
    const { clock, set, pass, wall } = setUp()
    set(wall() - 1000)
    for (let reading = 0; reading < 120_000; reading += 1) {
      pass(0.1)
      clock()
    }
    expect(Math.abs(clock() - wall())).to.be.at.most(21)
  })

  it('is right after hours of sleep, once two looks have found them', () => {
    const { clock, set, pass, wall } = setUp()
    clock()
    set(wall() + 3_600_000)
    pass(10)
    clock()
    pass(10)
    expect(clock()).to.equal(wall())
  })

  it('believes no single look that is far off, nor one that is no time', () => {
    for (const wrong of [Number.NaN, 9e15, -9e15]) {
      const { clock, set, pass, wall } = setUp()
      const before = clock()
      pass(10)
      const right = wall()
      set(right + wrong)
      expect(clock() - before).to.equal(10)
      set(right)
      pass(10)
      expect([clock() - before, clock()]).to.deep.equal([20, wall()])
    }
  })
})
