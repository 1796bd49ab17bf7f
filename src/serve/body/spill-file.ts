/**
 * Files for what slow readers have not taken yet, of so many bytes together. First in, first out. Knows files
 * and bytes; neither rows nor streams.
 */
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bytes } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { ReaderFullError } from '../replica/statement-request.ts'
import { createUnread } from './unread.ts'

export interface SpillFiles {
  /** A file for a response of one organization. @throws SpillError */
  open(organizationId: string): Promise<SpillFile>
  /** Of all files that are open. */
  byteCount(): Bytes
}

export interface SpillFile {
  /** One at a time. The chunk is written over afterwards. @throws SpillFullError, SpillError */
  append(chunk: Buffer): Promise<void>
  /** What has been appended and not been read. */
  unreadBytes(): Bytes
  /** Up to 64 KiB of what was appended first, one at a time; not to be called if nothing is unread. @throws SpillError */
  read(): Promise<Buffer>
  /** May be called again, and while the file is read or written. Never fails. */
  close(): Promise<void>
}

/** All files together, or those of one organization, have grown to their bound. */
export class SpillFullError extends ReaderFullError {
  override readonly name = 'SpillFullError'
  /** This file would not fit if it were the only one. */
  readonly isAlone: boolean

  constructor(whose: string, usedBytes: Bytes, maxBytes: Bytes, isAlone: boolean) {
    super(`${whose} have ${usedBytes} bytes in files already, expected at most ${maxBytes} in all`)
    this.isAlone = isAlone
  }
}

/** The disk or the folder failed. Without a code: what the system says of files is not said of replicas. */
export class SpillError extends ReaderFullError {
  override readonly name = 'SpillError'

  constructor(cause: unknown) {
    super(`what a slow reader has not taken: ${String(cause)}`, { cause })
  }
}

const READ_BYTES: Bytes = 64 * 1024

/** Undefined if no byte may be written. @param options.folder that exists */
export function createSpillFiles(options: {
  readonly maxBytes: Bytes
  readonly folder: string
}): SpillFiles | undefined {
  const { maxBytes, folder } = options
  if (maxBytes === 0) return undefined
  const unread = createUnread(maxBytes)

  /** @throws SpillFullError */
  function grow(organizationId: string, from: Bytes, to: Bytes): void {
    const fit = unread.fits(organizationId, to - from)
    if (fit === 'share is full') {
      const used = unread.of(organizationId)
      throw new SpillFullError(
        'responses of one organization',
        used,
        unread.share,
        to > unread.share,
      )
    }
    if (fit === 'all is full') {
      throw new SpillFullError('responses', unread.byteCount(), maxBytes, false)
    }
    unread.add(organizationId, to - from)
  }

  return {
    byteCount: () => unread.byteCount(),
    async open(organizationId) {
      const handle = await openUnnamed(join(folder, `svodka-${randomUUID()}`))
      return createSpillFile(handle, {
        grow: (from, to) => grow(organizationId, from, to),
        release: size => unread.add(organizationId, -size),
      })
    },
  }
}

/** @throws SpillError */
async function openUnnamed(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'wx+', 0o600)
    // why: a file without a name is gone with the process, however that ends
    await unlink(path)
    return handle
  } catch (error) {
    throw new SpillError(error)
  }
}

function createSpillFile(
  handle: FileHandle,
  quota: {
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
      // why: what has been read is written over, so that a reader that catches up needs no more disk
      if (readTo === writtenTo && !isReading) readTo = writtenTo = 0
      const end = writtenTo + chunk.length
      if (end > size) {
        quota.grow(size, end)
        size = end
      }
      try {
        for (let at = 0; at < chunk.length;) {
          const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, writtenTo + at)
          if (bytesWritten === 0) throw new Error('the disk takes no more')
          at += bytesWritten
        }
      } catch (error) {
        throw new SpillError(error)
      }
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
        if (bytesRead === 0) throw new Error('the file is shorter than was written')
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
        quota.release(size)
        closing = handle.close().catch(() => undefined)
      }
      return closing
    },
  }
}
