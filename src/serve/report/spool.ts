/**
 * The files of bodies that are too large for memory. The least recently used are deleted when space is needed.
 * Knows neither rows nor formats.
 */
import { createHash, randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bytes, Instant } from '../../model/terms.ts'
import { ReaderFullError } from '../database/statement-request.ts'
import { etagOfHash } from './body.ts'
import type { FileBody } from './body.ts'
import { createCountedBytes, tooMuchBuffered } from './outgoing-bodies.ts'
import { tooManyBytes } from './too-large.ts'
import { readInTurn, writeInTurn } from './thread-turns.ts'
import { createWriteTurns } from './write-turns.ts'
import type { WriteTurns } from './write-turns.ts'

export interface Spool {
  readonly turns: WriteTurns
  /** Opens a file for one body. @throws Problem `overloaded` */
  create(organizationId: string): Promise<SpoolFile>
  /** Size of the files that are being written or sent. */
  byteCount(): Bytes
  /** Why the last file could not be opened or written, such as a full disk; undefined after the next success. */
  failure(): SpoolError | undefined
}

/** A file that is being written. */
export interface SpoolFile {
  /** One call at a time. @throws Problem `result_too_large`, `overloaded` */
  append(chunk: Buffer): Promise<void>
  end(rowCount: number, dataAsOf: Instant | undefined): FileBody
  /** Deletes the file, unless it has ended. */
  abandon(): void
}

/** The disk or the folder failed, or has no space. Has no `code`, which would be taken for one of a replica's connection. */
export class SpoolError extends ReaderFullError {
  override readonly name = 'SpoolError'
}

interface StoredFile {
  readonly handle: FileHandle
  readonly organizationId: string
  size: Bytes
  /** Its writer, and its readers. */
  userCount: number
  isDiscarded: boolean
  isGone: boolean
}

/** Larger parts are not faster. */
const PART_BYTES: Bytes = 64 * 1024

/** Each is an open file of the process. */
const MAX_FILES = 128

/** @param options.folder must exist @returns undefined if `maxBytes` is 0 */
export function createSpool(options: {
  readonly maxBytes: Bytes
  readonly folder: string
}): Spool | undefined {
  const { maxBytes, folder } = options
  if (maxBytes === 0) return undefined
  const counted = createCountedBytes(maxBytes)
  /** The least recently used first. */
  const files = new Set<StoredFile>()
  let failure: SpoolError | undefined

  /** @throws Problem `overloaded` with a SpoolError */
  async function noted<T>(result: Promise<T>): Promise<T> {
    try {
      const value = await result
      failure = undefined
      return value
    } catch (cause) {
      failure = new SpoolError(`the file of a large response failed: ${String(cause)}`, { cause })
      throw tooMuchBuffered(failure)
    }
  }

  function remove(file: StoredFile): void {
    if (file.isGone) return
    file.isGone = true
    files.delete(file)
    counted.add(file.organizationId, -file.size)
    writeInTurn(() => file.handle.close()).catch(() => undefined)
  }

  /** Deletes unused files of the organization, or of all, until there is space. @throws Problem `overloaded` */
  function makeSpace(count: Bytes, organizationId: string): void {
    const isOver = (): boolean => counted.byteCount() + count > maxBytes
    const isShareOver = (): boolean => counted.of(organizationId) + count > counted.share
    if (!isOver() && !isShareOver()) return
    for (const file of files) {
      const isOwn = file.organizationId === organizationId
      if (file.userCount === 0 && (isOver() || (isOwn && isShareOver()))) remove(file)
    }
    if (!isOver() && !isShareOver()) return
    const [owner, used, limit] = isShareOver()
      ? ['responses of one organization', counted.of(organizationId), counted.share]
      : ['responses', counted.byteCount(), maxBytes]
    throw tooMuchBuffered(
      new SpoolError(`${owner} in use have ${used} bytes in files, expected at most ${limit}`),
    )
  }

  function use(file: StoredFile): void {
    file.userCount += 1
    files.delete(file)
    files.add(file)
  }

  function release(file: StoredFile): void {
    file.userCount -= 1
    if (file.isDiscarded && file.userCount === 0) remove(file)
  }

  function bodyOf(
    file: StoredFile,
    facts: Pick<FileBody, 'etag' | 'rowCount' | 'dataAsOf'>,
  ): FileBody {
    return {
      ...facts,
      kind: 'file',
      length: file.size,
      byteCount: 0,
      isGone: () => file.isGone,
      open() {
        if (file.isGone) throw tooMuchBuffered(new SpoolError('the file was deleted to make space'))
        use(file)
        let isOpen = true
        return {
          async *parts(start, end) {
            const memory = Buffer.allocUnsafeSlow(Math.min(PART_BYTES, end - start))
            for (let at = start; at < end;) {
              const { bytesRead } = await readInTurn(() => {
                if (!isOpen) throw new Error('the reader is closed')
                return noted(file.handle.read(memory, 0, Math.min(memory.length, end - at), at))
              })
              if (bytesRead === 0) throw new SpoolError('the file is shorter than expected')
              at += bytesRead
              yield memory.subarray(0, bytesRead)
            }
          },
          close() {
            if (isOpen) release(file)
            isOpen = false
          },
        }
      },
      discard() {
        file.isDiscarded = true
        if (file.userCount === 0) remove(file)
      },
    }
  }

  return {
    turns: createWriteTurns(),
    byteCount: () =>
      [...files].reduce((sum, file) => sum + (file.userCount > 0 ? file.size : 0), 0),
    failure: () => failure,
    async create(organizationId) {
      for (const file of files) if (files.size >= MAX_FILES && file.userCount === 0) remove(file)
      const path = join(folder, `svodka-${randomUUID()}`)
      const handle = await writeInTurn(() => noted(openUnlinked(path)))
      const file = {
        handle,
        organizationId,
        size: 0,
        userCount: 0,
        isDiscarded: true,
        isGone: false,
      }
      const hash = createHash('sha256')
      use(file)
      return {
        async append(chunk) {
          if (file.isGone) throw new SpoolError('the file is closed')
          const { size } = file
          if (size + chunk.length > counted.share) throw tooManyBytes(undefined)
          makeSpace(chunk.length, organizationId)
          counted.add(organizationId, chunk.length)
          file.size += chunk.length
          hash.update(chunk)
          await writeInTurn(async () => {
            if (!file.isGone) await noted(writeAll(handle, chunk, size))
          })
        },
        end(rowCount, dataAsOf) {
          file.isDiscarded = false
          // why: until the requests that wait for it have opened it
          setImmediate(release, file)
          return bodyOf(file, { etag: etagOfHash(hash.digest('base64url')), rowCount, dataAsOf })
        },
        abandon() {
          if (file.isDiscarded) remove(file)
        },
      }
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
