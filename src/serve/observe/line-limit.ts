/**
 * Limits similar log lines: the first is written, then one every 30 s with the number of omitted ones. `flush` writes
 * the number omitted since the last written line.
 */
import type { Logger } from 'pino'
import type { Clock, Milliseconds } from '../../model/terms.ts'

const EVERY_MS: Milliseconds = 30_000
/** Together they bound the memory; owners and keys above the maximum share one limit. */
const MAX_OWNERS = 4096
const MAX_KEYS_OF_OWNER = 32

export type Level = 'error' | 'warn' | 'info' | 'debug'

interface LimitedLine {
  /** Such as an organization. An owner cannot use up the keys of another. */
  readonly owner: string
  /** Lines of an owner with the same key are similar. */
  readonly key: string
  readonly level: Level
  readonly text: string
  /** Fields that similar lines have in common. */
  readonly about: object
  readonly fields: () => object
}

export type LineLimit = ReturnType<typeof createLineLimit>

/** The last written one of similar lines. */
interface Written {
  readonly owner: string
  readonly line: Pick<LimitedLine, 'level' | 'text' | 'about'>
  readonly at: Milliseconds
  omitted: number
}

/** The owner of lines above the maximum. */
const OTHERS = '\u0000others'
const SEVERAL = { level: 'warn', text: 'lines of several kinds', about: {} } as const

export function createLineLimit(log: Logger, now: Clock) {
  /** By owner and key, in the order of writing. */
  const written = new Map<string, Written>()
  const keyCounts = new Map<string, number>()

  function flushOmitted(last: Written): void {
    const { omitted } = last
    const { level, text, about } = last.line
    if (omitted > 0) log[level]({ ...about, omitted }, `${omitted} more: ${text}`)
    last.omitted = 0
  }

  function remove(name: string, { owner }: Written): void {
    const keyCount = keyCounts.get(owner)! - 1
    if (keyCount === 0) keyCounts.delete(owner)
    else keyCounts.set(owner, keyCount)
    written.delete(name)
  }

  function removeExpired(): void {
    for (const [name, last] of written) {
      if (now() - last.at < EVERY_MS) return
      remove(name, last)
      flushOmitted(last)
    }
  }

  function hasSpace(owner: string): boolean {
    const keyCount = keyCounts.get(owner) ?? 0
    return keyCount === 0 ? keyCounts.size < MAX_OWNERS : keyCount < MAX_KEYS_OF_OWNER
  }

  return {
    write({ owner, key, level, text, about, fields }: LimitedLine): void {
      let name = `${owner}\u0000${key}`
      const isKnown = written.has(name)
      if (!isKnown && !hasSpace(owner)) removeExpired()
      const isShared = !isKnown && !hasSpace(owner)
      if (isShared) name = OTHERS
      const last = written.get(name)
      const at = now()
      if (last !== undefined && at - last.at < EVERY_MS) return void (last.omitted += 1)
      if (last !== undefined) remove(name, last)
      const line = isShared ? SEVERAL : { level, text, about }
      const ownerOfLine = isShared ? OTHERS : owner
      keyCounts.set(ownerOfLine, (keyCounts.get(ownerOfLine) ?? 0) + 1)
      written.set(name, { owner: ownerOfLine, line, at, omitted: 0 })
      const omitted = last !== undefined && last.omitted > 0 ? last.omitted : undefined
      log[level]({ ...about, ...fields(), omitted }, text)
    },
    flush: (): void => written.forEach(flushOmitted),
  }
}
