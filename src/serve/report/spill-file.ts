/**
 * Spill files: responses buffered on disk for slow clients, with a limit for all files together. First in, first
 * out. Knows neither rows nor streams.
 */
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bytes } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { ReaderFullError } from '../database/statement-request.ts'
import { createBufferedBytes } from './buffered-bytes.ts'

export interface SpillFiles {
  /** Opens a file for one response. @throws SpillError */
  open(organizationId: string): Promise<SpillFile>
  /** Size of all open files. */
  byteCount(): Bytes
  /** Why the last file could not be opened or written, such as a full disk; undefined after the next success. */
  failure(): SpillError | undefined
}

export interface SpillFile {
  /** One call at a time. The chunk's memory is recycled. @throws SpillFullError, SpillError */
  append(chunk: Buffer): Promise<void>
  /** Bytes appended but not read yet. */
  unreadBytes(): Bytes
  /** The next 64 KiB or less; one call at a time, and only if `unreadBytes` is above 0. @throws SpillError */
  read(): Promise<Buffer>
  /** May be called repeatedly, and during reads and writes. Never rejects. */
  close(): Promise<void>
}

/** The files, or those of one organization, reached their size limit. */
export class SpillFullError extends ReaderFullError {
  override readonly name = 'SpillFullError'
  /** This file alone exceeds the limit. */
  readonly isFileTooLarge: boolean

  constructor(owner: string, usedBytes: Bytes, maxBytes: Bytes, isFileTooLarge: boolean) {
    super(`${owner} have ${usedBytes} bytes in spill files, expected at most ${maxBytes}`)
    this.isFileTooLarge = isFileTooLarge
  }
}

/** The disk or the folder failed. Has no `code`, which would be taken for one of a replica's connection. */
export class SpillError extends ReaderFullError {
  override readonly name = 'SpillError'

  constructor(cause: unknown) {
    super(`the spill file of a slow client failed: ${String(cause)}`, { cause })
  }
}

const READ_BYTES: Bytes = 64 * 1024

/** @param options.folder must exist @returns undefined if `maxBytes` is 0 */
export function createSpillFiles(options: {
  readonly maxBytes: Bytes
  readonly folder: string
}): SpillFiles | undefined {
  const { maxBytes, folder } = options
  if (maxBytes === 0) return undefined
  const buffered = createBufferedBytes(maxBytes)
  let failure: SpillError | undefined

  /** @throws SpillError */
  async function noted<T>(result: Promise<T>): Promise<T> {
    try {
      const value = await result
      failure = undefined
      return value
    } catch (cause) {
      failure = new SpillError(cause)
      throw failure
    }
  }

  /** @throws SpillFullError */
  function grow(organizationId: string, from: Bytes, to: Bytes): void {
    const verdict = buffered.fits(organizationId, to - from)
    if (verdict === 'share is full') {
      const used = buffered.of(organizationId)
      throw new SpillFullError(
        'responses of one organization',
        used,
        buffered.share,
        to > buffered.share,
      )
    }
    if (verdict === 'all is full') {
      throw new SpillFullError('responses', buffered.byteCount(), maxBytes, false)
    }
    buffered.add(organizationId, to - from)
  }

  return {
    byteCount: () => buffered.byteCount(),
    failure: () => failure,
    async open(organizationId) {
      const handle = await noted(openUnlinked(join(folder, `svodka-${randomUUID()}`)))
      return createSpillFile(handle, {
        noted,
        grow: (from, to) => grow(organizationId, from, to),
        release: size => buffered.add(organizationId, -size),
      })
    },
  }
}

async function openUnlinked(path: string): Promise<FileHandle> {
  const handle = await open(path, 'wx+', 0o600)
  // why: the system deletes an unlinked file when the process ends, however it ends
  await unlink(path)
  return handle
}

async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, position + at)
    if (bytesWritten === 0) throw new Error('the disk is full')
    at += bytesWritten
  }
}

function createSpillFile(
  handle: FileHandle,
  files: {
    readonly noted: (written: Promise<void>) => Promise<void>
    readonly grow: (from: Bytes, to: Bytes) => void
    readonly release: (size: Bytes) => void
  },
): SpillFile {
  let size = 0
  let writtenTo = 0
  let readTo = 0
  let isReading = false
  let closing: Promise<void> | undefined

  return {
    async append(chunk) {
      if (closing !== undefined) throw new SpillError('the file is closed')
      // why: the file starts again at 0 once all is read, so that it does not grow further
      if (readTo === writtenTo && !isReading) readTo = writtenTo = 0
      const end = writtenTo + chunk.length
      if (end > size) {
        files.grow(size, end)
        size = end
      }
      await files.noted(writeAll(handle, chunk, writtenTo))
      writtenTo = end
      recycleChunk(chunk)
    },
    unreadBytes: () => writtenTo - readTo,
    async read() {
      isReading = true
      const length = Math.min(READ_BYTES, writtenTo - readTo)
      try {
        const chunk = Buffer.allocUnsafeSlow(length)
        const { bytesRead } = await handle.read(chunk, 0, length, readTo)
        if (bytesRead === 0) throw new Error('the file is shorter than expected')
        readTo += bytesRead
        return chunk.subarray(0, bytesRead)
      } catch (error) {
        throw new SpillError(error)
      } finally {
        isReading = false
      }
    },
    close() {
      if (closing === undefined) {
        files.release(size)
        closing = handle.close().catch(() => undefined)
      }
      return closing
    },
  }
}
