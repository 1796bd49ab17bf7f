import { expect } from 'chai'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createResultQueue } from '../../src/serve/access/result-queue.ts'

describe('the queue of results', () => {
  it('gives urgent ones first, the others in order, all of them once', async () => {
    const given: string[] = []
    const queue = createResultQueue(() => undefined)
    for (let n = 0; n < 2500; n += 1) queue.add(n % 5 === 0, () => void given.push(`${n}`))
    while (queue.size() > 0) await new Promise(setImmediate)
    const isUrgent = (text: string): boolean => Number(text) % 5 === 0
    const all = Array.from({ length: 2500 }, (_, n) => `${n}`)
    expect(given).to.deep.equal([...all.filter(isUrgent), ...all.filter(text => !isUrgent(text))])
  })

  it('holds nothing that it has given, though it is never empty', async () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const queue = createResultQueue(() => undefined)
    const held: WeakRef<object>[] = []
    const add = (): void => {
      const request = { body: 'x' }
      held.push(new WeakRef(request))
      queue.add(false, () => void request.body)
    }
    for (let n = 0; n < 100; n += 1) add()
    while (held.length < 20_000) {
      while (queue.size() < 50) add()
      await new Promise(setImmediate)
      expect(queue.size()).to.be.greaterThan(0)
    }
    gc()
    expect(held.filter(ref => ref.deref() !== undefined).length).to.be.lessThan(1200)
  })
})
