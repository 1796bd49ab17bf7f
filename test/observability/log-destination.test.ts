import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLogDestination } from '../../src/observability/log-destination.ts'
import type { LogDestination } from '../../src/observability/log-destination.ts'
import { until } from '../support/until.ts'

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants
const KIB = 1024
const MAX_BYTES = 100 * KIB

/** A line of one KiB that begins with its number. */
const lineOf = (number: number): string => `${`${number} `.padEnd(KIB - 1, '.')}\n`
const numbersOf = (text: string): string[] => text.match(/^\w+/gm) ?? []

describe('the destination of the log', () => {
  let folder = ''
  let fifo = ''
  const open: number[] = []
  const destinations: LogDestination[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svodka-log-'))
    fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
  })
  afterEach(() => {
    // why: what is still buffered must not go to whatever has the descriptor's number next
    destinations.splice(0).forEach(destination => destination.close())
    open.splice(0).forEach(fd => closeSync(fd))
    rmSync(folder, { recursive: true })
  })

  function openFifo(flags: number): number {
    const fd = openSync(fifo, flags | O_NONBLOCK)
    open.push(fd)
    return fd
  }

  function createDestination(fd: number) {
    let dropCount = 0
    const destination = createLogDestination({
      fd,
      maxBytes: MAX_BYTES,
      onDrop: () => void (dropCount += 1),
      droppedLine: count => `dropped${count}\n`,
    })
    destinations.push(destination)
    return { ...destination, dropCount: () => dropCount }
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

  it('has taken a line to the reader before the next one is made', () => {
    const fd = openFifo(O_RDWR)
    const { write } = createDestination(fd)
    write(lineOf(1))
    expect(numbersOf(readAll(fd))).to.deep.equal(['1'])
  })

  it('writes nothing any more once it is closed', async () => {
    const fd = openFifo(O_RDWR)
    const destination = createDestination(fd)
    for (let number = 0; number < 1000; number++) destination.write(lineOf(number))
    destination.close()
    const inPipe = readAll(fd)
    destination.write(lineOf(1001))
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(inPipe).not.to.equal('')
    expect(readAll(fd)).to.equal('')
  })

  it('drops and counts lines once its buffer is full, and goes on in order when the reader does', async () => {
    const fd = openFifo(O_RDWR)
    const { write, dropCount } = createDestination(fd)
    const lineCount = 1000
    for (let number = 0; number < lineCount; number++) write(lineOf(number))
    const keptCount = lineCount - dropCount()
    // why: a pipe holds 64 KiB by itself
    expect(keptCount).to.be.within(100, 164 + 1)
    let text = ''
    await until(() => {
      text += readAll(fd)
      return text.includes('dropped')
    })
    write(lineOf(2000))
    await until(() => {
      text += readAll(fd)
      return text.includes('2000')
    })
    const kept = Array.from({ length: keptCount }, (_, number) => `${number}`)
    expect(numbersOf(text).filter(word => !word.startsWith('dropped'))).to.deep.equal([
      ...kept,
      '2000',
    ])
    expect(text.match(/dropped(\d+)/g)).to.deep.equal([`dropped${dropCount()}`])
  })

  it('gives up a reader that takes nothing when the process ends', () => {
    const { write, flushSync } = createDestination(openFifo(O_RDWR))
    for (let number = 0; number < 150; number++) write(lineOf(number))
    const startedAt = performance.now()
    flushSync()
    expect(performance.now() - startedAt).to.be.within(400, 4000)
  })

  it('neither fails nor waits for a reader that is gone', () => {
    const reader = openSync(fifo, O_RDONLY | O_NONBLOCK)
    const { write, flushSync, dropCount } = createDestination(openFifo(O_WRONLY))
    closeSync(reader)
    for (let number = 0; number < 150; number++) write(lineOf(number))
    const startedAt = performance.now()
    flushSync()
    expect(performance.now() - startedAt).to.be.below(400)
    expect(dropCount()).to.be.within(45, 55)
  })
})
