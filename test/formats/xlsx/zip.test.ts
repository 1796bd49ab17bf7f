import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { strToU8, unzipSync } from 'fflate'
import { NoRoomError } from '../../../src/formats/format.ts'
import { createZipFile } from '../../../src/formats/xlsx/zip.ts'

const CENTRAL = 0x02014b50

describe('a zip file that is written as it comes', () => {
  const taken: Buffer[] = []
  const zip = createZipFile(bytes => void taken.push(Buffer.from(bytes)))
  const text = Array.from({ length: 40_000 }, (_, at) => `строка ${at % 1000};`).join('')
  const bytes = Buffer.from(text)
  zip.whole('first.xml', '<a/>')
  const part = zip.part('folder/second.xml')
  for (const [start, end] of [
    [0, 10],
    [10, 10],
    [10, 50_000],
    [50_000, bytes.length],
  ]) {
    const piece = Buffer.from(bytes.subarray(start, end))
    part.write(piece)
    // why: whoever handed it over may use it again
    piece.fill(0)
  }
  part.end()
  zip.end()
  const all = Buffer.concat(taken)

  it('has its parts as they were', () => {
    expect(unzipSync(all)).to.deep.equal({
      'first.xml': strToU8('<a/>'),
      'folder/second.xml': new Uint8Array(bytes),
    })
  })

  it('deflates a piece by what was before it', () => {
    let length = 0
    const part = createZipFile(some => void (length += some.length)).part('sheet')
    const rows = Buffer.from(text.slice(0, 10_000))
    for (let time = 0; time < 20; time += 1) part.write(rows)
    expect(length).to.be.below(10_000)
  })

  it('has the checksums and sizes that other readers look at', () => {
    const found = new Map<string, [crc: number, size: number]>()
    for (let at = all.readUInt32LE(all.length - 6); all.readUInt32LE(at) === CENTRAL;) {
      const nameLength = all.readUInt16LE(at + 28)
      const name = all.toString('utf8', at + 46, at + 46 + nameLength)
      found.set(name, [all.readUInt32LE(at + 16), all.readUInt32LE(at + 24)])
      at += 46 + nameLength
    }
    expect(Object.fromEntries(found)).to.deep.equal({
      'first.xml': [crc32('<a/>'), 4],
      'folder/second.xml': [crc32(bytes), bytes.length],
    })
  })

  it('refuses a part that it cannot hold', () => {
    const small = createZipFile(() => {}, 1000).part('sheet')
    small.write(Buffer.alloc(1000))
    expect(() => small.write(Buffer.alloc(1))).to.throw(NoRoomError, 'larger than 4 GB')
  })
})
