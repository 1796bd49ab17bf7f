/** The files of bodies that are too large for memory. Knows neither rows nor formats. */
import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../model/errors.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import { tooMuchBuffered, tooManyBytes } from './body.ts'
import { createTurns, readTurns, writeTurns } from './turns.ts'

/** The part of all bytes that one organization may use. */
const ORGANIZATION_SHARE = 0.5
/** Each is an open file of the process. */
const MAX_FILES = 128
/** Larger parts are not faster. */
const PART_BYTES: Bytes = 64 * 1024

/** Loads that write at a time. why: writing and hashing occupy the disk and threads, which other requests need */
const MAX_WRITING = 2

export class Spool {
  /** Turns of loads. */
  readonly turns = createTurns(MAX_WRITING)
  /** Why the last file could not be opened or written, such as a full disk; undefined after the next success. */
  failure: Error | undefined
  /** The least recently used first. */
  readonly files = new Set<SpoolFile>()
  private readonly maxBytes: Bytes
  private readonly folder: string

  /** @param maxBytes 0 disables files @param folder must exist */
  constructor(maxBytes: Bytes, folder: string) {
    this.maxBytes = maxBytes
    this.folder = folder
  }

  /** Opens a file for one body. @throws Problem `overloaded`; `result_too_large` if files are disabled */
  async create(organizationId: string): Promise<SpoolFile> {
    if (this.maxBytes === 0) throw tooManyBytes()
    const file = new SpoolFile(this, await this.open(), organizationId)
    this.files.add(file)
    return file
  }

  private open(): Promise<FileHandle> {
    for (const file of this.files) {
      if (this.files.size >= MAX_FILES && file.userCount === 0) file.remove()
    }
    const path = join(this.folder, `svodka-${randomUUID()}`)
    return writeTurns.during(() => this.noted(openUnlinked(path)))
  }

  /** Deletes all files. */
  close(): void {
    for (const file of this.files) file.remove()
  }

  /** Size of the files that are being written or sent. */
  bytesInUse(): Bytes {
    return bytesOf([...this.files].filter(({ userCount }) => userCount > 0))
  }

  /** Makes space for more bytes of a file. @throws Problem `overloaded`, `result_too_large` */
  makeSpace({ length, organizationId }: SpoolFile, count: Bytes): void {
    const share = Math.floor(this.maxBytes * ORGANIZATION_SHARE)
    if (length + count > share) throw tooManyBytes()
    const own = [...this.files].filter(file => file.organizationId === organizationId)
    deleteUnused(own, count, share, 'responses of one organization')
    deleteUnused([...this.files], count, this.maxBytes, 'responses')
  }

  /** The result. @throws Problem `overloaded` if the disk or the folder has failed */
  async noted<T>(result: Promise<T>): Promise<T> {
    try {
      const value = await result
      this.failure = undefined
      return value
    } catch (cause) {
      const message = `the file of a large response failed: ${String(cause)}`
      this.failure = new Error(message, { cause })
      throw diskFailed(this.failure)
    }
  }
}

/** A file that is being written; after its end, the body of responses. */
export class SpoolFile {
  readonly kind = 'file'
  /** Bytes of memory. */
  readonly byteCount = 0
  readonly organizationId: string
  length: Bytes = 0
  /** Empty until the end. */
  etag = ''
  rowCount = 0
  dataAsOf: Instant | undefined
  /** Its writer, and the requests that have opened it. */
  userCount = 1
  /** Whether it was deleted. */
  isGone = false
  private isDiscarded = false
  private readonly spool: Spool
  private readonly handle: FileHandle

  constructor(spool: Spool, handle: FileHandle, organizationId: string) {
    this.spool = spool
    this.handle = handle
    this.organizationId = organizationId
  }

  /** One call at a time. @throws Problem `result_too_large`, `overloaded` */
  async append(chunk: Buffer): Promise<void> {
    if (this.isGone) throw new Error('the file is closed')
    this.spool.makeSpace(this, chunk.length)
    const at = this.length
    this.length += chunk.length
    await writeTurns.during(async () => {
      if (!this.isGone) await this.spool.noted(writeWhole(this.handle, chunk, at))
    })
  }

  /** @throws Error if the file was removed while its last part was being written */
  end(etag: string, rowCount: number, dataAsOf: Instant | undefined): this {
    if (this.isGone) throw new Error('the file is closed')
    this.etag = etag
    this.rowCount = rowCount
    this.dataAsOf = dataAsOf
    // why: the requests that wait for it open it in this turn of the event loop, by promises only
    setImmediate(() => this.close())
    return this
  }

  /** The file exists until the same request calls `close`. @throws Problem `overloaded` if it is gone */
  open(): void {
    if (this.isGone) throw deletedFile()
    this.userCount += 1
    this.spool.files.delete(this)
    this.spool.files.add(this)
  }

  close(): void {
    this.userCount -= 1
    if (this.isDiscarded && this.userCount === 0) this.remove()
  }

  /** Deletes the file after its last user. */
  discard(): void {
    this.isDiscarded = true
    if (this.userCount === 0) this.remove()
  }

  /** The bytes from `start` up to `end`. A part is valid until the next is requested. @throws Problem `overloaded` */
  async *parts(start: Bytes, end: Bytes): AsyncGenerator<Buffer, void> {
    const memory = Buffer.allocUnsafeSlow(Math.min(PART_BYTES, end - start))
    for (let at = start; at < end;) {
      const { bytesRead } = await readTurns.during(() => {
        // why: after the end of its request; a closed file is no failure of the disk
        if (this.isGone) throw deletedFile()
        return this.spool.noted(this.handle.read(memory, 0, Math.min(memory.length, end - at), at))
      })
      if (bytesRead === 0) throw new Error('the file is shorter than expected')
      at += bytesRead
      yield memory.subarray(0, bytesRead)
    }
  }

  remove(): void {
    if (this.isGone) return
    this.isGone = true
    this.spool.files.delete(this)
    writeTurns.during(() => this.handle.close()).catch(() => undefined)
  }
}

/** Deletes unused files until the others and `count` bytes have at most `limit`. @throws Problem `overloaded` */
function deleteUnused(
  files: readonly SpoolFile[],
  count: Bytes,
  limit: Bytes,
  whose: string,
): void {
  let needed = bytesOf(files) + count
  for (const file of files) {
    if (needed <= limit) return
    if (file.userCount > 0) continue
    needed -= file.length
    file.remove()
  }
  if (needed <= limit) return
  const message = `${whose} in use need ${needed} bytes in files, expected at most ${limit}`
  throw tooMuchBuffered(new Error(message))
}

function bytesOf(files: readonly SpoolFile[]): Bytes {
  return files.reduce((sum, { length }) => sum + length, 0)
}

function diskFailed(cause: Error): Problem {
  return new Problem('overloaded', texts => texts.noDisk, { retryAfterSeconds: 10, cause })
}

function deletedFile() {
  return tooMuchBuffered(new Error('the file was deleted to make space'))
}

async function openUnlinked(path: string): Promise<FileHandle> {
  const handle = await open(path, 'wx+', 0o600)
  // why: the system deletes an unlinked file when the process ends, however it ends
  await unlink(path).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  return handle
}

async function writeWhole(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, position + at)
    if (bytesWritten === 0) throw new Error('the disk is full')
    at += bytesWritten
  }
}
