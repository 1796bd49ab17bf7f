import { expect } from 'chai'
import * as fc from 'fast-check'
import { createLinkedList } from '../../src/http/linked-list.ts'
import type { ListNode } from '../../src/http/linked-list.ts'

interface Item extends ListNode<Item> {
  readonly name: number
}

describe('createLinkedList', () => {
  it('holds nodes in the order in which they were appended, whichever leave it', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(7)))
    fc.assert(
      fc.property(steps, taken => {
        const items = Array.from({ length: 8 }, (_, name): Item => ({
          name,
          previous: undefined,
          next: undefined,
          list: undefined,
        }))
        const list = createLinkedList<Item>()
        let model: number[] = []
        for (const [isAppended, name] of taken) {
          model = model.filter(one => one !== name)
          if (isAppended) list.append(items[name]!)
          else list.remove(items[name]!)
          if (isAppended) model.push(name)
          expect(namesFrom(list.first)).to.deep.equal(model)
        }
      }),
    )
  })
})

function namesFrom(first: Item | undefined): number[] {
  const names: number[] = []
  for (let item = first; item !== undefined; item = item.next) names.push(item.name)
  return names
}
