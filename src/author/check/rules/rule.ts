/** A rule: finds one kind of mistakes in the text of a definition, which loading accepts. */
import type { Kind } from '../kinds.ts'
import type { TextRule } from './text-rule.ts'

export interface Rule extends Kind {
  readonly find: TextRule
  /** Whether a check on a database finds these mistakes more exactly. */
  readonly isForTextAlone?: true
}
