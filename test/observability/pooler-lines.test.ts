import { expect } from 'chai'
import type { Lacking } from '../../src/observation.ts'
import { capture } from './capture.ts'

const JIT: Lacking = {
  name: 'jit',
  found: 'on',
  expected: 'off',
  changesAnswers: false,
  mend: `alter role reports set jit = 'off';`,
}
const ZONE: Lacking = {
  name: 'TimeZone',
  found: 'Asia/Tokyo',
  expected: 'UTC',
  changesAnswers: true,
  mend: `alter role reports set TimeZone = 'UTC';`,
}

describe('a pooler in the log', () => {
  function lineOf(lacking: readonly Lacking[]): { level: unknown; text: string } {
    const log = capture()
    log.observe({ kind: 'pooler-met', pool: 'reports', lacking })
    const [line] = log.lines()
    return { level: line?.['level'], text: String(line?.['msg']) }
  }

  it('is said to be there, where the role carries all', () => {
    const { level, text } = lineOf([])
    expect(level).to.equal('info')
    expect(text).to.contain('the pool reports')
  })

  it('is a warning with what was found, expected and mends it, where the role lacks some', () => {
    const { level, text } = lineOf([JIT])
    expect(level).to.equal('warn')
    expect(text).to.contain(`jit is "on", expected "off": ${JIT.mend}`).and.contain('RECONNECT')
    expect(text).to.not.contain('refused')
  })

  it('is an error that says that connections are refused, where answers would be wrong', () => {
    const { level, text } = lineOf([JIT, ZONE])
    expect(level).to.equal('error')
    expect(text).to.contain('refused').and.contain(JIT.mend).and.contain(ZONE.mend)
  })
})
