/**
 * Limits lines that repeat: the first is written, then one every 30 s with the number that was left out.
 * What is left out after the last line is told by `flush`.
 */
import type { Clock, Milliseconds } from '../../model/terms.ts'

const EVERY_MS: Milliseconds = 30_000
/** Together they bound the memory; whatever exceeds one of them shares one limit. */
const MAX_OWNERS = 4096
const MAX_KEYS_OF_OWNER = 32
const OTHERS = '\u0000others'

export interface RepeatedLine<Subject> {
  readonly key: string
  /** Whose line it is, such as an organization: it cannot use up the keys of another owner. */
  readonly owner?: string | undefined
  /** What `OnOmitted` gets. */
  readonly subject: Subject
}

export interface Repeats<Subject> {
  /** Whether to write the line now, and how many like it were left out since the last one. */
  note(line: RepeatedLine<Subject>): { readonly write: boolean; readonly omitted: number }
  /** Tells what was left out and not told yet. */
  flush(): void
  /** Makes every key begin anew; what was left out is not told. */
  reset(): void
}

/** @param subject undefined where lines of several subjects share one limit */
export type OnOmitted<Subject> = (omitted: number, subject: Subject | undefined) => void

interface Written {
  writtenAt: Milliseconds
}

interface Line<Subject> extends Written {
  readonly subject: Subject | undefined
  omitted: number
}

interface Owner<Subject> extends Written {
  readonly lines: Map<string, Line<Subject>>
}

export function createRepeats<Subject>(
  now: Clock,
  onOmitted: OnOmitted<Subject>,
): Repeats<Subject> {
  const owners = new Map<string, Owner<Subject>>()

  function tellLine(line: Line<Subject>): void {
    if (line.omitted > 0) onOmitted(line.omitted, line.subject)
    line.omitted = 0
  }

  function tellOwner({ lines }: Owner<Subject>): void {
    for (const line of lines.values()) tellLine(line)
  }

  return {
    note({ key, owner = '', subject }) {
      const at = now()
      const isOver = ({ writtenAt }: Written) => at - writtenAt >= EVERY_MS
      const ownerName = nameIn(owners, owner, MAX_OWNERS, isOver, tellOwner)
      const lines = owners.get(ownerName)?.lines ?? new Map<string, Line<Subject>>()
      const lineName = nameIn(lines, key, MAX_KEYS_OF_OWNER, isOver, tellLine)
      const line = lines.get(lineName)
      if (line !== undefined && !isOver(line)) {
        line.omitted += 1
        return { write: false, omitted: 0 }
      }
      const isShared = ownerName === OTHERS || lineName === OTHERS
      const written = { writtenAt: at, omitted: 0, subject: isShared ? undefined : subject }
      putLast(lines, lineName, written)
      putLast(owners, ownerName, { writtenAt: at, lines })
      return { write: true, omitted: line?.omitted ?? 0 }
    },
    flush() {
      for (const owner of owners.values()) tellOwner(owner)
    },
    reset() {
      owners.clear()
    },
  }
}

/** The name itself if the map has it or has space for it, else the name that all others share. */
function nameIn<Entry>(
  entries: Map<string, Entry>,
  name: string,
  max: number,
  isOver: (entry: Entry) => boolean,
  onDelete: (entry: Entry) => void,
): string {
  if (entries.has(name)) return name
  for (const [oldest, entry] of entries) {
    if (entries.size < max || !isOver(entry)) break
    entries.delete(oldest)
    onDelete(entry)
  }
  return entries.size < max ? name : OTHERS
}

/** Keeps the map in the order of writing, so that the oldest entry is its first. */
function putLast<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  entries.delete(name)
  entries.set(name, entry)
}
