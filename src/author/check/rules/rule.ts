/** A rule: finds one kind of mistakes in the text of a definition, which loading accepts. */
import type { Kind } from '../kinds.ts'
import type { TextRule } from './text-rule.ts'

export interface Rule extends Kind {
  readonly find: TextRule
  /** Whether it finds nothing without a database. */
  readonly needsCatalog?: true
}
