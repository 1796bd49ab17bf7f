import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLogDestination } from '../../src/serve/observe/log-destination.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants
const KIB = 1024
const MAX_BYTES = 100 * KIB

/** A line of one KiB that begins with its number. */
const lineOf = (number: number): string => `${`${number} `.padEnd(KIB - 1, '.')}\n`
const numbersOf = (text: string): string[] => text.match(/^\w+/gm) ?? []

describe('the destination of the log', () => {
  let fifo = ''

  beforeEach(() => {
    fifo = join(mkdtempSync(join(temporaryFolder(), 'log-')), 'fifo')
    execFileSync('mkfifo', [fifo])
  })

  // why: it stays open, since buffered lines must not go to the next file with the descriptor's number
  const openFifo = (flags: number): number => openSync(fifo, flags | O_NONBLOCK)

  function createDestination(fd: number) {
    let dropCount = 0
    const destination = createLogDestination({
      fd,
      maxBytes: MAX_BYTES,
      onDrop: lineCount => void (dropCount += lineCount),
      droppedLine: count => `dropped${count}\n`,
    })
    const writeLines = (count: number): void => {
      for (let number = 0; number < count; number += 1) destination.write(lineOf(number))
    }
    return { ...destination, writeLines, dropCount: () => dropCount }
  }

  function readAll(fd: number): string {
    const bytes = Buffer.alloc(1024 * KIB)
    let length = 0
    try {
      for (;;) length += readSync(fd, bytes, length, bytes.length - length, null)
    } catch {
      return bytes.toString('utf8', 0, length)
    }
  }

  function millisecondsOf(work: () => void): number {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  }

  it('writes a line soon, and many at once', async () => {
    const fd = openFifo(O_RDWR)
    const { write, writeLines } = createDestination(fd)
    write(lineOf(1))
    await until(() => numbersOf(readAll(fd)).includes('1'))
    writeLines(8)
    expect(numbersOf(readAll(fd))).to.have.lengthOf(8)
  })

  it('drops and counts lines if its buffer is full, and continues in order when the reader does', async () => {
    const fd = openFifo(O_RDWR)
    const { write, writeLines, dropCount } = createDestination(fd)
    writeLines(1000)
    const writtenCount = 1000 - dropCount()
    // why: the buffer of a pipe has 64 KiB
    expect(writtenCount).to.be.within(100, 164 + 1)
    let text = ''
    const readUntil = (part: string) => until(() => (text += readAll(fd)).includes(part))
    await readUntil('dropped')
    write(lineOf(2000))
    await readUntil('2000')
    const expected = Array.from({ length: writtenCount }, (_, number) => `${number}`)
    const found = numbersOf(text)
    expect(found.filter(word => !word.startsWith('dropped'))).to.deep.equal([...expected, '2000'])
    expect(found.filter(word => word.startsWith('dropped'))).to.deep.equal([
      `dropped${dropCount()}`,
    ])
  })

  it('drops the lines of a stalled reader when the process ends', () => {
    const { writeLines, flushSync } = createDestination(openFifo(O_RDWR))
    writeLines(150)
    expect(millisecondsOf(flushSync)).to.be.within(400, 4000)
  })

  it('neither fails nor waits if the reader has closed the pipe', () => {
    const reader = openSync(fifo, O_RDONLY | O_NONBLOCK)
    const { writeLines, flushSync, dropCount } = createDestination(openFifo(O_WRONLY))
    closeSync(reader)
    writeLines(150)
    expect(millisecondsOf(flushSync)).to.be.below(400)
    expect(dropCount()).to.be.within(45, 55)
  })
})
