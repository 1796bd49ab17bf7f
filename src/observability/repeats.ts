/** Limits lines that repeat: the first is written, then one every 30 s with the number that was left out. */
import type { Clock, Milliseconds } from '../terms.ts'

const EVERY_MS: Milliseconds = 30_000
/** Together they bound the memory; whatever exceeds one of them shares one limit. */
const MAX_OWNERS = 4096
const MAX_KEYS_OF_OWNER = 32
const OTHERS = '\u0000others'

export interface Repeats {
  /**
   * Whether to write the line now, and how many like it were left out since the last one.
   *
   * @param owner whose line it is, such as an organization: it cannot use up the keys of another owner
   */
  note(key: string, owner?: string): { readonly write: boolean; readonly omitted: number }
  /** Makes every key begin anew. */
  reset(): void
}

interface Written {
  writtenAt: Milliseconds
}

interface Line extends Written {
  omitted: number
}

interface Owner extends Written {
  readonly lines: Map<string, Line>
}

export function createRepeats(now: Clock): Repeats {
  const owners = new Map<string, Owner>()
  return {
    note(key, owner = '') {
      const at = now()
      const isOver = ({ writtenAt }: Written) => at - writtenAt >= EVERY_MS
      const ownerName = nameIn(owners, owner, MAX_OWNERS, isOver)
      const lines = owners.get(ownerName)?.lines ?? new Map<string, Line>()
      const lineName = nameIn(lines, key, MAX_KEYS_OF_OWNER, isOver)
      const line = lines.get(lineName)
      if (line !== undefined && !isOver(line)) {
        line.omitted += 1
        return { write: false, omitted: 0 }
      }
      putLast(lines, lineName, { writtenAt: at, omitted: 0 })
      putLast(owners, ownerName, { writtenAt: at, lines })
      return { write: true, omitted: line?.omitted ?? 0 }
    },
    reset() {
      owners.clear()
    },
  }
}

/** The name itself if the map has it or room for it, else the name that all others share. */
function nameIn<Entry>(
  entries: Map<string, Entry>,
  name: string,
  max: number,
  isOver: (entry: Entry) => boolean,
): string {
  if (entries.has(name)) return name
  for (const [oldest, entry] of entries) {
    if (entries.size < max || !isOver(entry)) break
    entries.delete(oldest)
  }
  return entries.size < max ? name : OTHERS
}

/** Keeps the map in the order of writing, so that the oldest entry is its first. */
function putLast<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  entries.delete(name)
  entries.set(name, entry)
}
