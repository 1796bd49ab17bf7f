/**
 * What slow readers have not taken yet: files without names, of so many bytes together. Knows files
 * and bytes; neither rows nor streams.
 */
import { randomUUID } from 'node:crypto'
import { close, read, writev } from 'node:fs'
import { join } from 'node:path'
import { CHUNK_BYTES, giveBack, newChunk } from '../formats/output.ts'
import type { Bytes } from '../../model/terms.ts'
import { createUnread } from './unread.ts'
import { openNameless, SpoolError } from './nameless-file.ts'
import { SpoolFullError } from './spool-full.ts'

export interface Spool {
  /** A file for an answer of one organization. @throws SpoolError where a file cannot be made. */
  open(organizationId: string, events: SpoolEvents): SpoolFile
  /** Of all files that are open. */
  byteCount(): Bytes
}

export interface SpoolEvents {
  /** After `append` answered false: the disk has caught up. */
  onRoom(): void
  /** The disk failed: what is left in the file is lost. */
  onError(error: Error): void
}

/** First in, first out. */
export interface SpoolFile {
  /** The chunk is the file's from here on. False: wait for `onRoom`. @throws SpoolFullError */
  append(chunk: Buffer): boolean
  /** All that was appended has been read. */
  isEmpty(): boolean
  /** Where it is not empty, and one at a time: up to 64 KB of what was appended first. */
  read(take: (chunk: Buffer) => void): void
  /** May be called again. What is under way ends first; nothing is told of it. */
  close(): void
}

/** So much may wait for the disk. */
const UNWRITTEN_MAX_BYTES: Bytes = 8 * CHUNK_BYTES

/** Undefined where no byte may be written. @param options.folder has to exist */
export function createSpool(options: {
  readonly maxBytes: Bytes
  readonly folder: string
}): Spool | undefined {
  if (options.maxBytes === 0) return undefined
  const unread = createUnread(options.maxBytes)

  /** @throws SpoolFullError */
  function grow(organizationId: string, from: Bytes, to: Bytes): void {
    const fit = unread.fits(organizationId, to - from)
    if (fit === 'share is full') {
      const theirs = unread.of(organizationId)
      throw new SpoolFullError(
        'answers of one organization',
        theirs,
        unread.share,
        to > unread.share,
      )
    }
    if (fit === 'all is full') {
      throw new SpoolFullError('answers', unread.byteCount(), options.maxBytes, false)
    }
    unread.add(organizationId, to - from)
  }

  return {
    byteCount: () => unread.byteCount(),
    open: (organizationId, events) =>
      openFile({
        events,
        folder: options.folder,
        grow: (from, to) => grow(organizationId, from, to),
        gone: size => unread.add(organizationId, -size),
      }),
  }
}

function openFile(options: {
  readonly events: SpoolEvents
  readonly folder: string
  readonly grow: (from: Bytes, to: Bytes) => void
  readonly gone: (size: Bytes) => void
}): SpoolFile {
  const { events, grow, gone } = options
  const path = join(options.folder, `svodka-${randomUUID()}`)
  const descriptor = openNameless(path)

  let unwritten: Buffer[] = []
  let unwrittenBytes = 0
  let size = 0
  let writtenTo = 0
  let appendedTo = 0
  let readTo = 0
  let isWriting = false
  let isReading = false
  let isBehind = false
  let isClosed = false
  let taker: ((chunk: Buffer) => void) | undefined

  function write(): void {
    if (isWriting || unwritten.length === 0) return
    const chunks = unwritten
    const byteCount = unwrittenBytes
    unwritten = []
    unwrittenBytes = 0
    isWriting = true
    writev(descriptor, chunks, writtenTo, (error, written) => {
      isWriting = false
      for (const chunk of chunks) giveBack(chunk)
      if (isClosed) return end()
      if (error ?? written !== byteCount) return fail(error ?? new Error('no room on the disk'))
      writtenTo += byteCount
      readOn()
      write()
      if (!isBehind || unwrittenBytes >= UNWRITTEN_MAX_BYTES) return
      isBehind = false
      events.onRoom()
    })
  }

  function readOn(): void {
    if (taker === undefined || isReading || readTo === writtenTo) return
    const chunk = newChunk()
    const length = Math.min(CHUNK_BYTES, writtenTo - readTo)
    isReading = true
    read(descriptor, chunk, 0, length, readTo, (error, found) => {
      isReading = false
      if (isClosed || error !== null || found === 0) {
        giveBack(chunk)
        return isClosed ? end() : fail(error ?? new Error('the file is shorter than was written'))
      }
      readTo += found
      // why: what has been read is written over, so that a reader that catches up needs no more room
      if (readTo === appendedTo) readTo = writtenTo = appendedTo = 0
      const take = taker!
      taker = undefined
      take(chunk.subarray(0, found))
    })
  }

  function fail(error: Error): void {
    shut()
    events.onError(new SpoolError(error))
  }

  function shut(): void {
    if (isClosed) return
    isClosed = true
    for (const chunk of unwritten) giveBack(chunk)
    unwritten = []
    taker = undefined
    gone(size)
    end()
  }

  /** Closed under a read or write, its number might be another file's by then. */
  function end(): void {
    if (!isWriting && !isReading) close(descriptor, () => {})
  }

  return {
    append(chunk) {
      const end = appendedTo + chunk.length
      if (end > size) {
        grow(size, end)
        size = end
      }
      appendedTo = end
      unwritten.push(chunk)
      unwrittenBytes += chunk.length
      write()
      isBehind = unwrittenBytes >= UNWRITTEN_MAX_BYTES
      return !isBehind
    },
    isEmpty: () => readTo === appendedTo,
    read(take) {
      taker = take
      readOn()
    },
    close: shut,
  }
}
