/**
 * Limits similar log lines: the first is written, then one every 30 s with the number of omitted ones. `flush` writes
 * the number omitted since the last written line.
 */
import type { Logger } from 'pino'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { defectWithoutCode, errorIdentity } from './error-fields.ts'

const EVERY_MS: Milliseconds = 30_000
/** Together they bound the memory; owners and keys above the maximum share one limit. */
const MAX_OWNERS = 4096
const MAX_KEYS_OF_OWNER = 32
const OTHERS = '\u0000others'

export type Level = 'error' | 'warn' | 'info' | 'debug'

/** The line about omitted lines: `25 more requests: rate_limited`. */
interface OmittedLines {
  readonly level: Level
  readonly fields: object
  /** Follows `25 more`. */
  readonly text: string
}

/** For lines above the maximum of keys or owners, which share one limit. */
const SEVERAL: OmittedLines = { level: 'warn', fields: {}, text: 'lines of several kinds' }

interface LimitedLine {
  /** Lines with the same key are similar. */
  readonly key: string
  /** Such as an organization. An owner cannot use up the keys of another. */
  readonly owner?: string | undefined
  readonly level: Level
  readonly fields: () => object
  readonly text: string
  readonly omitted: OmittedLines
}

export interface LineLimit {
  write(line: LimitedLine): void
  /** Lines are similar if text, replica and kind of error are the same. */
  writeError(
    level: 'error' | 'warn',
    error: unknown,
    fields: { readonly replica?: string | undefined; readonly [field: string]: unknown },
    text: string,
  ): void
  flush(): void
  /** Forgets all lines: the next one of each key is written. The counts of omitted lines are discarded. */
  reset(): void
}

interface Entry {
  writtenAt: Milliseconds
}

interface Key extends Entry {
  readonly omitted: OmittedLines
  omittedCount: number
}

interface Owner extends Entry {
  readonly keys: Map<string, Key>
}

export function createLineLimit(log: Logger, now: Clock): LineLimit {
  const owners = new Map<string, Owner>()

  function flushKey(key: Key): void {
    const { level, fields, text } = key.omitted
    const omitted = key.omittedCount
    if (omitted > 0) log[level]({ ...fields, omitted }, `${omitted} more ${text}`)
    key.omittedCount = 0
  }

  function flushOwner({ keys }: Owner): void {
    for (const key of keys.values()) flushKey(key)
  }

  function write(line: LimitedLine): void {
    const at = now()
    const isOver = ({ writtenAt }: Entry): boolean => at - writtenAt >= EVERY_MS
    const ownerName = nameIn(owners, line.owner ?? '', MAX_OWNERS, isOver, flushOwner)
    const keys = owners.get(ownerName)?.keys ?? new Map<string, Key>()
    const keyName = nameIn(keys, line.key, MAX_KEYS_OF_OWNER, isOver, flushKey)
    const last = keys.get(keyName)
    if (last !== undefined && !isOver(last)) {
      last.omittedCount += 1
      return
    }
    const isShared = ownerName === OTHERS || keyName === OTHERS
    const omitted = isShared ? SEVERAL : line.omitted
    putLast(keys, keyName, { writtenAt: at, omittedCount: 0, omitted })
    putLast(owners, ownerName, { writtenAt: at, keys })
    const count = last?.omittedCount ?? 0
    log[line.level]({ ...line.fields(), ...(count > 0 && { omitted: count }) }, line.text)
  }

  return {
    write,
    writeError(level, error, fields, text) {
      const { replica } = fields
      write({
        key: `${text} ${errorIdentity(error)}`,
        owner: replica,
        level,
        fields: () => ({ ...fields, err: level === 'error' ? defectWithoutCode(error) : error }),
        text,
        omitted: { level, fields: { replica }, text: `lines: ${text}` },
      })
    },
    flush() {
      for (const owner of owners.values()) flushOwner(owner)
    },
    reset: () => owners.clear(),
  }
}

/** The name if the map has it or has space for it, else the shared name. */
function nameIn<Kind extends Entry>(
  entries: Map<string, Kind>,
  name: string,
  max: number,
  isOver: (entry: Entry) => boolean,
  flush: (entry: Kind) => void,
): string {
  if (entries.has(name)) return name
  for (const [oldest, entry] of entries) {
    if (entries.size < max || !isOver(entry)) break
    entries.delete(oldest)
    flush(entry)
  }
  return entries.size < max ? name : OTHERS
}

/** Sets the entry as the newest: entries are in the order of writing. */
function putLast<Kind>(entries: Map<string, Kind>, name: string, entry: Kind): void {
  entries.delete(name)
  entries.set(name, entry)
}
