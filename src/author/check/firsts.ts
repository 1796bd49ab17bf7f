/** Findings of many runs: of each kind the first example. */
import type { Finding } from '../../definitions/findings.ts'

export interface Firsts {
  /** @param kind what is not to be said twice */
  readonly add: (kind: string, line: number, message: string) => void
  readonly has: (kind: string) => boolean
  readonly all: () => Finding[]
}

export function createFirsts(): Firsts {
  const found = new Map<string, Finding>()
  return {
    add: (kind, line, message) => {
      if (!found.has(kind)) found.set(kind, { line, message })
    },
    has: kind => found.has(kind),
    all: () => [...found.values()],
  }
}
