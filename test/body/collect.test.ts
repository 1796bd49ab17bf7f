import { expect } from 'chai'
import { collect } from '../../src/serve/body/collect.ts'
import type { Encoding } from '../../src/serve/body/encode.ts'
import { SpillError, type SpillFile } from '../../src/serve/body/spill-file.ts'
import { reasonOf } from '../replica/execute.ts'

/** An encoding with chunks of these lengths, one row each. */
function encodingOf(lengths: readonly number[]): Encoding {
  let rowCount = 0
  async function* chunks(): AsyncGenerator<Buffer, void> {
    for (const length of lengths) {
      rowCount += 1
      yield Buffer.alloc(length)
    }
  }
  return {
    chunks: chunks(),
    rowCount: () => rowCount,
    declaredRowCount: () => lengths.length,
    nullDateCounts: new Map(),
  }
}

const options = {
  organizationId: '1',
  maxBytes: 1000,
  wholeOnly: false,
  spillFiles: undefined,
} as const

describe('collect', () => {
  it('collects a small body whole, even if its first row is long', async () => {
    const collected = await collect(encodingOf([110, ...Array<number>(99).fill(1)]), options)
    expect(collected.kind).to.equal('whole')
  })

  it('begins a stream as soon as the first rows show that the body is far too large', async () => {
    const collected = await collect(encodingOf(Array<number>(100).fill(50)), options)
    expect(collected).to.deep.include({ kind: 'begun', rowCount: 100 })
    expect(collected.kind === 'begun' && collected.chunks.length).to.equal(3)
  })

  it('begins a stream with all chunks when they exceed the limit', async () => {
    const collected = await collect(encodingOf(Array<number>(25).fill(50)), options)
    expect(collected.kind === 'begun' && collected.chunks.length).to.equal(21)
  })

  const brokenDisk = async (): Promise<never> => {
    throw new SpillError('the disk failed')
  }
  const unwritable: SpillFile = {
    append: brokenDisk,
    unreadBytes: () => 0,
    read: brokenDisk,
    close: async () => {},
  }
  for (const [title, open] of [
    ['opened', brokenDisk],
    ['written', async () => unwritable],
  ] as const) {
    it(`is overloaded if the spill file cannot be ${title}`, async () => {
      const spillFiles = { open, byteCount: () => 0 }
      const collected = collect(encodingOf([600, 600]), { ...options, wholeOnly: true, spillFiles })
      expect(await reasonOf(collected)).to.have.property('code', 'overloaded')
    })
  }
})
